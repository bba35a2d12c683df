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
package dev.terrace.hbase.levels;

import dev.terrace.api.Tier;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.status.StatsPeriods;
import dev.terrace.hbase.status.TerraceCacheStats;
import dev.terrace.tiered.TieredCache;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.TwoLevelStats;

/**
 * The tiers as HBase's two levels: the highest tier is the first, the others are the second.
 * Thread-safe.
 */
public final class Levels {

  private static final CacheStats NO_LEVEL = new CacheStats("none");

  private final Supplier<StatsPeriods> periods;
  private final TerraceCacheStats wholeStats;
  private final TwoLevelStats stats;
  private final FirstLevel first;
  private final SecondLevel second;
  private final CacheLevel whole;
  private final boolean hasSecond;

  /**
   * The levels of a cache.
   *
   * @param tiers of the cache, the highest first; it may have none
   * @param periods makes a window for the statistics
   * @param resize resizes the DRAM tier to a number of bytes, if there is one
   * @param leaving the files whose blocks leave before all others
   */
  public Levels(
      TieredCache<?> cache,
      List<? extends Tier<?>> tiers,
      Supplier<StatsPeriods> periods,
      LongConsumer resize,
      Set<String> leaving,
      LongSupplier nanoClock) {
    this.periods = periods;
    List<? extends Tier<?>> highest = tiers.subList(0, Math.min(1, tiers.size()));
    List<? extends Tier<?>> lower = tiers.subList(highest.size(), tiers.size());
    this.hasSecond = !lower.isEmpty();
    this.wholeStats = new TerraceCacheStats(() -> figures(tiers), periods.get());
    LevelStats secondStats = stats(lower, NO_LEVEL);
    LevelStats firstStats = stats(highest, secondStats);
    this.stats = new TwoLevelStats(wholeStats, firstStats, secondStats);
    Set<String> inFirst = highest.stream().map(Tier::name).collect(Collectors.toSet());
    cache.reportLosses(
        tier -> {
          LevelStats level = inFirst.contains(tier) ? firstStats : secondStats;
          return block -> {
            long ageNanos = nanoClock.getAsLong() - block.putNanos();
            wholeStats.lost(ageNanos);
            level.lost(ageNanos);
          };
        });
    this.whole = new CacheLevel(tiers, stats, leaving, nanoClock);
    this.first = new FirstLevel(highest, firstStats, resize, leaving, nanoClock);
    this.second = new SecondLevel(lower, secondStats, leaving, nanoClock);
  }

  /** Sets the cache that does what the levels are asked for. */
  public void serve(CacheLevel.Whole cache) {
    first.serve(cache);
    second.serve(cache);
  }

  private LevelStats stats(List<? extends Tier<?>> tiers, CacheStats below) {
    return new LevelStats(() -> figures(tiers), periods.get(), wholeStats, below);
  }

  private static Stream<TierStats> figures(List<? extends Tier<?>> tiers) {
    return tiers.stream().map(Tier::stats);
  }

  /** The statistics of the whole cache; those of the levels are in it. */
  public TwoLevelStats stats() {
    return stats;
  }

  public FirstLevel first() {
    return first;
  }

  public SecondLevel second() {
    return second;
  }

  /** The levels that there are. */
  public BlockCache[] all() {
    return hasSecond ? new BlockCache[] {first, second} : new BlockCache[] {first};
  }

  /** The sizes of all tiers together. */
  public CacheLevel whole() {
    return whole;
  }

  /**
   * The statistics of one level. A lookup that a level below answers is a miss of this one. Misses
   * by type of block are known of the whole cache only.
   */
  private static final class LevelStats extends TerraceCacheStats {

    private final CacheStats whole;
    private final CacheStats below;

    /**
     * The statistics of a level.
     *
     * @param whole those of the whole cache
     * @param below those of the level below, if there is one, else without a hit
     */
    LevelStats(
        Supplier<Stream<TierStats>> tiers,
        StatsPeriods periods,
        CacheStats whole,
        CacheStats below) {
      super(tiers, periods);
      this.whole = whole;
      this.below = below;
    }

    @Override
    public long getMissCount() {
      return whole.getMissCount() + below.getHitCount();
    }

    @Override
    public long getPrimaryMissCount() {
      return whole.getPrimaryMissCount() + below.getPrimaryHitCount();
    }

    @Override
    public long getMissCachingCount() {
      return whole.getMissCachingCount() + below.getHitCachingCount();
    }
  }
}
