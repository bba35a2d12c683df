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

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Headline;
import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code terrace bench hit}: hits of caches, with {@link HitBenchmark}. */
@Command(
    name = "hit",
    mixinStandardHelpOptions = true,
    description = "Hits of Terrace and of HBase's own caches: speed, garbage and latency.")
public final class HitCommand extends JmhBenchmark {
  private static final int LEAST_BLOCK_SIZE_BYTES = 1 << 10;
  private static final int MOST_BLOCK_SIZE_BYTES = 4 << 20;

  private static final int HEADLINE_RANK = 30;
  private static final int PROMISED_BLOCK_SIZE_BYTES = 64 << 10;
  private static final int MOST_PROMISED_THREADS = 2;

  /** A promise: the least ratio of the speeds of two caches. */
  private record Speed(CacheKind cache, CacheKind other, double leastTimes) {}

  private static final List<Speed> SPEEDS =
      List.of(
          new Speed(CacheKind.TERRACE, CacheKind.BUCKET_OFFHEAP, 10),
          new Speed(CacheKind.TERRACE, CacheKind.FLOOR, 0.3),
          new Speed(CacheKind.TERRACE, CacheKind.LRU, 1),
          new Speed(CacheKind.TERRACE_MANY_FILES, CacheKind.TERRACE, 0.7),
          new Speed(CacheKind.TERRACE_PMEM, CacheKind.BUCKET_PMEM, 4),
          new Speed(CacheKind.TERRACE_SSD, CacheKind.BUCKET_FILE, 1.3),
          new Speed(CacheKind.TERRACE_SSD_NOVERIFY, CacheKind.BUCKET_FILE, 1.8));

  private static final Map<CacheKind, Integer> GARBAGE_BYTES_BELOW =
      Map.of(CacheKind.TERRACE, 1, CacheKind.TERRACE_SSD, 2048);

  @Option(
      names = "--caches",
      split = ",",
      paramLabel = "CACHE",
      description =
          "floor, pread, lru, tinylfu, bucket-offheap, bucket-file, bucket-file-pooled,"
              + " bucket-pmem, terrace, terrace-many-files, terrace-all, terrace-pmem, terrace-ssd,"
              + " terrace-ssd-noverify, terrace-pmem-encrypted, terrace-ssd-encrypted"
              + " (default: all).")
  private List<CacheKind> caches = List.of(CacheKind.values());

  @Option(
      names = "--block-sizes",
      split = ",",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "4k, 64k, 256k or others (default: 64k).")
  private List<ByteSize> blockSizes = List.of(new ByteSize(64 << 10));

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      description = "1, 2 or more (default: 1,2).")
  private List<Integer> threads = List.of(1, 2);

  @Option(
      names = "--no-latency",
      description = "Leaves out the time of single operations, which takes one fork a case more.")
  private boolean noLatency;

  HitCommand() {
    super(
        "Hits",
        "The caches alone, without a server: operations a second of all threads together. A hit"
            + " looks a block up and gives it back; keys follow Zipf's law. The floor is the least that has to be done, a"
            + " bare map of the same blocks, or a bare read of a file: no cache can be faster. Heap"
            + " and index bytes a block: bench memory.",
        new Iterations(6, 3),
        new Iterations(4, 2),
        1000);
  }

  @Override
  protected void checkOptions() {
    super.checkOptions();
    threads.forEach(count -> requireRange("--threads", count, 1, 9_999));
    for (ByteSize size : blockSizes) {
      require(
          size.bytes() >= LEAST_BLOCK_SIZE_BYTES && size.bytes() <= MOST_BLOCK_SIZE_BYTES,
          "--block-sizes=" + size + ": must be from 1k to 4m");
    }
  }

  /** The cases, and behind them the clock and the same cases timed. */
  @Override
  List<BenchmarkCase> cases() {
    Set<BenchmarkCase> hits = new LinkedHashSet<>();
    for (ByteSize blockSize : blockSizes) {
      for (int count : threads) {
        for (CacheKind cache : caches) {
          hits.add(BenchmarkCase.hit(cache, (int) blockSize.bytes(), count));
        }
      }
    }
    List<BenchmarkCase> all = new ArrayList<>(hits);
    if (!noLatency) {
      threads.stream().distinct().map(BenchmarkCase::clock).forEach(all::add);
      hits.stream().map(BenchmarkCase::timed).forEach(all::add);
    }
    return all;
  }

  @Override
  void report(Map<BenchmarkCase, Figures> figures, Result result) {
    tables(figures).forEach(result::add);
    headline(figures).ifPresent(result::add);
    result.addTargets(targets(figures));
  }

  /** The ratio of the speeds to another cache; NaN if that one was not measured. */
  static double timesAsFast(
      Map<BenchmarkCase, Figures> figures, BenchmarkCase measured, CacheKind other) {
    Figures of = figures.get(measured);
    Figures compared = figures.get(measured.in(other));
    return of == null || compared == null
        ? Double.NaN
        : of.score().median() / compared.score().median();
  }

  /** A table of speeds and, if single hits were timed, one of latencies. */
  static List<Table> tables(Map<BenchmarkCase, Figures> figures) {
    return Stream.of(speeds(figures), latencies(figures))
        .filter(table -> !table.isEmpty())
        .toList();
  }

  private static Stream<BenchmarkCase> hits(Map<BenchmarkCase, Figures> figures, boolean timed) {
    return figures.keySet().stream()
        .filter(each -> each.operation() == Operation.HIT && each.isTimed() == timed);
  }

  /** One line a case, compared with the BucketCache that keeps blocks in the same kind of place. */
  private static Table speeds(Map<BenchmarkCase, Figures> figures) {
    Table table =
        Table.of(
            Operation.HIT.heading(),
            Column.texts("block", "threads", "cache"),
            List.of(
                Column.of("opsPerSecond", "ops/s", Unit.SCALED)
                    .moreIsBetter()
                    .with(Column.Spread.HALF_RANGE),
                Column.of("bytesPerHit", "bytes a hit", Unit.FEW_BYTES),
                Column.of("ofFloor", "of the floor", Unit.TIMES),
                Column.of("timesBucketCache", "× BucketCache", Unit.TIMES)));
    hits(figures, false)
        .forEach(
            each -> {
              CacheKind cache = each.cache().orElseThrow();
              Figures measured = figures.get(each);
              table.rowIn(
                  cache.look(),
                  cache.bucketCacheBeside().toString(),
                  each.blockText(),
                  each.threadsText(),
                  cache.title(),
                  measured.score(),
                  measured.garbageBytes(),
                  timesAsFast(figures, each, cache.floorBeside()),
                  timesAsFast(figures, each, cache.bucketCacheBeside()));
            });
    return table.bars(Operation.HIT.heading(), "opsPerSecond");
  }

  /** The times of single hits, one line a case, the clock first. */
  private static Table latencies(Map<BenchmarkCase, Figures> figures) {
    Table table =
        Table.of(
            "The time of a single hit, of a sample, with the clock's own cost",
            Column.texts("block", "threads", "cache"),
            LatencyNanos.columns("latency", ""));
    Set<BenchmarkCase> settings = new HashSet<>();
    hits(figures, true)
        .forEach(
            each -> {
              CacheKind cache = each.cache().orElseThrow();
              Figures clock = figures.get(BenchmarkCase.clock(each.threads()));
              if (clock != null && settings.add(each.in(CacheKind.FLOOR))) {
                addLatency(table, Look.BOUND, each, "nothing (the clock alone)", clock);
              }
              addLatency(table, cache.look(), each, cache.title(), figures.get(each));
            });
    return table.bars("The time of a single hit", "latencyP99", "latencyP999");
  }

  private static void addLatency(
      Table table, Look look, BenchmarkCase each, String cache, Figures measured) {
    LatencyNanos latency = measured.latency().orElseThrow();
    table.row(look, each.blockText(), each.threadsText(), cache, latency.cells());
  }

  /** The promises of hits of 64 KB blocks. */
  static List<Target> targets(Map<BenchmarkCase, Figures> figures) {
    List<Target> targets = new ArrayList<>();
    hits(figures, false)
        .filter(each -> each.blockSizeBytes() == PROMISED_BLOCK_SIZE_BYTES)
        .filter(each -> each.threads() <= MOST_PROMISED_THREADS)
        .forEach(
            each -> {
              SPEEDS.stream()
                  .filter(speed -> each.cache().equals(Optional.of(speed.cache())))
                  .forEach(speed -> speed(figures, each, speed).ifPresent(targets::add));
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

  /** The promise of a speed; empty if the other cache was not measured. */
  private static Optional<Target> speed(
      Map<BenchmarkCase, Figures> figures, BenchmarkCase each, Speed speed) {
    double times = timesAsFast(figures, each, speed.other());
    return Double.isNaN(times)
        ? Optional.empty()
        : Optional.of(
            Target.of(
                times >= speed.leastTimes(),
                "%s: %.2f times %s, at least %s",
                each.title(),
                times,
                speed.other().title(),
                speed.leastTimes()));
  }

  /** The least of the ratios to BucketCache, for the first of Terrace's configurations. */
  static Optional<Headline> headline(Map<BenchmarkCase, Figures> figures) {
    ToDoubleFunction<BenchmarkCase> times =
        each -> timesAsFast(figures, each, each.cache().orElseThrow().bucketCacheBeside());
    List<BenchmarkCase> compared =
        hits(figures, false)
            .filter(each -> each.cache().orElseThrow().look() == Look.TERRACE)
            .filter(each -> !Double.isNaN(times.applyAsDouble(each)))
            .toList();
    return compared.stream()
        .filter(each -> each.cache().equals(compared.get(0).cache()))
        .min(Comparator.comparingDouble(times))
        .map(
            least ->
                new Headline(
                    HEADLINE_RANK,
                    Unit.TIMES.format(times.applyAsDouble(least)),
                    String.format(
                        Locale.ROOT,
                        "the hits a second of %s: %s (%s)",
                        least.cache().orElseThrow().bucketCacheBeside().title(),
                        least.cache().orElseThrow().title(),
                        least.setting())));
  }
}
