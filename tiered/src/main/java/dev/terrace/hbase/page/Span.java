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
package dev.terrace.hbase.page;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierStats;
import dev.terrace.tiered.MoveStats;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** What became of the counters from one moment to another. */
record Span(Moment from, Moment to) {

  /**
   * The counters at a moment.
   *
   * @param tiers by name, the highest first
   */
  record Moment(Instant at, Map<String, TierStats> tiers, List<MoveStats> moves) {

    /** Whether it is older than a time before another one. */
    boolean isBefore(Moment other, Duration time) {
      return Duration.between(at, other.at).compareTo(time) > 0;
    }
  }

  double seconds() {
    return Math.max(1, Duration.between(from.at, to.at).toMillis() / 1e3);
  }

  /** By how much a counter of a tier grew. */
  long grown(String tier, ToLongFunction<TierStats> counter) {
    TierStats before = from.tiers.get(tier);
    TierStats now = to.tiers.get(tier);
    long grown = now == null ? 0 : counter.applyAsLong(now);
    return Math.max(0, before == null ? grown : grown - counter.applyAsLong(before));
  }

  /** By how much a counter by kind grew for some kinds together. */
  <E extends Enum<E>> long grown(
      String tier, Function<TierStats.Events, Map<E, Long>> counters, List<E> kinds) {
    return kinds.stream()
        .mapToLong(
            kind -> grown(tier, stats -> counters.apply(stats.events()).getOrDefault(kind, 0L)))
        .sum();
  }

  long hits(String tier) {
    return grown(tier, stats -> stats.reads().hits().counted());
  }

  private long misses(String tier) {
    return grown(tier, stats -> stats.reads().misses());
  }

  private long hits() {
    return to.tiers.keySet().stream().mapToLong(this::hits).sum();
  }

  /** Lookups in all tiers together. The highest tier sees each. */
  long lookups() {
    return to.tiers.keySet().stream()
        .findFirst()
        .map(highest -> Math.max(hits(highest) + misses(highest), hits()))
        .orElse(0L);
  }

  /** Hits of a tier in its own lookups; NaN without one. */
  double hitRatio(String tier) {
    double hits = hits(tier);
    return hits / (hits + misses(tier));
  }

  /** Hits of all tiers in all lookups; NaN without one. */
  double hitRatio() {
    return (double) hits() / lookups();
  }

  /** Hits of a tier in all lookups; NaN without one. */
  double share(String tier) {
    return (double) hits(tier) / lookups();
  }

  /** The mean time of a hit, of the tiers whose time was measured; NaN without one. */
  double hitNanos() {
    double nanos = 0;
    double hits = 0;
    for (Map.Entry<String, TierStats> tier : to.tiers.entrySet()) {
      double mean = tier.getValue().reads().hitNanos().mean();
      if (!Double.isNaN(mean)) {
        nanos += mean * hits(tier.getKey());
        hits += hits(tier.getKey());
      }
    }
    return nanos / hits;
  }

  /** Bytes a second that moved on some ways between tiers. */
  long movedBytes(Predicate<MoveStats> ways) {
    return Math.round(Math.max(0, sum(to, ways) - sum(from, ways)) / seconds());
  }

  private static long sum(Moment moment, Predicate<MoveStats> ways) {
    return moment.moves.stream().filter(ways).mapToLong(MoveStats::bytes).sum();
  }

  /** The mean time of an operation of a path; NaN without one. */
  double nanos(String tier, PathStats path, Function<PathStats, PathStats.Times> operation) {
    PathStats.Times now = operation.apply(path);
    PathStats.Times before =
        Optional.ofNullable(from.tiers.get(tier)).map(TierStats::paths).orElse(List.of()).stream()
            .filter(same -> same.path().equals(path.path()))
            .findFirst()
            .map(operation)
            .orElse(new PathStats.Times(0, 0));
    return (double) (now.nanos() - before.nanos()) / (now.count() - before.count());
  }
}
