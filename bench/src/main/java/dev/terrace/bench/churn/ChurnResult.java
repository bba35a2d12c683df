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

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import java.util.List;

/**
 * What a run of churn showed.
 *
 * @param cache which cache
 * @param capacityBytes the bytes it was configured with
 * @param payloadShare the bytes of resident blocks in parts of the capacity, once a second
 * @param directBytesMost the most direct memory that the process had
 * @param blocks how many blocks were resident, once a second
 * @param getsPerSecond lookups
 * @param putsPerSecond puts, one after each miss
 * @param hitRatio the share of lookups that hit
 * @param refusedShare the share of puts that the cache says it refused or dropped
 */
record ChurnResult(
    CacheKind cache,
    long capacityBytes,
    Summary payloadShare,
    long directBytesMost,
    Summary blocks,
    double getsPerSecond,
    double putsPerSecond,
    double hitRatio,
    double refusedShare) {
  private static final double LEAST_PAYLOAD_SHARE = 0.93;
  private static final double MOST_DIRECT_SHARE = 1.02;

  private double directShareMost() {
    return (double) directBytesMost / capacityBytes;
  }

  /** One line a cache. */
  static Table table(List<ChurnResult> results) {
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
    for (ChurnResult result : results) {
      table.row(
          result.cache.look(),
          result.cache.title(),
          result.payloadShare.min(),
          result.payloadShare,
          result.directShareMost(),
          result.blocks,
          result.hitRatio,
          result.getsPerSecond,
          result.putsPerSecond,
          result.refusedShare);
    }
    return table
        .bars("Bytes of blocks that the configured bytes hold", "payloadShare")
        .bars("Hits, with the same configured bytes", "hitRatio");
  }

  /** What Terrace promises of memory, beside BucketCache. */
  static List<Target> targets(ChurnResult terrace, ChurnResult bucketCache) {
    double least = terrace.payloadShare.min();
    double other = bucketCache.payloadShare.median();
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
