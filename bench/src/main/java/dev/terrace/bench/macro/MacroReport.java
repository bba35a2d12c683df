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

import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.report.Headline;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What came out of a macro run, as tables. */
final class MacroReport {

  private static final int HEADLINE_RANK = 20;
  private static final int MOST_HEADLINES = 2;

  /** Those that tell most come first. */
  private static final List<Configuration> TELLING =
      List.of(
          Configuration.TERRACE_DRAM_SSD,
          Configuration.TERRACE_DRAM,
          Configuration.TERRACE_ALL,
          Configuration.TERRACE_DRAM_PMEM);

  private final List<WorkloadResult> results;

  MacroReport(List<WorkloadResult> results) {
    this.results = List.copyOf(results);
  }

  /** Adds all of it to a run's result. */
  void addTo(Result run) {
    tables().forEach(run::add);
    headlines().forEach(run::add);
    run.detail("runs", results.stream().map(WorkloadResult::toJson).toList());
  }

  /** Returns the tables of each group of workloads. */
  List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    for (MacroWorkload.Group group : MacroWorkload.Group.values()) {
      LoadTables loads = new LoadTables(group.title(), "of HBase's best", "workload", "cache");
      results.stream()
          .filter(result -> result.workload().group() == group)
          .forEach(
              result ->
                  loads.add(
                      result.configuration().isHBaseOwn() ? Look.PEER : Look.TERRACE,
                      result.runs(),
                      ratioToBest(result),
                      result.workload().title(),
                      result.configuration().title()));
      if (!loads.clients().isEmpty()) {
        tables.add(loads.clients().bars(group.title(), "opsPerSecond"));
        tables.add(loads.servers());
      }
    }
    return tables;
  }

  /** Returns the speed as a part of the best that HBase's own caches reached, if one ran. */
  OptionalDouble ratioToBest(WorkloadResult result) {
    OptionalDouble best =
        results.stream()
            .filter(each -> each.workload() == result.workload())
            .filter(each -> each.configuration().isHBaseOwn())
            .mapToDouble(each -> each.operationsPerSecond().median())
            .filter(speed -> speed > 0)
            .max();
    return best.isEmpty()
        ? best
        : OptionalDouble.of(result.operationsPerSecond().median() / best.getAsDouble());
  }

  /**
   * Returns Terrace beside the configuration of HBase with the same devices, where the load is
   * reads alone, or else the first load.
   */
  List<Headline> headlines() {
    Optional<MacroWorkload> workload =
        results.stream()
            .map(WorkloadResult::workload)
            .min(Comparator.comparing(each -> each != MacroWorkload.YCSB_C));
    List<Headline> headlines = new ArrayList<>();
    for (Configuration configuration : TELLING) {
      Optional<WorkloadResult> ours = workload.flatMap(each -> find(each, configuration));
      Optional<WorkloadResult> peer = workload.flatMap(each -> peer(each, configuration));
      if (ours.isPresent() && peer.isPresent() && headlines.size() < MOST_HEADLINES) {
        headlines.add(headline(ours.get(), peer.get()));
      }
    }
    return headlines;
  }

  private static Headline headline(WorkloadResult ours, WorkloadResult peer) {
    return new Headline(
        HEADLINE_RANK,
        Unit.TIMES.format(
            ours.operationsPerSecond().median() / peer.operationsPerSecond().median()),
        "the operations a second of "
            + peer.configuration().title()
            + ": "
            + ours.configuration().title()
            + " ("
            + ours.workload().title()
            + ")");
  }

  /** HBase's configuration with the same devices, or else with the same DRAM. */
  private Optional<WorkloadResult> peer(MacroWorkload workload, Configuration configuration) {
    Optional<WorkloadResult> offheap = find(workload, Configuration.BUCKET_OFFHEAP);
    return configuration.usesSsd()
        ? find(workload, Configuration.BUCKET_FILE).or(() -> offheap)
        : offheap;
  }

  private Optional<WorkloadResult> find(MacroWorkload workload, Configuration configuration) {
    return results.stream()
        .filter(result -> result.workload() == workload)
        .filter(result -> result.configuration() == configuration)
        .findFirst();
  }
}
