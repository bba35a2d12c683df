// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.promises.Churn.Traffic;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

public record ChurnPart(int seconds) implements Part {

  private static final double LEAST_PAYLOAD_SHARE = 0.93;
  private static final double MOST_DIRECT_SHARE = 1.02;
  private static final ByteSize SIZE = ByteSize.ofMebibytes(1024);
  private static final int THREADS = 2;

  @Override
  public void measure(Result result, Consumer<String> console)
      throws IOException, InterruptedException {
    Traffic.Seen terrace = run(CacheKind.TERRACE, console);
    Traffic.Seen bucketCache = run(CacheKind.BUCKET_OFFHEAP, console);
    result
        .setting("churnSeconds", seconds)
        .add(table(List.of(terrace, bucketCache)))
        .addTargets(targets(terrace, bucketCache));
  }

  private Traffic.Seen run(CacheKind cache, Consumer<String> console)
      throws IOException, InterruptedException {
    console.accept(
        String.format(
            "%s: %s, %d threads; first %d times that is put, and then %d s count",
            cache.title(), SIZE, THREADS, Churn.WARMUP_PER_CAPACITY, seconds));
    // Well above the capacity: a cache that takes too much is to be seen, not stopped.
    String direct = "-XX:MaxDirectMemorySize=" + 2 * SIZE.bytes();
    return OwnJvm.run(new Churn(cache, SIZE.bytes(), seconds, THREADS), Traffic.Seen.class, direct);
  }

  /** One line a cache. */
  static Table table(List<Traffic.Seen> results) {
    Table table =
        new Table(
            "Payload, memory and hits, while blocks of 4 KB to 1 MB come and go",
            Column.text("cache"),
            Column.of("payloadLeast", "payload, least", Unit.SHARE),
            Column.of("payloadShare", "payload, median", Unit.SHARE),
            Column.of("directShareMost", "direct memory, most", Unit.SHARE),
            Column.of("blocksMedian", "blocks", Unit.COUNT),
            Column.of("hitRatio", "hits", Unit.SHARE),
            Column.of("getsPerSecond", "gets/s", Unit.COUNT),
            Column.of("putsPerSecond", "puts/s", Unit.COUNT),
            Column.of("refusedShare", "puts refused", Unit.SHARE));
    for (Traffic.Seen result : results) {
      table.row(
          result.cache().look(),
          result.cache().title(),
          result.payloadShare().min(),
          result.payloadShare(),
          result.directShareMost(),
          result.blocks(),
          result.hitRatio(),
          result.getsPerSecond(),
          result.putsPerSecond(),
          result.refusedShare());
    }
    return table.bars("Bytes of blocks that the configured bytes hold", "payloadShare");
  }

  /** The promises of memory, some of them relative to BucketCache. */
  static List<Target> targets(Traffic.Seen terrace, Traffic.Seen bucketCache) {
    double least = terrace.payloadShare().min();
    double other = bucketCache.payloadShare().median();
    return List.of(
        Target.of(
            least >= LEAST_PAYLOAD_SHARE,
            "payload never below %.1f %% of the configured bytes, at least %.0f %%",
            100 * least,
            100 * LEAST_PAYLOAD_SHARE),
        Target.of(
            terrace.directShareMost() <= MOST_DIRECT_SHARE,
            "direct memory never above %.1f %% of the configured bytes, at most %.0f %%",
            100 * terrace.directShareMost(),
            100 * MOST_DIRECT_SHARE),
        Target.of(
            least > other,
            "payload never below %.1f %%, more than BucketCache offheap's median of %.1f %%",
            100 * least,
            100 * other));
  }
}
