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

import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.TextTable;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The results of some caches, as a table and against what Terrace promises. */
final class ChurnReport {

  private static final double LEAST_PAYLOAD_SHARE = 0.93;
  private static final double MOST_DIRECT_SHARE = 1.02;

  private final List<ChurnResult> results;

  ChurnReport(List<ChurnResult> results) {
    this.results = List.copyOf(results);
  }

  List<ChurnResult> results() {
    return results;
  }

  /** One line a cache. */
  String table() {
    TextTable table =
        new TextTable(
            1,
            "cache",
            "payload, least",
            "payload, median",
            "direct memory, most",
            "blocks",
            "hits",
            "gets/s",
            "puts/s",
            "puts refused");
    for (ChurnResult result : results) {
      table.add(
          CacheKind.ofLabel(result.cache()).title(),
          percent(result.payloadShare().min()),
          percent(result.payloadShare().median()),
          percent(result.directShareMost()),
          count((double) result.blocksMedian()),
          percent(result.hitRatio()),
          count(result.getsPerSecond()),
          count(result.putsPerSecond()),
          String.format(Locale.ROOT, "%.2f %%", 100 * result.refusedShare()));
    }
    return table.toString();
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

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static String count(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }
}
