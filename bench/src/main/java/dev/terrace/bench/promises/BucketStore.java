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
package dev.terrace.bench.promises;

import dev.terrace.bench.workload.BlockSet;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;

/** BucketCache; in a file its map is written at the end and read at the start. */
final class BucketStore implements Store {

  private static final int BUCKET_STEP_BYTES = 256;
  private static final int LARGEST_BUCKET_BYTES = 513 << 10;
  private static final int USUAL_BLOCK_BYTES = 64 << 10;
  private static final long QUEUE_WAIT_MILLIS = 60_000;

  private final BlockSet blocks;
  private final boolean hasMap;
  private final BucketCache cache;

  /**
   * Opens it.
   *
   * @param engine HBase's name of where its blocks are
   * @param map where its map is kept; null if it is not
   */
  BucketStore(String engine, String map, BlockSet blocks) throws IOException {
    this.blocks = blocks;
    this.hasMap = map != null;
    int needed = blocks.payloadBytes(0);
    int bucket = (needed + BUCKET_STEP_BYTES - 1) / BUCKET_STEP_BYTES * BUCKET_STEP_BYTES;
    Configuration configuration = HBaseConfiguration.create();
    configuration.setLong(BucketCache.QUEUE_ADDITION_WAIT_TIME, QUEUE_WAIT_MILLIS);
    this.cache =
        new BucketCache(
            engine,
            // It evicts when it is 95 % full.
            (long) blocks.size() * bucket * 5 / 4 + 32L * LARGEST_BUCKET_BYTES,
            USUAL_BLOCK_BYTES,
            new int[] {bucket, LARGEST_BUCKET_BYTES},
            BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_THREADS,
            BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_QUEUE,
            map,
            BucketCache.DEFAULT_ERROR_TOLERATION_DURATION,
            configuration);
  }

  private BlockCacheKey key(int block) {
    return new BlockCacheKey(blocks.file(block), blocks.offset(block), true, BlockType.DATA);
  }

  @Override
  public void put(int block) {
    HFileBlock made = blocks.newBlock(block);
    cache.cacheBlock(key(block), made, false, true);
    made.release();
  }

  @Override
  public boolean hit(int block) {
    return blocks.isHit(block, cache.getBlock(key(block), true, false, true));
  }

  @Override
  public long blocks() {
    return cache.getBackingMap().size();
  }

  @Override
  public boolean isRecovered() {
    return !hasMap || cache.getBackingMapValidated().get();
  }

  @Override
  public long indexOffHeapBytes() {
    return 0;
  }

  @Override
  public void stop() {
    cache.shutdown();
  }
}
