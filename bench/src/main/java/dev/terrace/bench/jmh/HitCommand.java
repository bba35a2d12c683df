// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code terrace bench hit}: hits of caches, with {@link HitBenchmark}. */
@Command(
    name = "hit",
    mixinStandardHelpOptions = true,
    description = "Hits of Terrace and of HBase's own caches: speed, garbage and latency.",
    footer = {
      "",
      JmhBenchmark.JMH_OPTIONS,
      "-p blockSize=4096,65536 has blocks of other sizes. Caches: LRU, BUCKET_OFFHEAP, BUCKET_FILE,"
          + " BUCKET_PMEM, TERRACE, TERRACE_MANY_FILES, TERRACE_PMEM, TERRACE_SSD,"
          + " TERRACE_SSD_NOVERIFY (default: all), and their floors; threads: 1, then 2."
    })
public final class HitCommand extends JmhBenchmark {

  private static final String HEADING =
      "Hits: one getBlock and one release of a block that is resident";
  private static final int PROMISED_BLOCK_SIZE_BYTES = 64 << 10;
  private static final int MAX_PROMISED_THREADS = 2;

  /** A promise: the least speedup over another cache, or over a cache's own floor. */
  private record Speed(CacheKind cache, CacheKind other, double minTimes) {}

  private static final List<Speed> SPEEDS =
      List.of(
          new Speed(CacheKind.TERRACE, CacheKind.BUCKET_OFFHEAP, 6),
          new Speed(CacheKind.TERRACE, null, 0.25),
          new Speed(CacheKind.TERRACE, CacheKind.LRU, 0.8),
          new Speed(CacheKind.TERRACE_MANY_FILES, CacheKind.TERRACE, 0.7),
          new Speed(CacheKind.TERRACE_PMEM, CacheKind.BUCKET_PMEM, 4),
          new Speed(CacheKind.TERRACE_SSD, CacheKind.BUCKET_FILE, 1.3),
          new Speed(CacheKind.TERRACE_SSD_NOVERIFY, CacheKind.BUCKET_FILE, 1.8));

  private static final Map<CacheKind, Integer> GARBAGE_BYTES_BELOW =
      Map.of(CacheKind.TERRACE, 1, CacheKind.TERRACE_SSD, 1024);

  public HitCommand() {
    super(
        HitBenchmark.class,
        List.of(1, 2),
        List.of(CacheKind.values()),
        CacheKind::floorBeside,
        "Hits",
        "The caches alone, without a server: operations a second of all threads together. A hit"
            + " looks a block up and gives it back; keys follow Zipf's law. The floor is the least"
            + " that has to be done, a bare map of the same blocks, or a bare read of a file: no"
            + " cache can be faster. Heap and index bytes a block: bench guard --only memory.");
  }

  /** The speedup over another cache, or over the floor; NaN if that was not measured. */
  static double timesAsFast(
      Map<Scores.Case, Scores> scores, Scores.Case measured, Optional<CacheKind> other) {
    String floor = measured.cache().map(CacheKind::floorBeside).orElse("");
    String method = other.isPresent() ? "hit" : floor;
    Scores compared =
        scores.get(new Scores.Case(method, other, measured.blockSizeBytes(), measured.threads()));
    return compared == null
        ? Double.NaN
        : scores.get(measured).score().median() / compared.score().median();
  }

  /** One line for each case, compared with the BucketCache in the same kind of place. */
  @Override
  Table table(Map<Scores.Case, Scores> scores) {
    Table table =
        Table.of(
            HEADING,
            Column.texts("block", "threads", "cache"),
            List.of(
                Column.of("opsPerSecond", "ops/s", Unit.SCALED),
                Column.of("bytesPerHit", "bytes a hit", Unit.FEW_BYTES),
                Column.of("ofFloor", "of the floor", Unit.TIMES),
                Column.of("timesBucketCache", "× BucketCache", Unit.TIMES)));
    scores.forEach(
        (each, measured) -> {
          Optional<CacheKind> beside = each.cache().map(CacheKind::bucketCacheBeside);
          table.row(
              each.cache().map(CacheKind::look).orElse(Look.BOUND),
              each.blockText(),
              each.threadsText(),
              each.title(),
              measured.score(),
              measured.garbageBytes(),
              each.cache().map(cache -> timesAsFast(scores, each, Optional.empty())),
              beside.map(cache -> timesAsFast(scores, each, beside)));
        });
    return table.bars(HEADING, "opsPerSecond");
  }

  /** The promises for hits of 64 KB blocks. */
  @Override
  List<Target> targets(Map<Scores.Case, Scores> scores) {
    List<Target> targets = new ArrayList<>();
    for (Scores.Case each : scores.keySet()) {
      if (each.cache().isEmpty()
          || each.blockSizeBytes() != PROMISED_BLOCK_SIZE_BYTES
          || each.threads() > MAX_PROMISED_THREADS) {
        continue;
      }
      for (Speed speed : SPEEDS) {
        double times = timesAsFast(scores, each, Optional.ofNullable(speed.other()));
        if (each.cache().get() == speed.cache() && !Double.isNaN(times)) {
          targets.add(
              Target.of(
                  times >= speed.minTimes(),
                  "%s: %.2f times %s, at least %s",
                  each.title(),
                  times,
                  speed.other() == null ? "the floor" : speed.other().title(),
                  speed.minTimes()));
        }
      }
      Integer most = GARBAGE_BYTES_BELOW.get(each.cache().get());
      if (most != null) {
        double bytes = scores.get(each).garbageBytes().median();
        targets.add(
            Target.of(
                bytes < most, "%s: %.2f bytes of garbage a hit, less than %d", each, bytes, most));
      }
    }
    return targets;
  }
}
