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
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The figures of a run of {@code bench hit} as tables, and against what Terrace promises. */
final class HitReport {
  private static final int HEADLINE_RANK = 30;
  private static final int PROMISED_BLOCK_SIZE_BYTES = 64 << 10;
  private static final int MOST_PROMISED_THREADS = 2;

  /** How many times as fast a cache is as another one. */
  private record Speed(CacheKind cache, CacheKind other, double leastTimes) {}

  private static final List<Speed> SPEEDS =
      List.of(
          new Speed(CacheKind.TERRACE, CacheKind.BUCKET_OFFHEAP, 10),
          new Speed(CacheKind.TERRACE, CacheKind.FLOOR, 0.3),
          new Speed(CacheKind.TERRACE, CacheKind.LRU, 1),
          new Speed(CacheKind.TERRACE_PMEM, CacheKind.BUCKET_PMEM, 4),
          new Speed(CacheKind.TERRACE_SSD, CacheKind.BUCKET_FILE, 1.3),
          new Speed(CacheKind.TERRACE_SSD_NOVERIFY, CacheKind.BUCKET_FILE, 1.8));

  private static final Map<CacheKind, Integer> GARBAGE_BYTES_BELOW =
      Map.of(CacheKind.TERRACE, 1, CacheKind.TERRACE_SSD, 2048);

  private final Map<BenchmarkCase, Figures> figures;

  /**
   * @param figures in the order of the tables
   */
  HitReport(Map<BenchmarkCase, Figures> figures) {
    this.figures = figures;
  }

  /** How many times as fast as another cache; NaN if that one was not measured. */
  double timesAsFast(BenchmarkCase measured, CacheKind other) {
    Figures of = figures.get(measured);
    Figures compared = figures.get(measured.in(other));
    return of == null || compared == null
        ? Double.NaN
        : of.score().median() / compared.score().median();
  }

  /** For each operation a table of speeds and, if single ones were timed, one of latencies. */
  List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    for (Operation operation : List.of(Operation.HIT, Operation.MISS)) {
      Stream.of(speeds(operation), latencies(operation))
          .filter(table -> !table.isEmpty())
          .forEach(tables::add);
    }
    return tables;
  }

  private Stream<BenchmarkCase> casesOf(Operation operation, boolean timed) {
    return figures.keySet().stream()
        .filter(each -> each.operation() == operation && each.isTimed() == timed);
  }

  private static List<Column> columns(Column... more) {
    return Stream.concat(
            Stream.of("block", "keys", "threads", "cache").map(Column::text), Stream.of(more))
        .toList();
  }

  private static Object[] cells(BenchmarkCase each, String cache, Object... more) {
    return Stream.concat(
            Stream.of(each.blockText(), each.distribution(), each.threadsText(), cache),
            Stream.of(more))
        .toArray();
  }

  /** One line a case, compared with the BucketCache that keeps blocks in the same kind of place. */
  private Table speeds(Operation operation) {
    Table table =
        new Table(
            operation.heading(),
            columns(
                Column.of("opsPerSecond", "ops/s", Unit.SCALED)
                    .moreIsBetter()
                    .with(Column.Spread.HALF_RANGE),
                Column.of("bytesPerHit", "bytes a " + operation, Unit.FEW_BYTES),
                Column.of("ofFloor", "of the floor", Unit.TIMES),
                Column.of("timesBucketCache", "× BucketCache", Unit.TIMES)));
    casesOf(operation, false)
        .forEach(
            each -> {
              CacheKind cache = each.cache().orElseThrow();
              Figures measured = figures.get(each);
              table.rowIn(
                  cache.look(),
                  cache.bucketCacheBeside().toString(),
                  cells(
                      each,
                      cache.title(),
                      measured.score(),
                      measured.garbageBytes(),
                      timesAsFast(each, cache.floorBeside()),
                      timesAsFast(each, cache.bucketCacheBeside())));
            });
    return table.bars(operation.heading(), "opsPerSecond");
  }

  /** What single operations took, one line a case, the clock first. */
  private Table latencies(Operation operation) {
    Table table =
        new Table(
            operation + ": the time of a single one, of a sample, with the clock's own cost",
            columns(LatencyNanos.columns("latency", "").toArray(Column[]::new)));
    Set<BenchmarkCase> settings = new HashSet<>();
    casesOf(operation, true)
        .forEach(
            each -> {
              CacheKind cache = each.cache().orElseThrow();
              Figures clock = figures.get(BenchmarkCase.clock(each.threads()));
              if (clock != null && settings.add(each.in(CacheKind.FLOOR))) {
                addLatency(table, Look.BOUND, each, "nothing (the clock alone)", clock);
              }
              addLatency(table, cache.look(), each, cache.title(), figures.get(each));
            });
    return table.bars("The time of a single one", "latencyP99", "latencyP999");
  }

  private static void addLatency(
      Table table, Look look, BenchmarkCase each, String cache, Figures measured) {
    LatencyNanos latency = measured.latency().orElseThrow();
    table.row(look, cells(each, cache, latency.cells().toArray()));
  }

  /** What Terrace promises of a hit of a 64 KB block under Zipf's law. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    casesOf(Operation.HIT, false)
        .filter(each -> each.blockSizeBytes() == PROMISED_BLOCK_SIZE_BYTES)
        .filter(each -> each.distribution() == KeyDistribution.ZIPF)
        .filter(each -> each.threads() <= MOST_PROMISED_THREADS)
        .forEach(
            each -> {
              SPEEDS.stream()
                  .filter(speed -> each.cache().equals(Optional.of(speed.cache())))
                  .forEach(speed -> addSpeed(each, speed, targets));
              Integer most = GARBAGE_BYTES_BELOW.get(each.cache().orElseThrow());
              if (most != null) {
                double bytes = figures.get(each).garbageBytes().median();
                targets.add(
                    Target.of(
                        bytes < most,
                        "%s: %.2f bytes of garbage a hit, less than %d",
                        each.title(),
                        bytes,
                        most));
              }
            });
    return targets;
  }

  private void addSpeed(BenchmarkCase each, Speed speed, List<Target> targets) {
    double times = timesAsFast(each, speed.other());
    if (!Double.isNaN(times)) {
      targets.add(
          Target.of(
              times >= speed.leastTimes(),
              "%s: %.2f times %s, at least %s",
              each.title(),
              times,
              speed.other().title(),
              speed.leastTimes()));
    }
  }

  /** The least of the ratios to BucketCache, for the first of Terrace's configurations. */
  Optional<Headline> headline() {
    List<BenchmarkCase> compared =
        casesOf(Operation.HIT, false)
            .filter(each -> each.cache().orElseThrow().look() == Look.TERRACE)
            .filter(each -> !Double.isNaN(timesBucketCache(each)))
            .toList();
    return compared.stream()
        .filter(each -> each.cache().equals(compared.get(0).cache()))
        .min(Comparator.comparingDouble(this::timesBucketCache))
        .map(
            least ->
                new Headline(
                    HEADLINE_RANK,
                    Unit.TIMES.format(timesBucketCache(least)),
                    String.format(
                        Locale.ROOT,
                        "the hits a second of %s: %s (%s)",
                        least.cache().orElseThrow().bucketCacheBeside().title(),
                        least.cache().orElseThrow().title(),
                        least.setting())));
  }

  private double timesBucketCache(BenchmarkCase each) {
    return timesAsFast(each, each.cache().orElseThrow().bucketCacheBeside());
  }
}
