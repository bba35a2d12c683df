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
package dev.terrace.bench.jmh;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Headline;
import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.openjdk.jmh.results.RunResult;

/** The figures of a run of {@code bench hit} as tables. */
final class HitReport {

  private static final String CLOCK = "nothing (the clock alone)";
  private static final int HEADLINE_RANK = 30;

  /** With fewer there is nothing to see that the first table does not show. */
  private static final int LEAST_THREAD_COUNTS_TO_SCALE = 3;

  private final Map<HitCase, HitFigures> figures;
  private final Map<LatencyCase, LatencyNanos> latencies;

  /**
   * @param figures in the order of the tables
   * @param latencies likewise; of some of the same cases, or of none
   */
  HitReport(Map<HitCase, HitFigures> figures, Map<LatencyCase, LatencyNanos> latencies) {
    this.figures = figures;
    this.latencies = latencies;
  }

  static HitReport ofResults(Map<BenchmarkCase, RunResult> results) {
    Map<HitCase, HitFigures> figures = new LinkedHashMap<>();
    Map<LatencyCase, LatencyNanos> latencies = new LinkedHashMap<>();
    results.forEach(
        (benchmarkCase, result) -> {
          if (benchmarkCase instanceof LatencyCase latency) {
            latencies.put(latency, LatencyCase.latency(result));
          } else if (benchmarkCase instanceof HitCase hitCase) {
            figures.put(hitCase, HitFigures.of(hitCase.operation(), result));
          }
        });
    return new HitReport(figures, latencies);
  }

  /** What was measured, by case. */
  Map<HitCase, HitFigures> figures() {
    return figures;
  }

  /** How many times as fast as another cache; NaN if that one was not measured. */
  double timesAsFast(HitCase hitCase, CacheKind other) {
    HitFigures of = figures.get(hitCase);
    HitFigures compared = figures.get(hitCase.in(other));
    return of == null || compared == null
        ? Double.NaN
        : of.opsPerSecond().median() / compared.opsPerSecond().median();
  }

  /** The tables of all operations. */
  List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    for (Operation operation : operations()) {
      tables.add(speeds(operation));
      scaling(operation).ifPresent(tables::add);
      latencies(operation).ifPresent(tables::add);
    }
    return tables;
  }

  private List<Operation> operations() {
    return figures.keySet().stream().map(HitCase::operation).distinct().toList();
  }

  private List<HitCase> casesOf(Operation operation) {
    return figures.keySet().stream().filter(each -> each.operation() == operation).toList();
  }

  /** The columns that tell the case. */
  private static List<Column> caseColumns() {
    return new ArrayList<>(
        List.of(
            Column.text("block"),
            Column.text("keys"),
            Column.text("threads"),
            Column.text("cache")));
  }

  /** What stands in these. */
  private static List<Object> cells(HitCase hitCase) {
    return new ArrayList<>(
        List.of(
            hitCase.blockText(),
            hitCase.distribution().label(),
            hitCase.threadsText(),
            hitCase.cache().title()));
  }

  /**
   * One line a case. The last column compares with the BucketCache that keeps its blocks in the
   * same kind of place.
   */
  private Table speeds(Operation operation) {
    List<Column> columns = caseColumns();
    columns.add(
        Column.of("opsPerSecond", operation.speedColumn(), Unit.SCALED)
            .moreIsBetter()
            .with(Column.Spread.HALF_RANGE));
    columns.add(Column.of("bytesPerHit", operation.garbageColumn(), Unit.FEW_BYTES));
    columns.add(Column.of("hitShare", "gets that hit", Unit.SHARE));
    columns.add(Column.of("refusedShare", "puts refused", Unit.SHARE));
    columns.add(Column.of("ofFloor", "of the floor", Unit.TIMES));
    columns.add(Column.of("timesBucketCache", "× BucketCache", Unit.TIMES));
    Table table = new Table(operation.heading(), columns);
    for (HitCase hitCase : casesOf(operation)) {
      CacheKind cache = hitCase.cache();
      HitFigures measured = figures.get(hitCase);
      List<Object> cells = cells(hitCase);
      cells.add(measured.opsPerSecond());
      cells.add(operation.hasGarbage() ? measured.bytesPerHit() : null);
      cells.add(measured.hitShare());
      cells.add(measured.refusedShare());
      cells.add(timesAsFast(hitCase, cache.floorBeside()));
      cells.add(timesAsFast(hitCase, cache.bucketCacheBeside()));
      table.rowIn(cache.look(), cache.bucketCacheBeside().label(), cells.toArray());
    }
    return table.bars(operation.heading(), "opsPerSecond");
  }

  /** What single operations took, one line a case, the clock first; empty if none was timed. */
  private Optional<Table> latencies(Operation operation) {
    List<Column> columns = caseColumns();
    columns.addAll(LatencyNanos.columns("latency", ""));
    Table table =
        new Table(
            operation.label()
                + ": the time of a single one, of a sample, with the clock's own cost",
            columns);
    Set<List<Object>> clocks = new HashSet<>();
    latencies.forEach(
        (each, latency) ->
            each.timed()
                .filter(timed -> timed.operation() == operation)
                .ifPresent(
                    timed -> {
                      List<Object> clock = cells(timed);
                      clock.set(clock.size() - 1, CLOCK);
                      LatencyNanos nothing = latencies.get(LatencyCase.clock(timed.threads()));
                      if (nothing != null && clocks.add(List.copyOf(clock))) {
                        addLatency(table, Look.BOUND, clock, nothing);
                      }
                      addLatency(table, timed.cache().look(), cells(timed), latency);
                    }));
    return table.isEmpty()
        ? Optional.empty()
        : Optional.of(table.bars("The time of a single one", "latencyP99", "latencyP999"));
  }

  private static void addLatency(Table table, Look look, List<Object> cells, LatencyNanos latency) {
    cells.addAll(latency.cells());
    table.row(look, cells.toArray());
  }

  /** The speed by number of threads, one line a cache; empty unless there are several numbers. */
  private Optional<Table> scaling(Operation operation) {
    List<HitCase> cases = casesOf(operation);
    List<Integer> threads = cases.stream().map(HitCase::threads).distinct().sorted().toList();
    if (threads.size() < LEAST_THREAD_COUNTS_TO_SCALE) {
      return Optional.empty();
    }
    List<Column> columns =
        new ArrayList<>(List.of(Column.text("block"), Column.text("keys"), Column.text("cache")));
    threads.forEach(
        count ->
            columns.add(
                Column.of(
                    "threads" + count, count == 1 ? "1 thread" : count + " threads", Unit.SCALED)));
    columns.add(Column.of("most", "most, of one thread's", Unit.TIMES));
    Table table = new Table(operation.label() + ": by number of threads", columns);
    cases.stream()
        .map(each -> each.with(threads.get(0)))
        .distinct()
        .forEach(each -> table.row(each.cache().look(), scalingCells(each, threads)));
    return Optional.of(table);
  }

  private Object[] scalingCells(HitCase first, List<Integer> threads) {
    List<Object> cells =
        new ArrayList<>(
            List.of(first.blockText(), first.distribution().label(), first.cache().title()));
    double most = 0;
    for (int count : threads) {
      HitFigures measured = figures.get(first.with(count));
      double opsPerSecond = measured == null ? Double.NaN : measured.opsPerSecond().median();
      most = Math.max(most, opsPerSecond);
      cells.add(opsPerSecond);
    }
    HitFigures one = figures.get(first);
    cells.add(one == null ? null : most / one.opsPerSecond().median());
    return cells.toArray();
  }

  /**
   * The least of the ratios of hits to BucketCache in the same kind of place, for the first of
   * Terrace's configurations.
   */
  Optional<Headline> headline() {
    List<HitCase> compared =
        casesOf(Operation.HIT).stream()
            .filter(each -> each.cache().look() == Look.TERRACE)
            .filter(each -> !Double.isNaN(timesBucketCache(each)))
            .toList();
    return compared.stream()
        .filter(each -> each.cache() == compared.get(0).cache())
        .min(Comparator.comparingDouble(this::timesBucketCache))
        .map(
            least ->
                new Headline(
                    HEADLINE_RANK,
                    Unit.TIMES.format(timesBucketCache(least)),
                    String.format(
                        Locale.ROOT,
                        "the hits a second of %s: %s (%s)",
                        least.cache().bucketCacheBeside().title(),
                        least.cache().title(),
                        least.setting())));
  }

  private double timesBucketCache(HitCase hitCase) {
    return timesAsFast(hitCase, hitCase.cache().bucketCacheBeside());
  }
}
