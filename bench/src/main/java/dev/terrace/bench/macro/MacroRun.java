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
package dev.terrace.bench.macro;

import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.RunFailure;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.hbase.ServerFleet;
import dev.terrace.bench.load.ClientThreads;
import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.LoadRecorder;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.report.PlannedProgress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A macro run from its first server to its last figure: all servers stand side by side, and under
 * each workload they take turns, so that what disturbs the machine for a while disturbs all alike.
 */
final class MacroRun {

  private final MacroOptions options;
  private final RunFolders folders;
  private final ServerFleet fleet;
  private final PlannedProgress progress;
  private final MacroPlan plan;
  private final RowChecks checks = new RowChecks();

  MacroRun(MacroOptions options, RunFolders folders, ServerFleet fleet, PlannedProgress progress) {
    this.options = options;
    this.folders = folders;
    this.fleet = fleet;
    this.progress = progress;
    this.plan = new MacroPlan(options);
  }

  /**
   * Runs everything.
   *
   * @throws IOException if a server or the disk fails
   * @throws RunFailure if something that was read was wrong, or a call failed
   */
  List<WorkloadResult> run() throws IOException, RunFailure {
    new MacroData(options, folders, fleet, progress).prepare();
    List<MacroServer> servers = new ArrayList<>();
    try {
      start(servers);
      progress.done(plan.preparation());
      return measureAll(servers);
    } finally {
      for (MacroServer server : servers) {
        server.close();
      }
    }
  }

  private List<WorkloadResult> measureAll(List<MacroServer> servers)
      throws IOException, RunFailure {
    List<WorkloadResult> results = new ArrayList<>();
    Set<MacroWorkload.Group> read = EnumSet.noneOf(MacroWorkload.Group.class);
    for (MacroWorkload workload : options.workloads()) {
      boolean firstOfTable = read.add(workload.group());
      if (firstOfTable) {
        readAll(workload.group(), servers);
      }
      warmUp(workload, firstOfTable, servers);
      results.addAll(measure(workload, servers));
    }
    return results;
  }

  /** Returns what was read and checked. */
  RowChecks checks() {
    return checks;
  }

  private void start(List<MacroServer> servers) throws IOException, RunFailure {
    List<Configuration> configurations = options.configurations();
    progress.begin("Starting " + configurations.size() + " servers side by side");
    Map<Configuration, HBaseServer> started =
        Collections.synchronizedMap(new EnumMap<>(Configuration.class));
    AtomicInteger next = new AtomicInteger();
    int atOnce = Math.max(2, Runtime.getRuntime().availableProcessors());
    ClientThreads.run(
        "macro-start",
        Math.min(atOnce, configurations.size()),
        thread -> {
          for (int i = next.getAndIncrement();
              i < configurations.size();
              i = next.getAndIncrement()) {
            started.put(configurations.get(i), start(configurations.get(i)));
          }
        });
    for (Configuration configuration : configurations) {
      servers.add(new MacroServer(configuration, started.get(configuration), options, checks));
    }
  }

  private HBaseServer start(Configuration configuration) throws IOException {
    return fleet.start(
        configuration.with(options.sizes(), folders.places(configuration.id())),
        folders.server(configuration.id()),
        folders.data(configuration.id()),
        Map.of());
  }

  private void readAll(MacroWorkload.Group group, List<MacroServer> servers)
      throws IOException, RunFailure {
    progress.begin(group.title() + ": each server reads and checks the whole table once");
    for (MacroServer server : servers) {
      server.recorder().unrecorded(() -> server.readAll(group));
      requireRight(server);
    }
    progress.done(plan.readAll());
  }

  private void warmUp(MacroWorkload workload, boolean firstOfTable, List<MacroServer> servers)
      throws IOException, RunFailure {
    progress.begin(workload.title() + ": warm-up");
    Duration limit = options.warmUp(firstOfTable);
    for (MacroServer server : servers) {
      server.recorder().warmUp(time -> workload.run(server, options.threads(), time), limit);
      requireRight(server);
    }
    progress.done(plan.warmUp(firstOfTable));
  }

  private List<WorkloadResult> measure(MacroWorkload workload, List<MacroServer> servers)
      throws IOException, RunFailure {
    Map<MacroServer, List<LoadFigures>> figures = new LinkedHashMap<>();
    servers.forEach(server -> figures.put(server, new ArrayList<>()));
    Map<MacroServer, LoadRecorder.Pending> pending = new LinkedHashMap<>();
    for (int round = 1; round <= options.rounds(); round++) {
      progress.begin(workload.title() + ": round " + round + " of " + options.rounds());
      for (MacroServer server : inTurn(servers, round)) {
        if (pending.containsKey(server)) {
          figures.get(server).add(pending.get(server).figures());
        }
        pending.put(server, server.recorder().run(() -> run(workload, server)));
        requireRight(server);
      }
      progress.done(plan.round());
    }
    List<WorkloadResult> results = new ArrayList<>();
    for (MacroServer server : servers) {
      figures.get(server).add(pending.get(server).figures());
      server.recorder().unrecorded(() -> server.checkSome(workload.group()));
      requireRight(server);
      results.add(new WorkloadResult(server.configuration(), workload, figures.get(server)));
    }
    return results;
  }

  private LoadOutcome run(MacroWorkload workload, MacroServer server) throws IOException {
    return workload.run(server, options.threads(), options.time());
  }

  /** Each round begins with another server, so that none always follows the same one. */
  private static List<MacroServer> inTurn(List<MacroServer> servers, int round) {
    List<MacroServer> turn = new ArrayList<>(servers);
    Collections.rotate(turn, -round);
    return turn;
  }

  private void requireRight(MacroServer server) throws RunFailure {
    if (checks.wrong() > 0) {
      throw new RunFailure(
          server
              + ": "
              + checks.wrong()
              + " of "
              + checks.rows()
              + " rows that were read were wrong; the first: "
              + checks.firstFault().orElse(""));
    }
    if (checks.errors() > 0) {
      throw new RunFailure(
          server
              + ": "
              + checks.errors()
              + " calls failed; the first: "
              + checks.firstError().map(MacroRun::firstLine).orElse(""));
    }
  }

  private static String firstLine(Exception failure) {
    return failure.toString().lines().findFirst().orElse("");
  }
}
