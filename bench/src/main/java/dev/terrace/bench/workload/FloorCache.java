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
package dev.terrace.bench.workload;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.hbase.blocks.BlockTypes;
import dev.terrace.hbase.status.ResidentBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;

/**
 * The least that a shared off-heap cache can do on a hit: one lookup in a {@link ConcurrentHashMap}
 * and one retain. It keeps whatever fits and nothing else: no policy, no statistics, and the memory
 * of an evicted block is not used again. The floor that real caches are compared with.
 */
class FloorCache implements BlockCache {

  private static final int CHUNK_SIZE_BYTES = 64 << 20;

  private static final BlockTraits DATA =
      new BlockTraits(BlockTypes.DATA, BlockTraits.Residency.ORDINARY);

  private final ConcurrentHashMap<BlockCacheKey, Cacheable> blocks;
  private final long capacityBytes;
  private final CacheStats stats = new CacheStats("FloorCache");

  private ByteBuffer chunk = ByteBuffer.allocate(0);
  private long usedBytes;

  FloorCache(long capacityBytes, int expectedBlocks) {
    this.capacityBytes = capacityBytes;
    this.blocks = new ConcurrentHashMap<>(2 * expectedBlocks);
  }

  @Override
  public Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    Cacheable block = blocks.get(key);
    return block == null ? null : block.retain();
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    blocks.computeIfAbsent(key, absent -> copyOf(block));
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    cacheBlock(key, block);
  }

  /** A shared block over direct memory; null, which leaves the key absent, if there is no room. */
  private Cacheable copyOf(Cacheable block) {
    ByteBuffer memory = allocate(block.getSerializedLength());
    if (memory == null) {
      stats.failInsert();
      return null;
    }
    block.serialize(memory, true);
    ByteBuff shared = ByteBuff.wrap(new ByteBuffer[] {memory}, RefCnt.create());
    try {
      return block.getDeserializer().deserialize(shared, ByteBuffAllocator.HEAP);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized ByteBuffer allocate(int sizeBytes) {
    if (usedBytes + sizeBytes > capacityBytes) {
      return null;
    }
    if (chunk.remaining() < sizeBytes) {
      chunk = ByteBuffer.allocateDirect(Math.max(CHUNK_SIZE_BYTES, sizeBytes));
    }
    ByteBuffer memory = chunk.slice(chunk.position(), sizeBytes);
    chunk.position(chunk.position() + sizeBytes);
    usedBytes += sizeBytes;
    return memory;
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    Cacheable block = blocks.remove(key);
    if (block == null) {
      return false;
    }
    block.release();
    return true;
  }

  @Override
  public int evictBlocksByHfileName(String hfileName) {
    int evicted = 0;
    for (BlockCacheKey key : blocks.keySet()) {
      if (key.getHfileName().equals(hfileName) && evictBlock(key)) {
        evicted++;
      }
    }
    return evicted;
  }

  @Override
  public CacheStats getStats() {
    return stats;
  }

  @Override
  public void shutdown() {
    blocks.values().forEach(Cacheable::release);
    blocks.clear();
  }

  @Override
  public long size() {
    return capacityBytes;
  }

  @Override
  public long getMaxSize() {
    return capacityBytes;
  }

  @Override
  public long getFreeSize() {
    return capacityBytes - getCurrentSize();
  }

  @Override
  public synchronized long getCurrentSize() {
    return usedBytes;
  }

  @Override
  public long getCurrentDataSize() {
    return getCurrentSize();
  }

  @Override
  public long getBlockCount() {
    return blocks.mappingCount();
  }

  @Override
  public long getDataBlockCount() {
    return getBlockCount();
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return blocks.entrySet().stream()
        .map(
            entry ->
                (CachedBlock)
                    new ResidentBlock(
                        new BlockInfo(
                            new BlockKey(entry.getKey().getHfileName(), entry.getKey().getOffset()),
                            entry.getValue().getSerializedLength(),
                            DATA,
                            0)))
        .iterator();
  }

  @Override
  public BlockCache[] getBlockCaches() {
    return null;
  }
}
