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
import dev.terrace.bench.report.Headline;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The results of some caches, as a table and against what Terrace promises. */
final class ChurnReport {

  private static final double LEAST_PAYLOAD_SHARE = 0.93;
  private static final double MOST_DIRECT_SHARE = 1.02;
  private static final int HEADLINE_RANK = 40;

  private final List<ChurnResult> results;

  ChurnReport(List<ChurnResult> results) {
    this.results = List.copyOf(results);
  }

  /** One line a cache. */
  Table table() {
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
      CacheKind cache = CacheKind.ofLabel(result.cache());
      table.row(
          cache.look(),
          cache.title(),
          result.payloadShare().min(),
          result.payloadShare(),
          result.directShareMost(),
          result.blocksMedian(),
          result.hitRatio(),
          result.getsPerSecond(),
          result.putsPerSecond(),
          result.refusedShare());
    }
    return table
        .bars("Bytes of blocks that the configured bytes hold", "payloadShare")
        .bars("Hits, with the same configured bytes", "hitRatio");
  }

  /** The payload beside the other cache's; empty without one. */
  Optional<Headline> headline() {
    Optional<ChurnResult> bucketCache = of(CacheKind.BUCKET_OFFHEAP);
    return of(CacheKind.TERRACE)
        .filter(terrace -> bucketCache.isPresent())
        .map(
            terrace ->
                new Headline(
                    HEADLINE_RANK,
                    Unit.TIMES.format(
                        terrace.payloadShare().median()
                            / bucketCache.get().payloadShare().median()),
                    "the blocks' bytes of BucketCache offheap in the same memory, while blocks of"
                        + " all sizes come and go"));
  }

  /** The promises of memory; empty if Terrace was not measured. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    of(CacheKind.TERRACE)
        .ifPresent(
            terrace -> {
              double payload = terrace.payloadShare().min();
              targets.add(
                  target(
                      payload >= LEAST_PAYLOAD_SHARE,
                      "payload never below %.1f %% of the configured bytes, at least %.0f %%",
                      100 * payload,
                      100 * LEAST_PAYLOAD_SHARE));
              double direct = terrace.directShareMost();
              targets.add(
                  target(
                      direct <= MOST_DIRECT_SHARE,
                      "direct memory never above %.1f %% of the configured bytes, at most %.0f %%",
                      100 * direct,
                      100 * MOST_DIRECT_SHARE));
              of(CacheKind.BUCKET_OFFHEAP)
                  .ifPresent(
                      bucketCache -> {
                        double other = bucketCache.payloadShare().median();
                        targets.add(
                            target(
                                payload > other,
                                "payload never below %.1f %%, more than BucketCache offheap's"
                                    + " median of %.1f %%",
                                100 * payload,
                                100 * other));
                      });
            });
    return targets;
  }

  private Optional<ChurnResult> of(CacheKind cache) {
    return results.stream().filter(result -> result.cache().equals(cache.label())).findFirst();
  }

  private static Target target(boolean met, String format, Object... arguments) {
    return new Target(met, String.format(Locale.ROOT, format, arguments));
  }
}
