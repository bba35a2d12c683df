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

import dev.terrace.api.TierStats;
import dev.terrace.hbase.status.StatsPeriods;
import dev.terrace.hbase.status.TerraceCacheStats;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.CacheStats;

/**
 * The statistics of one level. A lookup that a level below answers is a miss of this one. Misses by
 * type of block are known of the whole cache only.
 */
final class LevelStats extends TerraceCacheStats {

  private final CacheStats whole;
  private final CacheStats below;

  /**
   * The statistics of a level.
   *
   * @param whole those of the whole cache
   * @param below those of the level below, if there is one, else without a hit
   */
  LevelStats(
      Supplier<Stream<TierStats>> tiers, StatsPeriods periods, CacheStats whole, CacheStats below) {
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
