// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.files.FileOrigin;
import dev.terrace.hbase.files.HBaseThreads;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.status.CacheSizes;
import dev.terrace.hbase.status.ResidentBlock;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.HeapSize;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.io.hfile.ResizableBlockCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.common.collect.Iterators;

/**
 * HBase's block cache over Terrace's tiers.
 *
 * <p>One class serves HBase 2.5 to 4.0. The interface grew in between, so methods that 2.5 lacks
 * are declared without {@code @Override}; a version never calls a method that it lacks.
 *
 * <p>Any thread may call any method at any time, under any lock of HBase's, even after {@link
 * #shutdown}. Nothing here waits for I/O except {@code cacheBlock} with {@code waitWhenCache},
 * which may wait a second for room. A failure of the cache never reaches HBase as an exception: a
 * block that cannot be cached is counted, and one that cannot be read is a miss.
 *
 * <p>A block read through a split's reference file is cached under the name of the file that
 * contains it. So both daughters and their parent share it. Callers that may keep a block after its
 * release get copies on the heap ({@link dev.terrace.hbase.blocks.HeapCopies}).
 */
// MissingOverride: see above. BlockCacheUtil.toJSON reads all fields that are not private.
@SuppressWarnings("MissingOverride")
public class TieredBlockCache implements ResizableBlockCache, HeapSize {

  /** The share of the cache that prefetch may fill. */
  private static final double PREFETCH_FILL = 0.95;

  private final transient CacheParts parts;
  private final transient BlockAccess blocks;
  private final transient CacheStats stats;
  private final transient CacheSizes sizes;
  private final transient RateLimitedLog log = new RateLimitedLog(TieredBlockCache.class);

  /**
   * Starts a cache. HBase calls this if {@code hbase.blockcache.external.class} names Terrace. If
   * HBase's cache factory calls it outside a region server, such as for a scanner in a client, the
   * cache holds nothing: it takes no memory, opens no path and reads no settings.
   *
   * @param conf the configuration of hbase-site.xml; see {@link TerraceSettings}
   * @throws SettingsException if a setting cannot be used; the message says which, and why
   */
  public TieredBlockCache(Configuration conf) {
    this(conf, EntryPoint.ofConstructor(conf));
  }

  TieredBlockCache(Configuration conf, EntryPoint entryPoint) {
    this(conf, entryPoint, System::nanoTime);
  }

  TieredBlockCache(Configuration conf, EntryPoint entryPoint, LongSupplier nanoClock) {
    this(CacheParts.of(conf, entryPoint, nanoClock));
  }

  private TieredBlockCache(CacheParts parts) {
    this.parts = parts;
    this.blocks = parts.blocks;
    this.stats = parts.stats;
    this.sizes = parts.sizes;
    // HBase calls nothing between the constructor and the first lookup.
    parts.startServing(this);
  }

  void attach(HRegionServer regionServer) {
    parts.attach(regionServer);
  }

  /**
   * Turns on cache-on-write in HBase, so that flushes and compactions offer their output to the
   * cache.
   */
  void enableCacheOnWrite(Configuration conf) {
    parts.puts.enableCacheOnWrite(conf);
  }

  // ---- Lookups ----

  @Override
  public Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    return blocks.get(key, caching, repeat, updateCacheMetrics);
  }

  /** As {@code getBlock} with four arguments; the expected type is ignored. */
  public Cacheable getBlock(
      BlockCacheKey key,
      boolean caching,
      boolean repeat,
      boolean updateCacheMetrics,
      BlockType blockType) {
    return getBlock(key, caching, repeat, updateCacheMetrics);
  }

  @Override
  public Optional<Boolean> isAlreadyCached(BlockCacheKey key) {
    return ask(() -> parts.blockSizes.isCached(blocks.fileOf(key), key.getOffset()));
  }

  /**
   * The block's size in its file, with header and checksums. Reads at most its header, since a
   * prefetch asks for the size of every block that is already cached.
   */
  public Optional<Integer> getBlockSize(BlockCacheKey key) {
    return ask(() -> parts.blockSizes.inFile(blocks.fileOf(key), key.getOffset()).orElse(null));
  }

  /** Empty if the answer is null or throws: HBase would abort a region or the server. */
  private <T> Optional<T> ask(Supplier<T> answer) {
    try {
      return Optional.ofNullable(answer.get());
    } catch (RuntimeException | Error e) {
      log.warn(
          "A call from HBase failed in Terrace, and got the answer for a block that is not cached",
          e);
      return Optional.empty();
    }
  }

  private void guarded(Runnable call) {
    Optional<Boolean> unused =
        ask(
            () -> {
              call.run();
              return true;
            });
  }

  // ---- Caching ----

  /** HBase's file writer calls this, and nothing else does: for the upper levels of an index. */
  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    cacheBlock(key, block, false);
    guarded(() -> parts.indexHandedOver(block));
  }

  @Override
  public void cacheBlock(
      BlockCacheKey key, Cacheable block, boolean inMemory, boolean waitWhenCache) {
    Supplier<PutOutcome> put =
        () -> blocks.put(key, block, inMemory, HBaseThreads.sourceOf(key, block, waitWhenCache));
    onOutcome(ask(put).orElse(PutOutcome.BAD_BLOCK));
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    cacheBlock(key, block, inMemory, false);
  }

  /** Called last in each {@code cacheBlock}. */
  void onOutcome(PutOutcome outcome) {}

  /**
   * Whether a prefetch may continue after this block: only while it evicts next to nothing, and
   * leaves some room for blocks that are read.
   */
  public Optional<Boolean> blockFitsIntoTheCache(HFileBlock block) {
    return ask(() -> parts.tiers.hasRoom(block.getSerializedLength(), PREFETCH_FILL));
  }

  /**
   * Whether to cache a file's blocks. True even for a fully cached file: if HBase reads a block of
   * it, that block is missing here.
   */
  public Optional<Boolean> shouldCacheFile(HFileInfo file, Configuration conf) {
    return ask(() -> blocks.isToBeCached(file, conf));
  }

  /**
   * Whether to offer a block that is being written: always. HBase does not release a block that it
   * then keeps to itself, so a cold one is refused only when it is offered.
   */
  public Optional<Boolean> shouldCacheBlock(
      BlockCacheKey key, long maxTimestamp, Configuration conf) {
    guarded(
        () -> {
          if (!blocks.isToBeCached(key, maxTimestamp, conf)) {
            parts.puts.refuseNext(key);
          }
        });
    return Optional.of(true);
  }

  public void notifyFileCachingCompleted(
      Path storeFile, int totalBlockCount, int dataBlockCount, long size) {
    guarded(() -> parts.known.completed(storeFile, new FileOrigin.Extent(totalBlockCount, size)));
  }

  public Optional<Map<String, Pair<String, Long>>> getFullyCachedFiles() {
    return ask(parts.files::fullyCached);
  }

  public Optional<Map<String, Long>> getRegionCachedInfo() {
    return ask(parts.files::regions);
  }

  // ---- Evictions ----

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    return ask(() -> parts.evictions.block(key)).orElse(false);
  }

  /**
   * Evicts a file's blocks, given the name of the file or of a link to it. Keeps them if another
   * store reads the file, unless an operator asked. A reference to half of a split file evicts
   * nothing, because the other daughter may read the same blocks: HBase evicts that half by {@link
   * #evictBlocksRangeByHfileName}. The 2.5 line does not, so there the whole file is evicted.
   *
   * <p>Evicts nothing once the region server is ending. With {@code hbase.rs.evictblocksonclose}
   * HBase then evicts all files, which would leave the tiers on PMem and SSD cold after the
   * restart. Nor does it evict the blocks of a region that HBase splits or merges.
   */
  @Override
  public int evictBlocksByHfileName(String hfileName) {
    return ask(() -> parts.evictions.file(hfileName)).orElse(0);
  }

  /**
   * Evicts the blocks of a file that start in a range, except those that {@link
   * #evictBlocksByHfileName} keeps.
   *
   * @param initOffset the first offset
   * @param endOffset the last offset, inclusive
   */
  @Override
  public int evictBlocksRangeByHfileName(String hfileName, long initOffset, long endOffset) {
    return ask(() -> parts.evictions.range(hfileName, initOffset, endOffset)).orElse(0);
  }

  // ---- Sizes ----

  @Override
  public long size() {
    return sizes.space().capacityBytes();
  }

  @Override
  public long getMaxSize() {
    return sizes.space().capacityBytes();
  }

  @Override
  public long getFreeSize() {
    return sizes.freeBytes();
  }

  @Override
  public long getCurrentSize() {
    return sizes.space().usedBytes();
  }

  @Override
  public long getCurrentDataSize() {
    return sizes.ofData().bytes();
  }

  @Override
  public long getBlockCount() {
    return sizes.space().blocks();
  }

  @Override
  public long getDataBlockCount() {
    return sizes.ofData().blocks();
  }

  @Override
  public long heapSize() {
    return sizes.space().heapBytes();
  }

  // ---- The rest ----

  @Override
  public CacheStats getStats() {
    return stats;
  }

  /** The counters of each tier by its name, from the highest to the lowest. */
  public Map<String, TierStats> tierStats() {
    return parts.tiers.stats();
  }

  /** The number of hits that were copies on the heap, for readers that may keep cells. */
  public long heapHits() {
    return blocks.heapCopies.hits().values().stream().mapToLong(Long::longValue).sum();
  }

  /** The counters of lists saved for closed regions, and of blocks warmed for opened ones. */
  public Map<String, Long> regionWarmup() {
    return parts.regionWarmup.figures();
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return Iterators.transform(parts.tiers.blocks(), ResidentBlock::new);
  }

  /** Null: to HBase this is one cache. */
  @Override
  public BlockCache[] getBlockCaches() {
    return null;
  }

  public boolean isCacheEnabled() {
    return parts.service.isRunning();
  }

  /** Does not wait: the cache serves at once. */
  public boolean waitForCacheInitialization(long timeoutMillis) {
    return isCacheEnabled();
  }

  /** Resizes the DRAM tier if it exists and the size is possible. */
  @Override
  public void setMaxSize(long sizeBytes) {
    guarded(() -> parts.settings.changeDramSize(sizeBytes));
  }

  /** Applies the settings that may change while the cache runs. */
  public void onConfigurationChange(Configuration conf) {
    guarded(() -> parts.settings.change(new SiteValues(conf)));
  }

  /**
   * Closes the cache; may be called twice, and returns at once. If a tier survives a restart, the
   * cache closes in the background: blocks that only DRAM has are first copied down, for a few
   * seconds at most. Otherwise lookups miss from now on. Leased blocks stay valid until they are
   * released. The tiers on PMem and SSD keep their blocks; open regions are written, and the JVM's
   * exit waits for that.
   */
  @Override
  public void shutdown() {
    guarded(parts.service::close);
  }

  /**
   * Starts writing the open regions of the tiers on PMem and SSD, without waiting. The cache keeps
   * serving.
   */
  public void sealOpen() {
    guarded(parts.service::sealOpen);
  }

  /** Whether the tiers on PMem and SSD have written all blocks that were put into them. */
  public boolean isSealed() {
    return parts.service.isSealed();
  }

  /**
   * Waits until a closed cache has released its paths: after the last write, and after the last
   * block in PMem is released.
   *
   * @return false if that took longer than {@code limit}
   */
  public boolean awaitReleased(Duration limit) throws InterruptedException {
    return parts.service.awaitReleased(limit);
  }
}
