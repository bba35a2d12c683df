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
package dev.terrace.bench.cases;

import dev.terrace.bench.hbase.DataCopy;
import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.RunFailure;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.hbase.ServerFleet;
import dev.terrace.bench.hbase.TerraceStats;
import dev.terrace.bench.load.ClientThreads;
import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.load.LoadRecorder;
import dev.terrace.bench.load.OfferedLoad;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.report.PlannedProgress;
import dev.terrace.bench.slow.SlowSettings;
import dev.terrace.bench.ycsb.YcsbWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts, warms up and measures the servers of cases, all over the same table. */
final class CaseBench {

  private static final Duration TURN = Duration.ofMillis(100);

  private final CaseOptions options;
  private final RunFolders folders;
  private final ServerFleet fleet;
  private final PlannedProgress log;
  private final Path slowJar;
  private final CaseCaches caches;
  private final RowChecks checks = new RowChecks();

  /**
   * A bench over a table that was loaded.
   *
   * @param slowJar what brings the slow store to a server
   */
  CaseBench(
      CaseOptions options,
      RunFolders folders,
      ServerFleet fleet,
      PlannedProgress log,
      Path slowJar,
      long dataBytes) {
    this.options = options;
    this.folders = folders;
    this.fleet = fleet;
    this.log = log;
    this.slowJar = slowJar;
    this.caches = new CaseCaches(folders, options.heap(), dataBytes);
  }

  CaseOptions options() {
    return options;
  }

  CaseCaches caches() {
    return caches;
  }

  PlannedProgress log() {
    return log;
  }

  /** Returns what was read and checked. */
  RowChecks checks() {
    return checks;
  }

  /** Starts servers side by side, two at a time; their stores are quick until they are measured. */
  List<CaseServer> start(List<CaseSetup> setups) throws IOException, RunFailure {
    return start(setups, HBaseServer.SUSPENDABLE);
  }

  /** The same for servers that are killed, and started again by {@link #restart}. */
  List<CaseServer> startToBeKilled(List<CaseSetup> setups) throws IOException, RunFailure {
    return start(setups, Map.of());
  }

  private List<CaseServer> start(List<CaseSetup> setups, Map<String, String> more)
      throws IOException, RunFailure {
    log.begin("Starting " + setups.size() + " servers: " + titles(setups));
    for (CaseSetup setup : setups) {
      DataCopy.make(folders.loadedData(), folders.data(setup.name()));
      Files.createFile(warmUpFile(setup));
    }
    Map<CaseSetup, HBaseServer> started = new ConcurrentHashMap<>();
    AtomicInteger next = new AtomicInteger();
    ClientThreads.run(
        "cases-start",
        Math.min(2, setups.size()),
        thread -> {
          for (int i = next.getAndIncrement(); i < setups.size(); i = next.getAndIncrement()) {
            started.put(setups.get(i), launch(setups.get(i), more));
          }
        });
    List<CaseServer> servers = new ArrayList<>();
    for (CaseSetup setup : setups) {
      servers.add(client(setup, started.get(setup)));
    }
    return servers;
  }

  private static String titles(List<CaseSetup> setups) {
    return String.join(", ", setups.stream().map(CaseSetup::title).distinct().toList());
  }

  /** Connects to a server that runs. */
  CaseServer client(CaseSetup setup, HBaseServer server) throws IOException, RunFailure {
    if (TerraceStats.read(server.jmx()).isPresent() != setup.isTerrace()) {
      throw new RunFailure(
          setup.title() + " runs with another block cache; HBase's log is " + server.log());
    }
    return new CaseServer(setup, server, options.table(), checks);
  }

  /** While this file exists the server's store is quick. */
  private Path warmUpFile(CaseSetup setup) {
    return folders.server(setup.name()).resolve("warm-up");
  }

  /** Starts a server again over the data that it has. */
  HBaseServer restart(CaseSetup setup) throws IOException {
    return launch(setup, Map.of());
  }

  private HBaseServer launch(CaseSetup setup, Map<String, String> more) throws IOException {
    Path data = folders.data(setup.name());
    Files.createDirectories(folders.places(setup.name()).pmem());
    Files.createDirectories(folders.places(setup.name()).ssd());
    Map<String, String> extra =
        new LinkedHashMap<>(SlowSettings.forHBase(data.resolve("hbase").toString(), setup.store()));
    // A write-ahead log is never on an object store, and not on the disk of the files if possible.
    extra.put("hbase.wal.dir", data.resolve("wal").toUri().toString());
    extra.put(SlowSettings.WARM_UP_FILE, warmUpFile(setup).toString());
    extra.putAll(more);
    return fleet.start(setup.cache(), folders.server(setup.name()), data, extra, List.of(slowJar));
  }

  /**
   * Reads all through the caches, and then lets them see what they will be measured with until the
   * servers have compiled nearly all of their code.
   */
  void warmUp(List<CaseServer> servers, YcsbWorkload workload) throws IOException, RunFailure {
    warmUp(servers, workload, options.warmUp());
  }

  /** The same where the speed of the code hardly matters: no longer than the caches need. */
  void fill(List<CaseServer> servers, YcsbWorkload workload) throws IOException, RunFailure {
    warmUp(servers, workload, options.filling());
  }

  private void warmUp(List<CaseServer> servers, YcsbWorkload workload, Duration limit)
      throws IOException, RunFailure {
    log.begin("Filling the caches: the whole table once, then " + workload.title());
    for (CaseServer server : servers) {
      server.readAll(options.threads());
      server.recorder().warmUp(time -> server.run(workload, options.threads(), time), limit);
      requireRight(server);
    }
  }

  /** Makes the servers' stores as slow as they are said to be. */
  void endWarmUp(List<CaseServer> servers) throws IOException {
    for (CaseServer server : servers) {
      Files.deleteIfExists(warmUpFile(server.setup()));
    }
  }

  /**
   * Runs a load against each server in turn, round by round.
   *
   * @return what came out, in the order of the servers
   */
  List<Measure> rounds(List<CaseServer> servers, YcsbWorkload workload, int threads, int rounds)
      throws IOException, RunFailure {
    Rounds run = new Rounds(servers);
    measure(run, servers, workload, threads, rounds, false);
    return measures(run, servers, workload, threads);
  }

  /**
   * The same with the processes of the other servers suspended: some of them keep a core busy when
   * nobody asks them anything.
   */
  List<Measure> roundsAlone(
      List<CaseServer> servers, YcsbWorkload workload, int threads, int rounds)
      throws IOException, RunFailure {
    Rounds run = new Rounds(servers);
    try {
      for (CaseServer server : servers) {
        server.server().suspend();
      }
      measure(run, servers, workload, threads, rounds, true);
    } finally {
      for (CaseServer server : servers) {
        if (server.server().isAlive()) {
          server.server().resume();
        }
        server.recorder().resumed();
      }
    }
    return measures(run, servers, workload, threads);
  }

  private void measure(
      Rounds run,
      List<CaseServer> servers,
      YcsbWorkload workload,
      int threads,
      int rounds,
      boolean areSuspended)
      throws IOException, RunFailure {
    log.begin(
        workload.title() + ", " + threads + " threads, " + rounds + " rounds of " + servers.size());
    for (int round = 1; round <= rounds; round++) {
      for (CaseServer server : inTurn(servers, round)) {
        if (areSuspended) {
          server.server().resume();
          server.recorder().resumed();
        }
        run.measure(server, workload, threads, options.time());
        requireRight(server);
        if (areSuspended) {
          server.server().suspend();
        }
      }
    }
  }

  /** Each round begins with another server, so that none always follows the same one. */
  private static List<CaseServer> inTurn(List<CaseServer> servers, int round) {
    List<CaseServer> turn = new ArrayList<>(servers);
    Collections.rotate(turn, -round);
    return turn;
  }

  private static List<Measure> measures(
      Rounds run, List<CaseServer> servers, YcsbWorkload workload, int threads) throws IOException {
    List<Measure> measures = new ArrayList<>();
    for (CaseServer server : servers) {
      measures.add(new Measure(name(server, workload, threads), run.figures(server)));
    }
    return measures;
  }

  /** The figures of servers that take turns. */
  private static final class Rounds {

    private final Map<CaseServer, List<LoadFigures>> figures = new LinkedHashMap<>();
    private final Map<CaseServer, LoadRecorder.Pending> pending = new LinkedHashMap<>();

    Rounds(List<CaseServer> servers) {
      servers.forEach(server -> figures.put(server, new ArrayList<>()));
    }

    void measure(CaseServer server, YcsbWorkload workload, int threads, Duration time)
        throws IOException {
      takePending(server);
      pending.put(server, server.recorder().run(() -> server.run(workload, threads, time)));
    }

    /** Of a server whose process runs. */
    List<LoadFigures> figures(CaseServer server) throws IOException {
      takePending(server);
      return figures.get(server);
    }

    private void takePending(CaseServer server) throws IOException {
      LoadRecorder.Pending before = pending.remove(server);
      if (before != null) {
        figures.get(server).add(before.figures());
      }
    }
  }

  /**
   * Runs a load against all servers in turns of a tenth of a second, so that what disturbs the
   * machine disturbs all of them alike.
   *
   * @param rounds of figures; in each one every server has had the time of a run
   * @return what came out, in the order of the servers
   */
  List<Measure> shortTurns(List<CaseServer> servers, YcsbWorkload workload, int threads, int rounds)
      throws IOException, RunFailure {
    log.begin(
        workload.title()
            + ", "
            + threads
            + " threads, "
            + rounds
            + " rounds of "
            + servers.size()
            + " in short turns");
    int groups = servers.size();
    Duration time = options.time().multipliedBy(groups);
    Map<Integer, List<LoadFigures>> figures = new ConcurrentHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      ClientThreads.run(
          "cases-turns",
          groups,
          i -> {
            CaseServer server = servers.get(i);
            OfferedLoad load =
                OfferedLoad.inTurns(new OfferedLoad.Turns(TURN.toNanos(), i, groups), threads);
            LoadFigures ofRound =
                server
                    .recorder()
                    .runAndWait(() -> server.run(workload, threads, load, time).inTurnsOf(groups));
            figures.computeIfAbsent(i, none -> new ArrayList<>()).add(ofRound);
          });
      for (CaseServer server : servers) {
        requireRight(server);
      }
    }
    List<Measure> measures = new ArrayList<>();
    for (int i = 0; i < groups; i++) {
      measures.add(new Measure(name(servers.get(i), workload, threads), figures.get(i)));
    }
    return measures;
  }

  private static String name(CaseServer server, YcsbWorkload workload, int threads) {
    return server.setup().title() + ", " + workload.title() + ", " + threads + " threads";
  }

  /** Ends servers, and deletes what they had. */
  void end(List<CaseServer> servers) throws IOException {
    for (CaseServer server : servers) {
      server.close();
      kill9(server.server());
      if (!options.keep()) {
        folders.deleteServer(server.setup().name());
      }
    }
  }

  /** Ends a server as {@code kill -9} does. */
  void kill9(HBaseServer server) {
    fleet.kill9(server);
  }

  /** Makes sure that all that was read was right, and that no call failed. */
  void requireRight(CaseServer server) throws RunFailure {
    if (checks.wrong() > 0) {
      throw new RunFailure(
          String.format(
              "%s: %d of %d rows that were read were wrong; the first: %s",
              server, checks.wrong(), checks.rows(), checks.firstFault().orElse("")));
    }
    if (checks.errors() > 0) {
      throw new RunFailure(
          String.format(
              "%s: %d calls failed; the first: %s",
              server, checks.errors(), checks.firstError().map(CaseBench::firstLine).orElse("")));
    }
  }

  private static String firstLine(Exception failure) {
    return failure.toString().lines().findFirst().orElse("");
  }
}
