/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.load;

import dev.terrace.bench.report.Progress;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerRun;
import dev.terrace.bench.server.ServerSetup;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Servers that stand side by side with the same data and take turns under the same loads, so that
 * what disturbs the machine for a while disturbs all alike.
 */
public final class SideBySide {

  private static final Duration TURN = Duration.ofMillis(100);

  private final ServerRun run;
  private final RunFolders folders;
  private final CheckedTable table;
  private final long startNanos = System.nanoTime();
  private final int threads;
  private final PrintWriter out;
  private final RowChecks checks = new RowChecks();

  /**
   * No servers yet.
   *
   * @param command for messages, such as {@code terrace bench macro}
   * @param keep whether all that is written stays
   * @param threads of the client while the table is loaded and caches are filled
   */
  public SideBySide(
      String command,
      HBaseInstall install,
      RunFolders folders,
      boolean keep,
      CheckedTable table,
      int threads,
      PrintWriter out) {
    this.run = new ServerRun(command, install, folders, keep, out::println);
    this.folders = folders;
    this.table = table;
    this.threads = threads;
    this.out = out;
  }

  /** Whether blocks of the table become smaller when they are compressed. */
  public boolean valuesShrink() {
    return table.values() != Values.RANDOM;
  }

  public RunFolders folders() {
    return folders;
  }

  /** Prints the step that begins, or the outcome of one that has ended, with the time until now. */
  public void log(String step) {
    out.printf("%7s  %s%n", elapsed(), step);
    out.flush();
  }

  private String elapsed() {
    return Progress.inWords((System.nanoTime() - startNanos) / 1e9);
  }

  /** Runs something with servers, ends them, and tells how much was read and checked. */
  public <R> R run(ServerRun.Body<R> body) throws RunFailure {
    R result = run.run(body);
    out.printf("It took %s%n", elapsed());
    return result;
  }

  /** Prints the number of checked rows; a wrong one ends the run earlier. */
  public void tellRows() {
    out.printf(
        Locale.ROOT,
        "%nAll %,d rows that were read and checked had the right values%n",
        checks.rows());
  }

  /** Loads the table, one file a region, with a server that is stopped then. */
  public void load(ServerSetup setup) throws IOException {
    log("Starting HBase to load the data, in " + folders.work());
    HBaseServer server = run.start(setup, RunFolders.LOADED);
    try (Connection connection = server.connect()) {
      log(
          String.format(
              Locale.ROOT,
              "Loading %,d rows of %,d bytes, then a flush and a major compaction",
              table.rows(),
              table.valueBytes()));
      table.load(connection, threads);
      server.compact(connection, table.name());
    }
    run.stop(server);
  }

  /** Starts servers, each with a copy of the loaded data, some at a time. */
  public List<LoadedServer> start(List<ServerSetup> setups) throws IOException {
    log(
        "Starting "
            + setups.size()
            + " servers: "
            + setups.stream().map(ServerSetup::title).distinct().collect(Collectors.joining(", ")));
    for (ServerSetup setup : setups) {
      folders.copyLoaded(setup.name());
    }
    int atOnce = Math.max(2, Runtime.getRuntime().availableProcessors());
    LoadedServer[] servers = new LoadedServer[setups.size()];
    ClientThreads.each("start", atOnce, servers.length, i -> servers[i] = start(setups.get(i)));
    return new ArrayList<>(List.of(servers));
  }

  /** Starts a server over the data that it has. */
  public LoadedServer start(ServerSetup setup) throws IOException {
    return LoadedServer.connect(setup, run.start(setup, setup.name()), table, checks);
  }

  /** Lets each server read and check the whole table through its cache, in several threads. */
  public void readAll(List<LoadedServer> servers) throws IOException {
    readAll(servers, threads);
  }

  /** Lets each server read and check the whole table through its cache. */
  public void readAll(List<LoadedServer> servers, int clients) throws IOException {
    log("Filling the caches: each server reads and checks the whole table");
    for (LoadedServer server : servers) {
      server.readAll(clients);
      server.requireRight();
    }
  }

  /** Runs a load against each server until it has compiled nearly all of its code. */
  public void warmUp(List<LoadedServer> servers, Workload workload, Duration limit)
      throws IOException {
    warmUp(servers, workload, limit, LoadRecorder.WARM_BELOW);
  }

  /** Runs a load against each server until it compiles for less than this part of its time. */
  public void warmUp(
      List<LoadedServer> servers, Workload workload, Duration limit, double warmBelow)
      throws IOException {
    log(workload.title() + ": warm-up");
    for (LoadedServer server : servers) {
      server.recorder().warmUp(time -> workload.run(server, threads, time), limit, warmBelow);
      server.requireRight();
    }
  }

  /**
   * Runs a load against each server in turn, round by round, while the others are suspended. Each
   * round begins with another server, so that none always follows the same one.
   *
   * @param time of one run
   * @return what came out, in the order of the servers
   */
  public List<Measure> rounds(
      List<LoadedServer> servers, Workload workload, int clients, int rounds, Duration time)
      throws IOException {
    Map<LoadedServer, List<LoadFigures>> figures = new HashMap<>();
    servers.forEach(server -> figures.put(server, new ArrayList<>()));
    Map<LoadedServer, LoadRecorder.Pending> pending = new HashMap<>();
    List<LoadedServer> order = new ArrayList<>(servers);
    try {
      for (LoadedServer server : servers) {
        server.server().suspend();
      }
      for (int round = 1; round <= rounds; round++) {
        log(workload.title() + ", " + clients + " threads: round " + round + " of " + rounds);
        Collections.rotate(order, -1);
        for (LoadedServer server : order) {
          resume(server);
          if (pending.containsKey(server)) {
            figures.get(server).add(pending.get(server).figures());
          }
          pending.put(
              server, server.recorder().run(slice -> workload.run(server, clients, slice), time));
          server.requireRight();
          server.server().suspend();
        }
      }
    } finally {
      for (LoadedServer server : servers) {
        if (server.server().isAlive()) {
          resume(server);
        }
      }
    }
    for (LoadedServer server : servers) {
      figures.get(server).add(pending.get(server).figures());
    }
    return measures(servers, workload, clients, figures);
  }

  private static List<Measure> measures(
      List<LoadedServer> servers,
      Workload workload,
      int clients,
      Map<LoadedServer, List<LoadFigures>> figures) {
    return servers.stream()
        .map(server -> new Measure(server.setup(), workload, clients, figures.get(server)))
        .toList();
  }

  private static void resume(LoadedServer server) throws IOException {
    server.server().resume();
    server.recorder().touched();
  }

  /**
   * Runs a load against all servers in turns of a tenth of a second.
   *
   * @param rounds of figures; in each one every server has had the time of a run
   * @return what came out, in the order of the servers
   */
  public List<Measure> shortTurns(
      List<LoadedServer> servers, Workload workload, int clients, int rounds, Duration time)
      throws IOException {
    int groups = servers.size();
    Map<LoadedServer, List<LoadFigures>> figures = new HashMap<>();
    servers.forEach(server -> figures.put(server, new ArrayList<>()));
    for (int round = 1; round <= rounds; round++) {
      log(workload.title() + " in short turns: round " + round + " of " + rounds);
      ClientThreads.run(
          "turns",
          groups,
          i -> {
            LoadedServer server = servers.get(i);
            OfferedLoad load =
                OfferedLoad.inTurns(new OfferedLoad.Turns(TURN.toNanos(), i, groups), clients);
            LoadRecorder.Load turns =
                slice -> workload.run(server, clients, load, slice).inTurnsOf(groups);
            figures.get(server).add(server.recorder().runAndWait(turns, time.multipliedBy(groups)));
          });
      for (LoadedServer server : servers) {
        server.requireRight();
      }
    }
    return measures(servers, workload, clients, figures);
  }

  /** Ends a server as {@code kill -9} does; what it had stays. */
  public void kill9(LoadedServer server) throws IOException {
    server.close();
    run.kill9(server.server());
  }

  /** Stops a server in the normal course; what it had stays. */
  public void stop(LoadedServer server) throws IOException {
    server.close();
    run.stop(server.server());
  }

  /** Ends servers, and deletes what they had. */
  public void end(List<LoadedServer> servers) throws IOException {
    for (LoadedServer server : servers) {
      kill9(server);
      if (!run.keeps()) {
        folders.deleteServer(server.setup().name());
      }
    }
  }
}
