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
package dev.terrace.bench.churn;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Headline;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code terrace bench churn}: runs {@link Churn} for some caches, each in a JVM of its own. */
@Command(
    name = "churn",
    mixinStandardHelpOptions = true,
    description =
        "Blocks of 4 KB to 1 MB come and go: the payload a cache holds, and the memory it takes.")
public final class ChurnCommand extends Benchmark {

  private static final int HEADLINE_RANK = 40;
  private static final double LEAST_PAYLOAD_SHARE = 0.93;
  private static final double MOST_DIRECT_SHARE = 1.02;
  private static final ByteSize LEAST_SIZE = ByteSize.ofMebibytes(128);

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long each cache runs (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "1g",
      description = "The bytes each cache is configured with (default: ${DEFAULT-VALUE}).")
  private ByteSize size;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads that get and put (default: ${DEFAULT-VALUE}).")
  private int threads;

  ChurnCommand() {
    super(
        "Churn",
        "Blocks of 4 KB to 1 MB, four times as many as fit, are looked up after Zipf's law, and"
            + " each miss is put. Payload is the bytes of the blocks in the cache, in parts of what"
            + " it was configured with, read once a second; the thin line goes from the least to"
            + " the most of the run. Memory that holds no blocks is lost to the size classes of the"
            + " cache.");
  }

  @Override
  protected void checkOptions() {
    requireRange("--seconds", seconds, 1, 86_400);
    requireRange("--threads", threads, 1, 1000);
    require(
        size.bytes() >= LEAST_SIZE.bytes(),
        "--size is "
            + size
            + ", must be at least "
            + LEAST_SIZE
            + ", since BucketCache needs some"
            + " buckets of each size");
  }

  @Override
  protected void measure(Result result) throws IOException, InterruptedException {
    Traffic.Seen terrace = run(CacheKind.TERRACE);
    Traffic.Seen bucketCache = run(CacheKind.BUCKET_OFFHEAP);
    double times = terrace.payloadShare().median() / bucketCache.payloadShare().median();
    result
        .setting("seconds", seconds)
        .setting("sizeBytes", size.bytes())
        .setting("threads", threads)
        .add(table(List.of(terrace, bucketCache)))
        .addTargets(targets(terrace, bucketCache))
        .add(
            new Headline(
                HEADLINE_RANK,
                Unit.TIMES.format(times),
                "the blocks' bytes of BucketCache offheap in the same memory, while blocks of all"
                    + " sizes come and go"));
  }

  private Traffic.Seen run(CacheKind cache) throws IOException, InterruptedException {
    print(
        "%s: %s, %d threads; first %d times that is put, and then %d s count",
        cache.title(), size, threads, Churn.WARMUP_PER_CAPACITY, seconds);
    // Well above the capacity: a cache that takes too much is to be seen, not stopped.
    String direct = "-XX:MaxDirectMemorySize=" + 2 * size.bytes();
    Churn churn = new Churn(cache, size.bytes(), seconds, threads);
    return OwnJvm.run(churn, Traffic.Seen.class, direct);
  }

  /** One line a cache. */
  static Table table(List<Traffic.Seen> results) {
    Table table =
        new Table(
            "Payload, memory and hits",
            Column.text("cache"),
            Column.of("payloadLeast", "payload, least", Unit.SHARE),
            Column.of("payloadShare", "payload, median", Unit.SHARE).moreIsBetter(),
            Column.of("directShareMost", "direct memory, most", Unit.SHARE),
            Column.of("blocksMedian", "blocks", Unit.COUNT),
            Column.of("hitRatio", "hits", Unit.SHARE).moreIsBetter(),
            Column.of("getsPerSecond", "gets/s", Unit.COUNT).moreIsBetter(),
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
    return table
        .bars("Bytes of blocks that the configured bytes hold", "payloadShare")
        .bars("Hits, with the same configured bytes", "hitRatio");
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
