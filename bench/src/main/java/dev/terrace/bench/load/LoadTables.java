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
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

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
                Column.of("switches", "switches/op", Unit.NUMBER),
                Column.of("contended", "contended locks/1,000 ops", Unit.NUMBER)));
  }

  private static List<Column> columns(String[] names, Column... figures) {
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(Column.text(name));
    }
    columns.addAll(List.of(figures));
    return columns;
  }

  /**
   * Adds the runs of one load on one system, one a round.
   *
   * @param ratio empty where there is nothing to compare with
   * @param names what stands in the columns of texts
   */
  public void add(Look look, List<LoadFigures> runs, OptionalDouble ratio, String... names) {
    clients.row(
        look,
        cells(
            names,
            speed(runs),
            ratio,
            nanos(runs, Latencies::p50),
            nanos(runs, Latencies::p95),
            nanos(runs, Latencies::p99),
            nanos(runs, Latencies::p999),
            nanos(runs, Latencies::max),
            median(runs, LoadFigures::dataHitRatio),
            tierShare(runs, "dram"),
            tierShare(runs, "pmem"),
            tierShare(runs, "ssd")));
    servers.row(
        look,
        cells(
            names,
            median(runs, run -> OptionalDouble.of(run.serverCpuMicrosPerOperation())),
            median(runs, LoadFigures::compilingShare),
            median(runs, run -> each(run, run.clientCpuSeconds(), 1e6)),
            median(runs, LoadFigures::idleShare),
            median(
                runs,
                run ->
                    run.gcMillis().isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of((double) run.gcMillis().getAsLong())),
            median(runs, run -> each(run, run.contextSwitches(), 1)),
            median(runs, run -> each(run, run.contendedLocks(), 1e3))));
  }

  private static Object[] cells(String[] names, Object... figures) {
    List<Object> cells = new ArrayList<>(List.of((Object[]) names));
    for (Object figure : figures) {
      cells.add(figure);
    }
    return cells.toArray();
  }

  /** Operations a second over the rounds. */
  public static Summary speed(List<LoadFigures> runs) {
    return Summary.of(runs.stream().map(run -> run.outcome().operationsPerSecond()).toList());
  }

  /** The median of a figure over the rounds; empty where none of them has it. */
  static OptionalDouble median(
      List<LoadFigures> runs, Function<LoadFigures, OptionalDouble> figure) {
    List<Double> values =
        runs.stream()
            .map(figure)
            .filter(OptionalDouble::isPresent)
            .map(OptionalDouble::getAsDouble)
            .toList();
    return values.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(Summary.of(values).median());
  }

  private static OptionalDouble nanos(
      List<LoadFigures> runs, Function<Latencies, Double> percentile) {
    return median(
        runs, run -> OptionalDouble.of(1000 * percentile.apply(run.outcome().latenciesMicros())));
  }

  private static OptionalDouble each(LoadFigures run, OptionalLong count, double times) {
    return count.isEmpty() ? OptionalDouble.empty() : each(run, (double) count.getAsLong(), times);
  }

  private static OptionalDouble each(LoadFigures run, double count, double times) {
    return OptionalDouble.of(times * count / Math.max(1, run.outcome().operations()));
  }

  /** The share of a tier in the hits of all rounds; empty without that tier. */
  private static OptionalDouble tierShare(List<LoadFigures> runs, String tier) {
    long all = 0;
    long ofTier = 0;
    for (LoadFigures run : runs) {
      all += run.tierHits().values().stream().mapToLong(Long::longValue).sum();
      ofTier += run.tierHits().getOrDefault(tier, 0L);
    }
    boolean has = runs.stream().anyMatch(run -> run.tierHits().containsKey(tier));
    return has ? OptionalDouble.of((double) ofTier / Math.max(1, all)) : OptionalDouble.empty();
  }

  /** What the clients saw. */
  public Table clients() {
    return clients;
  }

  /** What the servers did. */
  public Table servers() {
    return servers;
  }
}
