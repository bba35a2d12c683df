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

import dev.terrace.api.BlockInfo;
import dev.terrace.api.Tier;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.files.Memo;
import dev.terrace.hbase.status.BlockUsage;
import dev.terrace.hbase.status.ResidentBlock;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.hbase.io.HeapSize;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;

/**
 * Some tiers as HBase's metrics and pages see a level of the block cache. Sizes, statistics and the
 * list of blocks are those of these tiers. Lookups, puts and evictions are those of the whole
 * cache. Thread-safe.
 */
public class CacheLevel implements BlockCache, HeapSize {

  /** A cache with levels, with what a {@code BlockCache} of HBase 2.5 lacks. */
  public interface Whole extends BlockCache {
    @Override
    Optional<Boolean> isAlreadyCached(BlockCacheKey key);

    @Override
    int evictBlocksRangeByHfileName(String hfileName, long initOffset, long endOffset);
  }

  /** So many are counted in a fraction of a millisecond. */
  private static final int FEW_BLOCKS = 1_000;

  private final List<? extends Tier<?>> tiers;
  private final CacheStats stats;
  private final Memo<BlockUsage> usage;
  private final Memo<Long> leavingBytes;
  private volatile Whole cache;

  /**
   * A level of some tiers.
   *
   * @param leaving the files whose blocks leave before all others
   */
  CacheLevel(
      List<? extends Tier<?>> tiers,
      CacheStats stats,
      Set<String> leaving,
      LongSupplier nanoClock) {
    this.tiers = tiers;
    this.stats = stats;
    this.usage = new Memo<>(() -> BlockUsage.estimate(tiers), nanoClock);
    this.leavingBytes = new Memo<>(() -> bytesOf(leaving), nanoClock);
  }

  private long bytesOf(Set<String> files) {
    return tiers.stream()
        .mapToLong(tier -> files.stream().mapToLong(file -> tier.usage(file).payloadBytes()).sum())
        .sum();
  }

  /** The cache whose level this is. To be called before any other method. */
  void serve(Whole itsCache) {
    cache = itsCache;
  }

  // ---- Sizes ----

  private long sum(ToLongFunction<TierStats> value) {
    return tiers.stream().map(Tier::stats).mapToLong(value).sum();
  }

  /** The blocks as they are now if they are few, else as they were a moment ago. */
  private BlockUsage usage() {
    return sum(stats -> stats.space().blocks()) <= FEW_BLOCKS
        ? BlockUsage.estimate(tiers)
        : usage.get();
  }

  @Override
  public long size() {
    return getMaxSize();
  }

  @Override
  public long getMaxSize() {
    return sum(stats -> stats.space().capacityBytes());
  }

  /** Free bytes: neither resident nor leased, or of blocks that leave before all others. */
  @Override
  public long getFreeSize() {
    long free = sum(tier -> Math.max(0, tier.space().capacityBytes() - tier.takenBytes()));
    return Math.min(getMaxSize(), free + leavingBytes.get());
  }

  @Override
  public long getCurrentSize() {
    return sum(stats -> stats.space().usedBytes());
  }

  @Override
  public long getCurrentDataSize() {
    return usage().dataBytes();
  }

  /** Blocks in more than one tier count once. */
  @Override
  public long getBlockCount() {
    return usage().blocks();
  }

  @Override
  public long getDataBlockCount() {
    return usage().dataBlocks();
  }

  /** The Java heap that the bookkeeping takes; the blocks are elsewhere. */
  @Override
  public long heapSize() {
    return sum(stats -> stats.space().heapBytes());
  }

  // ---- What is there ----

  @Override
  public CacheStats getStats() {
    return stats;
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return tiers.stream().flatMap(CacheLevel::blocks).iterator();
  }

  private static Stream<CachedBlock> blocks(Tier<?> tier) {
    Iterable<BlockInfo> blocks = tier::blocks;
    return StreamSupport.stream(blocks.spliterator(), false).map(ResidentBlock::new);
  }

  /** Null: a level has no levels. */
  @Override
  public BlockCache[] getBlockCaches() {
    return null;
  }

  // ---- What the whole cache does ----

  /*
   * A level finds a block wherever it is: tiers move blocks while they are looked up, so asked one
   * after the other they may both miss what never left the cache, and a block that is evicted from
   * one may be on its way to the other. So the first level that is asked answers for all.
   */

  @Override
  public Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    return cache.getBlock(key, caching, repeat, updateCacheMetrics);
  }

  @Override
  public Optional<Boolean> isAlreadyCached(BlockCacheKey key) {
    return cache.isAlreadyCached(key);
  }

  /** The caller keeps the block, unlike HBase's writer that hands one over by the same method. */
  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    cacheBlock(key, block, false);
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    cache.cacheBlock(key, block, inMemory);
  }

  @Override
  public void cacheBlock(
      BlockCacheKey key, Cacheable block, boolean inMemory, boolean waitWhenCache) {
    cache.cacheBlock(key, block, inMemory, waitWhenCache);
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    return cache.evictBlock(key);
  }

  @Override
  public int evictBlocksByHfileName(String hfileName) {
    return cache.evictBlocksByHfileName(hfileName);
  }

  @Override
  public int evictBlocksRangeByHfileName(String hfileName, long initOffset, long endOffset) {
    return cache.evictBlocksRangeByHfileName(hfileName, initOffset, endOffset);
  }

  @Override
  public void shutdown() {
    cache.shutdown();
  }
}
