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
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;

/** The highest tier, which HBase calls L1. */
public final class FirstLevel extends CacheLevel implements FirstLevelBlockCache {

  private final LongConsumer resize;

  FirstLevel(
      List<? extends Tier<?>> highest,
      CacheStats stats,
      LongConsumer resize,
      Set<String> leaving,
      LongSupplier nanoClock) {
    super(highest, stats, leaving, nanoClock);
    this.resize = resize;
  }

  /** Resizes the tier if it is in DRAM and the size is possible. */
  @Override
  public void setMaxSize(long sizeBytes) {
    resize.accept(sizeBytes);
  }

  /** Whether any tier has the block. */
  @Override
  public boolean containsBlock(BlockCacheKey key) {
    return isAlreadyCached(key).orElseThrow();
  }

  /** Does nothing: the tiers move blocks down. */
  @Override
  public void setVictimCache(BlockCache victims) {}
}
