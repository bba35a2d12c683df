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

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Unit;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Tables of what loads on real servers showed: what the clients saw, and what the servers did. */
public final class LoadTables {

  private final Table clients;
  private final Table servers;

  /**
   * Tables without rows.
   *
   * @param title starts their titles
   * @param ratio what the clients' table calls a ratio of speeds; empty where loads are different
   *     things that are not compared
   * @param names the columns of texts; the last one names the system
   */
  public LoadTables(String title, String ratio, String... names) {
    Column speed = Column.of("opsPerSecond", "ops/s", Unit.COUNT).with(Column.Spread.HALF_RANGE);
    clients =
        new Table(
            title + ": what the clients saw",
            columns(
                names,
                ratio.isEmpty() ? speed : speed.moreIsBetter(),
                Column.of("ratio", ratio, Unit.TIMES),
                Column.of("p50", "p50", Unit.NANOS),
                Column.of("p95", "p95", Unit.NANOS),
                Column.of("p99", "p99", Unit.NANOS),
                Column.of("p999", "p99.9", Unit.NANOS),
                Column.of("max", "longest", Unit.NANOS),
                Column.of("dataHitRatio", "data from cache", Unit.SHARE),
                Column.of("dramHits", "of hits: dram", Unit.SHARE),
                Column.of("pmemHits", "pmem", Unit.SHARE),
                Column.of("ssdHits", "ssd", Unit.SHARE)));
    servers =
        new Table(
            title + ": what the servers did meanwhile",
            columns(
                names,
                Column.of("serverCpuMicros", "server CPU µs/op", Unit.COUNT),
                Column.of("compilingShare", "compiling", Unit.SHARE),
                Column.of("clientCpuMicros", "client CPU µs/op", Unit.COUNT),
                Column.of("idleShare", "cores idle", Unit.SHARE),
                Column.of("gcMillis", "GC", Unit.MILLIS),
                Column.of("switches", "switches/op", Unit.NUMBER)));
  }

  private static List<Column> columns(String[] names, Column... figures) {
    return Stream.concat(Arrays.stream(names).map(Column::text), Arrays.stream(figures)).toList();
  }

  /** Adds the runs of one load on one system, one a round; the ratio may be NaN. */
  public void add(Look look, List<LoadFigures> runs, double ratio, String... names) {
    clients.row(
        look,
        cells(
            names,
            speed(runs),
            ratio,
            nanos(runs, LoadOutcome.Latencies::p50),
            nanos(runs, LoadOutcome.Latencies::p95),
            nanos(runs, LoadOutcome.Latencies::p99),
            nanos(runs, LoadOutcome.Latencies::p999),
            nanos(runs, LoadOutcome.Latencies::max),
            median(runs, run -> run.cache().dataHitRatio()),
            tierShare(runs, "dram"),
            tierShare(runs, "pmem"),
            tierShare(runs, "ssd")));
    servers.row(
        look,
        cells(
            names,
            median(runs, run -> 1e6 * run.perOperation(run.used().serverSeconds())),
            median(runs, run -> run.used().compilingShare()),
            median(runs, run -> 1e6 * run.perOperation(run.used().clientSeconds())),
            median(runs, LoadFigures::idleShare),
            median(runs, run -> run.used().gcMillis()),
            median(runs, LoadFigures::switchesPerOperation)));
  }

  private static Object[] cells(String[] names, Object... figures) {
    return Stream.concat(Arrays.stream(names), Arrays.stream(figures)).toArray();
  }

  /** Operations a second over the rounds. */
  static Summary speed(List<LoadFigures> runs) {
    return Summary.of(runs.stream().map(run -> run.outcome().operationsPerSecond()).toList());
  }

  /** The median of a figure over the rounds; NaN where none of them has it. */
  static double median(List<LoadFigures> runs, ToDoubleFunction<LoadFigures> figure) {
    double[] values = runs.stream().mapToDouble(figure).filter(x -> !Double.isNaN(x)).toArray();
    return values.length == 0 ? Double.NaN : Summary.of(values).median();
  }

  private static double nanos(
      List<LoadFigures> runs, ToDoubleFunction<LoadOutcome.Latencies> percentile) {
    return median(runs, run -> 1000 * percentile.applyAsDouble(run.outcome().latenciesMicros()));
  }

  /** The share of a tier in the hits of all rounds; NaN without that tier. */
  private static double tierShare(List<LoadFigures> runs, String tier) {
    long all = 0;
    long ofTier = 0;
    boolean has = false;
    for (LoadFigures run : runs) {
      all += run.cache().tierHits().values().stream().mapToLong(Long::longValue).sum();
      ofTier += run.cache().tierHits().getOrDefault(tier, 0L);
      has |= run.cache().tierHits().containsKey(tier);
    }
    return has ? (double) ofTier / Math.max(1, all) : Double.NaN;
  }

  public Table clients() {
    return clients;
  }

  public Table servers() {
    return servers;
  }
}
