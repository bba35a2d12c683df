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
package dev.terrace.bench.report.runs;

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.page.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;

/** Tables of what a load on a real HBase showed: latencies, and what the server did meanwhile. */
final class LoadTables {

  private static final List<String> PERCENTILES = List.of("p50", "p95", "p99", "p999", "max");

  private final Table latencies;
  private final Table server;

  /**
   * Empty tables.
   *
   * @param first the names of the two columns that say what was measured
   */
  LoadTables(List<String> first) {
    latencies =
        new Table(
            "Latency of an operation, as the client sees it (medians over the rounds)",
            first.size(),
            columns(first, "median", "p95", "p99", "p99.9", "longest"));
    server =
        new Table(
            "What the server did meanwhile (medians over the rounds)",
            first.size(),
            columns(
                first,
                "hits of data blocks",
                "hits by tier",
                "server CPU s a million ops",
                "of it compiling",
                "client CPU s a million ops",
                "cores idle",
                "GC ms",
                "context switches",
                "contended locks",
                "errors"));
  }

  /** Adds a load to both. */
  void add(List<String> first, Load load) throws RunFileException {
    List<String> cells = new ArrayList<>(first);
    for (String percentile : PERCENTILES) {
      cells.add(cell(load.latencyNanos(percentile), Numbers::nanos));
    }
    latencies.row(cells);
    cells = new ArrayList<>(first);
    cells.add(cell(load.summary("dataHitRatio"), Numbers::percent));
    cells.add(load.tierShares().orElse(Numbers.NONE));
    cells.add(cell(load.cpuSecondsAMillion("serverCpuSeconds"), Numbers::threeDigits));
    cells.add(cell(load.summary("compilingShare"), Numbers::percent));
    cells.add(cell(load.cpuSecondsAMillion("clientCpuSeconds"), Numbers::threeDigits));
    cells.add(cell(load.summary("idleShare"), Numbers::percent));
    cells.add(cell(load.summary("gcMillis"), Numbers::count));
    cells.add(cell(load.summary("contextSwitches"), Numbers::count));
    cells.add(cell(load.summary("contendedLocks"), Numbers::count));
    cells.add(cell(load.summary("errors"), Numbers::count));
    server.row(cells);
  }

  Table latencies() {
    return latencies.withoutEmptyColumns();
  }

  Table server() {
    return server.withoutEmptyColumns();
  }

  private static String cell(Optional<Summary> summary, DoubleFunction<String> format) {
    return summary.map(figure -> format.apply(figure.median())).orElse(Numbers.NONE);
  }

  private static List<String> columns(List<String> first, String... more) {
    List<String> columns = new ArrayList<>(first);
    columns.addAll(List.of(more));
    return columns;
  }
}
