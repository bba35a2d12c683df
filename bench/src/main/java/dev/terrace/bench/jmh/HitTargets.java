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

import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What Terrace promises of a hit of a 64 KB block under Zipf's law, checked in one run. */
final class HitTargets {

  private static final int BLOCK_SIZE_BYTES = 64 << 10;
  private static final int MOST_THREADS = 2;

  private static final double LEAST_TIMES_BUCKET_CACHE = 10;
  private static final double LEAST_OF_FLOOR = 0.3;
  private static final double LEAST_TIMES_LRU = 1;
  private static final double MOST_BYTES_PER_HIT = 1;

  private static final double PMEM_LEAST_TIMES_BUCKET_CACHE = 4;
  private static final double SSD_LEAST_TIMES_BUCKET_CACHE = 1.3;
  private static final double SSD_MOST_BYTES_PER_HIT = 2048;
  private static final double UNVERIFIED_LEAST_TIMES_BUCKET_CACHE = 1.8;

  private HitTargets() {}

  /** The promises that a run can be held to; empty if it did not measure the caches it takes. */
  static List<Target> check(HitReport report) {
    List<Target> targets = new ArrayList<>();
    report
        .figures()
        .forEach(
            (hitCase, measured) -> {
              if (isPromised(hitCase)) {
                check(report, hitCase, measured.bytesPerHit().median(), targets);
              }
            });
    return targets;
  }

  private static void check(
      HitReport report, HitCase hitCase, double bytesPerHit, List<Target> targets) {
    CacheKind bucketCache = hitCase.cache().bucketCacheBeside();
    switch (hitCase.cache()) {
      case TERRACE -> {
        ratio(report, hitCase, bucketCache, LEAST_TIMES_BUCKET_CACHE, targets);
        ratio(report, hitCase, CacheKind.FLOOR, LEAST_OF_FLOOR, targets);
        ratio(report, hitCase, CacheKind.LRU, LEAST_TIMES_LRU, targets);
        garbage(hitCase, bytesPerHit, MOST_BYTES_PER_HIT, targets);
      }
      case TERRACE_PMEM ->
          ratio(report, hitCase, bucketCache, PMEM_LEAST_TIMES_BUCKET_CACHE, targets);
      case TERRACE_SSD -> {
        ratio(report, hitCase, bucketCache, SSD_LEAST_TIMES_BUCKET_CACHE, targets);
        garbage(hitCase, bytesPerHit, SSD_MOST_BYTES_PER_HIT, targets);
      }
      case TERRACE_SSD_NOVERIFY ->
          ratio(report, hitCase, bucketCache, UNVERIFIED_LEAST_TIMES_BUCKET_CACHE, targets);
      default -> {
        // Nothing is promised of the others.
      }
    }
  }

  private static void garbage(
      HitCase hitCase, double bytesPerHit, double most, List<Target> targets) {
    targets.add(
        new Target(
            bytesPerHit < most,
            String.format(
                Locale.ROOT,
                "%s: %.2f bytes of garbage a hit, less than %.0f",
                hitCase.title(),
                bytesPerHit,
                most)));
  }

  private static boolean isPromised(HitCase hitCase) {
    return hitCase.operation() == Operation.HIT
        && hitCase.blockSizeBytes() == BLOCK_SIZE_BYTES
        && hitCase.distribution() == KeyDistribution.ZIPF
        && hitCase.threads() <= MOST_THREADS;
  }

  private static void ratio(
      HitReport report, HitCase hitCase, CacheKind other, double least, List<Target> targets) {
    double times = report.timesAsFast(hitCase, other);
    if (!Double.isNaN(times)) {
      targets.add(
          new Target(
              times >= least,
              String.format(
                  Locale.ROOT,
                  "%s: %.2f times %s, at least %s",
                  hitCase.title(),
                  times,
                  other.title(),
                  least)));
    }
  }
}
