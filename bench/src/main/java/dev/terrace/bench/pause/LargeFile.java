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
package dev.terrace.bench.pause;

import dev.terrace.bench.workload.Await;
import dev.terrace.bench.workload.BlockSet;
import java.time.Duration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/** One file with very many blocks. */
final class LargeFile {

  private static final String NAME = "1a46ef11e0000000000000000000000f";
  private static final Duration FILL_LIMIT = Duration.ofMinutes(2);
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(5);

  /** A cache may be short of room for a few; all must be there for the times to be of all. */
  private static final double LEAST_EVICTED_SHARE = 0.95;

  private final BlockCache cache;
  private final BlockCacheKey[] keys;
  private final HFileBlock block;

  /**
   * A file of which nothing is cached.
   *
   * @param blocks how many it has
   */
  LargeFile(BlockCache cache, int blocks, int blockSizeBytes) {
    this.cache = cache;
    BlockSet set = BlockSet.ofOneSize(2, blockSizeBytes);
    this.block = set.newBlock(0);
    this.keys = new BlockCacheKey[blocks];
    for (int i = 0; i < blocks; i++) {
      keys[i] = new BlockCacheKey(NAME, i * set.offset(1), true, BlockType.DATA);
    }
  }

  /**
   * Puts all blocks, again where they were dropped.
   *
   * @throws IllegalStateException if some cannot be made resident
   */
  void fill() {
    long expected = cache.getBlockCount() + keys.length;
    if (!Await.until(() -> putMissing() == 0, FILL_LIMIT)) {
      throw new IllegalStateException(
          "not all of " + keys.length + " blocks were taken by " + cache + " in time");
    }
    // Queued blocks are still on their way to the cache.
    Await.until(() -> cache.getBlockCount() >= expected, SETTLE_LIMIT);
  }

  private int putMissing() {
    int missing = 0;
    for (BlockCacheKey key : keys) {
      Cacheable resident = cache.getBlock(key, true, true, false);
      if (resident != null) {
        resident.release();
      } else {
        cache.cacheBlock(key, block);
        missing++;
      }
    }
    return missing;
  }

  /**
   * Evicts it.
   *
   * @return how long that took, in milliseconds
   * @throws IllegalStateException if there were too few blocks
   */
  double evict() {
    long start = System.nanoTime();
    int evicted = cache.evictBlocksByHfileName(NAME);
    double millis = (System.nanoTime() - start) / 1e6;
    if (evicted < LEAST_EVICTED_SHARE * keys.length) {
      throw new IllegalStateException(
          "evicted=" + evicted + " blocks of " + keys.length + " from " + cache);
    }
    return millis;
  }
}
