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
package dev.terrace.hbase.status;

import dev.terrace.api.HitRecorder;
import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.tiered.TieredCache;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Hits by column family and tier, and misses, since the start. Thread-safe.
 *
 * <p>Misses are counted. Hits are estimated from one in {@link HitRecorder#HITS_A_SAMPLE}, so that
 * a hit costs nothing more: of a family with 100,000 hits the estimate is off by a tenth, of one
 * with 10,000 hits by a third.
 */
public final class FamilyLookups {

  /** Bounds the memory. Further families count together. */
  static final int MOST_FAMILIES = 1_000;

  private static final Family UNKNOWN = new Family("unknown", "unknown");
  private static final Family OTHERS = new Family("others", "others");
  private static final String MISSES = "misses";

  private final KnownFiles known;
  private final Map<Family, Counts> counts = new ConcurrentHashMap<>();
  private volatile boolean hadUnknown;

  private record Family(String table, String name) {

    @Override
    public String toString() {
      return table + " " + name;
    }
  }

  private static final class Counts {

    private final Map<String, LongAdder> sampledHits = new ConcurrentHashMap<>();
    private final LongAdder misses = new LongAdder();
  }

  /** Counts the hits of a cache that is not yet in use. */
  public FamilyLookups(TieredCache<?> tiers, KnownFiles known) {
    this.known = known;
    tiers.sampleHitsTo(
        tier ->
            file ->
                of(file).sampledHits.computeIfAbsent(tier, name -> new LongAdder()).increment());
  }

  /** Counts a miss in all tiers. */
  public void miss(String file) {
    of(file).misses.increment();
  }

  private Counts of(String file) {
    String table = known.table(file);
    String family = known.family(file);
    if (table == null || family == null) {
      hadUnknown = true;
      return of(UNKNOWN);
    }
    return of(new Family(table, family));
  }

  private Counts of(Family family) {
    Counts present = counts.get(family);
    if (present != null) {
      return present;
    }
    Family counted = counts.size() < MOST_FAMILIES ? family : OTHERS;
    return counts.computeIfAbsent(counted, added -> new Counts());
  }

  /** Learns the families of files that were unknown. To be called every few seconds. */
  public void learn() {
    if (hadUnknown) {
      hadUnknown = false;
      known.learnOpenFiles();
    }
  }

  /** The hits by tier, and the misses, by {@code "namespace:table family"}. */
  Map<String, Map<String, Long>> byFamily() {
    return sums(Family::toString);
  }

  /** The same by {@code "namespace:table"}. */
  Map<String, Map<String, Long>> byTable() {
    return sums(Family::table);
  }

  private Map<String, Map<String, Long>> sums(Function<Family, String> group) {
    Map<String, Map<String, Long>> sums = new TreeMap<>();
    counts.forEach(
        (family, of) -> {
          Map<String, Long> sum =
              sums.computeIfAbsent(group.apply(family), name -> new LinkedHashMap<>());
          of.sampledHits.forEach(
              (tier, hits) -> sum.merge(tier, hits.sum() * HitRecorder.HITS_A_SAMPLE, Long::sum));
          sum.merge(MISSES, of.misses.sum(), Long::sum);
        });
    return sums;
  }
}
