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
package dev.terrace.hbase.blocks;

import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * Gives HBase's pool the buffers back that its file writer forgets. It makes a copy of each block
 * that it is to cache, in buffers of the pool, and does not release two kinds of them, at least up
 * to 2.6: those that the cache does not want when it is asked, and the levels of an index between
 * its leaves and its root. Thread-safe; a writer hands a file's blocks over on one thread.
 */
@SuppressWarnings("ThreadLocalUsage") // caches share nothing
public final class WrittenBlocks {

  private final ThreadLocal<BlockCacheKey> unwanted = new ThreadLocal<>();
  private final ThreadLocal<Cacheable> forgotten = new ThreadLocal<>();

  /**
   * The block that the calling thread hands over next is not to be cached. To be told to HBase as
   * one that is.
   */
  public void refuseNext(BlockCacheKey key) {
    unwanted.set(key);
  }

  /** Whether a block that the calling thread hands over is not to be cached. */
  public boolean isRefused(BlockCacheKey key) {
    BlockCacheKey refused = unwanted.get();
    if (refused == null) {
      return false;
    }
    unwanted.remove();
    return refused.equals(key);
  }

  /**
   * The calling thread has handed over a block of an index's upper levels. Releases the one before
   * it if the writer did not: after its last one it hands over the root.
   */
  public void indexHandedOver(Cacheable block) {
    Cacheable before = forgotten.get();
    if (before != null) {
      forgotten.remove();
      if (before != block && before.refCnt() > 0) {
        before.release();
      }
    }
    if (block.getBlockType() == BlockType.INTERMEDIATE_INDEX) {
      forgotten.set(block);
    }
  }
}
