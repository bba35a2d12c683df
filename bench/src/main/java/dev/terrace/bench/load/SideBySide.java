// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.load.CheckedTable.Values;
import dev.terrace.bench.load.LoadFigures.LoadOutcome;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.report.Benchmark.Progress;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerRun;
import dev.terrace.bench.server.ServerSetup;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.IOSupplier;

/**
 * Servers with the same data that take turns under the same loads, so that a disturbance of the
 * machine affects all alike.
 */
public final class SideBySide {

  /** Whether progress is shown on one line that changes, on a terminal. */
  private static final boolean CHANGES_LINE = Boolean.getBoolean("terrace.terminal");

  private final ServerRun run;
  private final RunFolders folders;
  private final CheckedTable table;
  private final long startNanos = System.nanoTime();
  private final int threads;
  private final PrintWriter out;
  private final RowChecks checks = new RowChecks();

  /**
   * Servers, none of which runs yet.
   *
   * @param keep whether all written files stay
   * @param threads client threads while the table is loaded and caches are filled
   */
  public SideBySide(
      HBaseInstall install,
      RunFolders folders,
      boolean keep,
      CheckedTable table,
      int threads,
      PrintWriter out) {
    this.run = new ServerRun(install, folders, keep, out::println);
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

  /** Prints a step that begins or the outcome of one that has ended, with the time so far. */
  public void log(String step) {
    out.printf(CHANGES_LINE ? "\r\u001b[K%7s  %s" : "%7s  %s%n", elapsed(), step);
    out.flush();
  }

  /** Prints an interim figure of a step, if the line can change. */
  private void show(String figure) {
    if (CHANGES_LINE) {
      log(figure);
    }
  }

  /** Clears the changing line before other lines are printed. */
  public void endLine() {
    out.print(CHANGES_LINE ? "\r\u001b[K" : "");
    out.flush();
  }

  private String elapsed() {
    return Progress.inWords((System.nanoTime() - startNanos) / 1e9);
  }

  /** Runs something with servers, ends them, and prints how long it took. */
  public <R> R run(IOSupplier<R> body) throws RunFailure {
    R result = run.run(body);
    endLine();
    out.printf("It took %s%n", elapsed());
    return result;
  }

  /** Prints the number of checked rows; a wrong row would have ended the run. */
  public void tellRows() {
    out.printf(
        Locale.ROOT,
        "%nAll %,d rows that were read and checked had the right values%n",
        checks.rows());
  }

  /** Loads the table, one file for each region, with a server that is stopped afterwards. */
  public void load(ServerSetup setup) throws IOException {
    for (LoadedServer server : startEmpty(List.of(setup))) {
      stop(server);
    }
  }

  /** Starts servers while the table's rows are written to files, then loads these into each. */
  public List<LoadedServer> startEmpty(List<ServerSetup> setups) throws IOException {
    log(
        String.format(
            Locale.ROOT,
            "Writing %,d rows of %,d bytes to files, and starting %s; all in %s",
            table.rows(),
            table.valueBytes(),
            titles(setups),
            folders.work()));
    Path files = folders.work().resolve("files");
    LoadedServer[] servers = new LoadedServer[setups.size()];
    ClientThreads.run(
        "start",
        servers.length + 1,
        i -> {
          if (i == servers.length) {
            table.writeFiles(files);
          } else {
            servers[i] = start(setups.get(i));
          }
        });
    for (LoadedServer server : servers) {
      log("Loading the files: " + server.setup().title());
      table.load(server.server(), server.connection(), files);
    }
    FileUtils.deleteDirectory(files.toFile());
    return new ArrayList<>(List.of(servers));
  }

  private static String titles(List<ServerSetup> setups) {
    return setups.stream().map(ServerSetup::title).distinct().collect(Collectors.joining(", "));
  }

  /** Starts servers, each with a copy of the loaded data, a few at a time. */
  public List<LoadedServer> start(List<ServerSetup> setups) throws IOException {
    log("Starting " + setups.size() + " servers: " + titles(setups));
    for (ServerSetup setup : setups) {
      folders.copyLoaded(setup.name());
    }
    int atOnce = Math.max(2, Runtime.getRuntime().availableProcessors());
    LoadedServer[] servers = new LoadedServer[setups.size()];
    ClientThreads.each("start", atOnce, servers.length, i -> servers[i] = start(setups.get(i)));
    return new ArrayList<>(List.of(servers));
  }

  public LoadedServer start(ServerSetup setup) throws IOException {
    return new LoadedServer(setup, run.start(setup), table, checks);
  }

  /** Makes each server read and check the whole table through its cache, in several threads. */
  public void readAll(List<LoadedServer> servers) throws IOException {
    for (LoadedServer server : servers) {
      log("Filling the cache, checking the whole table: " + server.setup().title());
      server.readAll(threads);
      server.requireRight();
    }
  }

  /** Runs a load on each server until compilation takes less than this share of its time. */
  public void warmUp(
      List<LoadedServer> servers, Workload workload, Duration limit, double warmBelow)
      throws IOException {
    for (LoadedServer server : servers) {
      log(workload.title() + ", warm-up: " + server.setup().title());
      String[] speed = {""};
      server
          .recorder()
          .warmUp(
              time -> {
                LoadOutcome outcome = workload.run(server, threads, time);
                speed[0] = speed(server, outcome);
                show(speed[0] + ", warming up");
                return outcome;
              },
              limit,
              warmBelow);
      server.requireRight();
      log(speed[0] + ", warmed up");
    }
  }

  private static String speed(LoadedServer server, LoadOutcome outcome) {
    double speed = outcome.operationsPerSecond();
    return String.format(Locale.ROOT, "%,.0f a second: %s", speed, server.setup().title());
  }

  /**
   * Runs a load against each server in turn, round by round, while the others are suspended. Each
   * round starts with another server, so that no server always follows the same one.
   *
   * @param time of one run
   * @return the measures, in the order of the servers
   */
  public List<Measure> rounds(
      List<LoadedServer> servers, Workload workload, int clients, int rounds, Duration time)
      throws IOException {
    Map<LoadedServer, List<LoadFigures>> figures = new LinkedHashMap<>();
    servers.forEach(server -> figures.put(server, new ArrayList<>()));
    Map<LoadedServer, IOSupplier<LoadFigures>> pending = new HashMap<>();
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
            figures.get(server).add(pending.get(server).get());
          }
          pending.put(
              server,
              server
                  .recorder()
                  .run(
                      slice -> {
                        LoadOutcome outcome = workload.run(server, clients, slice);
                        show(speed(server, outcome) + ", " + workload.title());
                        return outcome;
                      },
                      time));
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
      figures.get(server).add(pending.get(server).get());
    }
    return servers.stream()
        .map(server -> new Measure(server.setup(), workload, clients, figures.get(server)))
        .toList();
  }

  private static void resume(LoadedServer server) throws IOException {
    server.server().resume();
    server.recorder().touched();
  }

  /** Ends a server as {@code kill -9} does; its files stay. */
  public void kill9(LoadedServer server) throws IOException {
    server.close();
    run.kill9(server.server());
  }

  /** Stops a server in an orderly way; its files stay. */
  public void stop(LoadedServer server) throws IOException {
    server.close();
    run.stop(server.server());
  }

  public void end(List<LoadedServer> servers) throws IOException {
    for (LoadedServer server : servers) {
      kill9(server);
      if (!run.keeps()) {
        folders.deleteServer(server.setup().name());
      }
    }
  }
}
