// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.hbase.settings.SettingsException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockCacheUtil;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.util.ReflectionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TieredBlockCacheTest {

  private static final int SIZE = 66_000;
  private static final BlockCacheKey KEY = TestBlocks.key("file", 100);

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  private TieredBlockCache cache;

  @BeforeEach
  void open() {
    cache = caches.open();
  }

  private void put(BlockType type, boolean inMemory, long offset) {
    BlockCacheKey key = new BlockCacheKey("file", offset, true, type);
    cache.cacheBlock(key, TestBlocks.block("file", offset, SIZE, type, -1), inMemory);
  }

  private boolean holds(String file, long offset) {
    return cache.isAlreadyCached(TestBlocks.key(file, offset)).orElseThrow();
  }

  /** What is cached under a key, compared with a block and released. */
  private boolean holdsExactly(BlockCacheKey key, HFileBlock expected) {
    Cacheable block = cache.getBlock(key, true, false, true);
    if (block == null) {
      return false;
    }
    boolean same = expected.equals(block);
    block.release();
    return same;
  }

  @Test
  void whatIsCachedIsFound() {
    HFileBlock block = TestBlocks.data("file", 100, SIZE);

    cache.cacheBlock(KEY, block);

    assertThat(holdsExactly(KEY, block)).isTrue();
    assertThat(cache.getBlock(TestBlocks.key("file", 101), true, false, true)).isNull();
    assertThat(cache.getBlock(TestBlocks.key("elif", 100), true, false, true)).isNull();
  }

  @Test
  void allFormsOfTheCallsMeanTheSame() {
    HFileBlock block = TestBlocks.data("file", 100, SIZE);
    cache.cacheBlock(KEY, block, false, true);

    Cacheable first = cache.getBlock(KEY, true, false, true);
    Cacheable second = cache.getBlock(KEY, true, false, true, BlockType.DATA);

    assertThat(second).isSameAs(first).isEqualTo(block);
    first.release();
    second.release();
  }

  /** Readers share the block itself, and HBase reads it with positions of its own. */
  @Test
  void aReaderMovesNoOthersPosition() {
    HFileBlock block = TestBlocks.data("file", 100, SIZE);
    cache.cacheBlock(KEY, block);
    HFileBlock first = (HFileBlock) cache.getBlock(KEY, true, false, true);
    HFileBlock second = (HFileBlock) cache.getBlock(KEY, true, false, true);

    first.getBufferWithoutHeader().get(new byte[1_000]);
    first.getBufferReadOnly().position(500).limit(600);
    first.serialize(ByteBuffer.allocate(first.getSerializedLength()), true);

    assertThat(second).isSameAs(first);
    assertThat(second.getBufferReadOnly().position()).isZero();
    assertThat(second.getBufferReadOnly().limit()).isEqualTo(block.getBufferReadOnly().limit());
    assertThat(second).isEqualTo(block);
    first.release();
    second.release();
  }

  @Test
  void aBlockOutlivesItsEvictionUntilItsLastRelease() {
    HFileBlock block = TestBlocks.data("file", 100, SIZE);
    cache.cacheBlock(KEY, block);
    Cacheable held = cache.getBlock(KEY, true, false, true);

    assertThat(cache.evictBlock(KEY)).isTrue();

    assertThat(cache.getBlock(KEY, true, false, true)).isNull();
    assertThat(held).isEqualTo(block);
    assertThat(OpenCaches.dram(cache).leases().bytes()).isPositive();
    held.release();
    assertThat(OpenCaches.dram(cache).leases().bytes()).isZero();
  }

  @Test
  void evictionsMayComeTwice() {
    cache.cacheBlock(KEY, TestBlocks.data("file", 100, SIZE));
    assertThat(cache.evictBlock(KEY)).isTrue();
    assertThat(cache.evictBlock(KEY)).isFalse();

    cache.cacheBlock(KEY, TestBlocks.data("file", 100, SIZE));
    assertThat(cache.evictBlocksByHfileName("file")).isEqualTo(1);
    assertThat(cache.evictBlocksByHfileName("file")).isZero();

    cache.cacheBlock(KEY, TestBlocks.data("file", 100, SIZE));
    assertThat(cache.evictBlocksRangeByHfileName("file", 100, 100)).isEqualTo(1);
    assertThat(cache.evictBlocksRangeByHfileName("file", 100, 100)).isZero();
  }

  @Test
  void anEvictedFileTakesNoOtherWithIt() {
    for (long offset = 0; offset < 10; offset++) {
      put(BlockType.DATA, false, offset);
    }
    cache.cacheBlock(TestBlocks.key("other", 0), TestBlocks.data("other", 0, SIZE));

    assertThat(cache.evictBlocksByHfileName("file")).isEqualTo(10);
    assertThat(holds("other", 0)).isTrue();
    assertThat(cache.getBlockCount()).isEqualTo(1);
  }

  @Test
  void aRangeHasBothItsEnds() {
    for (long offset = 0; offset < 10; offset++) {
      put(BlockType.DATA, false, offset);
    }

    assertThat(cache.evictBlocksRangeByHfileName("file", 3, 5)).isEqualTo(3);

    assertThat(holds("file", 2)).isTrue();
    assertThat(holds("file", 3)).isFalse();
    assertThat(holds("file", 5)).isFalse();
    assertThat(holds("file", 6)).isTrue();
    assertThat(cache.evictBlocksRangeByHfileName("file", 6, Long.MAX_VALUE)).isEqualTo(4);
  }

  @Test
  void sizesTellDataFromTheRest() {
    put(BlockType.DATA, false, 0);
    put(BlockType.ENCODED_DATA, false, 1);
    put(BlockType.LEAF_INDEX, false, 2);
    put(BlockType.BLOOM_CHUNK, false, 3);
    int encodedBytes = SIZE + HFileBlock.BLOCK_METADATA_SPACE;

    assertThat(cache.getBlockCount()).isEqualTo(4);
    assertThat(cache.getDataBlockCount()).isEqualTo(2);
    assertThat(cache.getCurrentDataSize()).isEqualTo(2L * encodedBytes);
    assertThat(cache.getCurrentSize()).isBetween(4L * encodedBytes, 5L * encodedBytes);
    assertThat(cache.getMaxSize()).isEqualTo(16L << 20).isEqualTo(cache.size());
    assertThat(cache.getFreeSize()).isEqualTo(cache.getMaxSize() - cache.getCurrentSize());
    assertThat(cache.heapSize()).isBetween(100L, 10_000L);
  }

  @Test
  void theIteratorListsWhatIsCached() {
    put(BlockType.DATA, false, 0);
    put(BlockType.DATA, true, 1);
    put(BlockType.ROOT_INDEX, false, 2);
    long now = System.nanoTime();

    List<CachedBlock> listed = new ArrayList<>();
    cache.forEach(listed::add);
    listed.sort(null);

    assertThat(listed).extracting(CachedBlock::getFilename).containsOnly("file");
    assertThat(listed).extracting(CachedBlock::getOffset).containsExactly(0L, 1L, 2L);
    assertThat(listed)
        .extracting(CachedBlock::getBlockType)
        .containsExactly(BlockType.DATA, BlockType.DATA, BlockType.ROOT_INDEX);
    assertThat(listed)
        .extracting(CachedBlock::getBlockPriority)
        .containsExactly(BlockPriority.MULTI, BlockPriority.MEMORY, BlockPriority.MEMORY);
    assertThat(listed)
        .allSatisfy(
            block -> {
              assertThat(block.getSize()).isEqualTo(SIZE + HFileBlock.BLOCK_METADATA_SPACE);
              assertThat(now - block.getCachedTime()).isBetween(0L, 60_000_000_000L);
            });
  }

  @Test
  void theTypeIsTheBlocksAndOnlyThenTheKeys() {
    BlockCacheKey untyped = new BlockCacheKey("file", 0, true, null);
    cache.cacheBlock(untyped, TestBlocks.block("file", 0, SIZE, BlockType.LEAF_INDEX, -1));
    BlockCacheKey mistyped = new BlockCacheKey("file", 1, true, BlockType.DATA);
    cache.cacheBlock(mistyped, TestBlocks.block("file", 1, SIZE, BlockType.BLOOM_CHUNK, -1));

    List<CachedBlock> listed = new ArrayList<>();
    cache.forEach(listed::add);

    assertThat(listed)
        .extracting(CachedBlock::getBlockType)
        .containsExactlyInAnyOrder(BlockType.LEAF_INDEX, BlockType.BLOOM_CHUNK);
  }

  @Test
  void indexesAndInMemoryFamiliesOutlastAFloodOfData() {
    for (long offset = 0; offset < 20; offset++) {
      put(offset % 2 == 0 ? BlockType.LEAF_INDEX : BlockType.DATA, offset % 2 == 1, offset);
    }

    for (long offset = 1_000; offset < 3_000; offset++) {
      put(BlockType.DATA, false, offset);
    }

    for (long offset = 0; offset < 20; offset++) {
      assertThat(holds("file", offset)).as("block at %s", offset).isTrue();
    }
    assertThat(cache.getStats().getEvictedCount() + cache.getStats().getFailedInserts())
        .isGreaterThan(1_000);
  }

  @Test
  void theSizeOfABlockIsThatInItsFile() {
    cache.cacheBlock(KEY, TestBlocks.data("file", 100, SIZE));

    assertThat(cache.getBlockSize(KEY)).contains(SIZE);
    assertThat(cache.getBlockSize(TestBlocks.key("file", 0))).isEmpty();
    assertThat(OpenCaches.dram(cache).reads().hits().counted()).isZero();
    assertThat(OpenCaches.dram(cache).reads().misses()).isZero();
  }

  @Test
  void aBlockFitsWhileThereIsRoom() {
    HFileBlock block = TestBlocks.data("file", 0, 1 << 20);
    assertThat(cache.blockFitsIntoTheCache(block)).contains(true);

    for (long offset = 0; offset < 20; offset++) {
      cache.cacheBlock(TestBlocks.key("file", offset), block);
    }

    assertThat(cache.blockFitsIntoTheCache(block)).contains(false);
  }

  @Test
  void withoutDataTieringAllIsToBeCached() {
    Configuration conf = new Configuration(false);
    assertThat(cache.shouldCacheBlock(KEY, 0, conf)).contains(true);
  }

  @Test
  void aBlockThatCannotBeCachedIsCountedAndHBaseHearsNothing() {
    for (Throwable failure : FAILURES) {
      cache.cacheBlock(KEY, new Unserializable(true, failure));
      cache.cacheBlock(KEY, new Unserializable(false, failure));
    }

    assertThat(cache.getStats().getFailedInserts()).isEqualTo(2L * FAILURES.size());
    assertThat(cache.getBlock(KEY, true, false, true)).isNull();
    assertThat(cache.getBlockCount()).isZero();
  }

  /** What no read and no write of HBase may see. */
  private static final List<Throwable> FAILURES =
      List.of(
          new IllegalStateException("as asked"),
          new OutOfMemoryError("as asked"),
          new NoSuchMethodError("as asked"));

  private static void fail(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  private static final class FailingKey extends BlockCacheKey {

    private static final long serialVersionUID = 1;

    private final Throwable failure;

    FailingKey(Throwable failure) {
      super("file", 100);
      this.failure = failure;
    }

    @Override
    public String getHfileName() {
      fail(failure);
      return super.getHfileName();
    }
  }

  @Test
  void aFailureIsAMissAndHBaseHearsNothing() {
    for (Throwable failure : FAILURES) {
      BlockCacheKey failing = new FailingKey(failure);
      assertThat(cache.getBlock(failing, true, false, true)).isNull();
      assertThat(cache.getBlockSize(failing)).isEmpty();
      assertThat(cache.evictBlock(failing)).isFalse();
      assertThat(cache.isAlreadyCached(failing)).isEmpty();
      assertThat(cache.shouldCacheBlock(failing, 0, OpenCaches.conf())).contains(true);
      cache.onConfigurationChange(failing(failure));
    }
    assertThat(cache.blockFitsIntoTheCache(null)).isEmpty();
    cache.notifyFileCachingCompleted(null, 1, 1, 1);
    assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();
  }

  private static Configuration failing(Throwable failure) {
    return new Configuration(false) {
      @Override
      public String get(String name) {
        fail(failure);
        return null;
      }

      @Override
      public Iterator<Map.Entry<String, String>> iterator() {
        fail(failure);
        return super.iterator();
      }
    };
  }

  /** Throws when it is asked for its length, or when it is serialized. */
  private static final class Unserializable implements Cacheable {

    private final boolean early;
    private final Throwable failure;

    Unserializable(boolean early, Throwable failure) {
      this.early = early;
      this.failure = failure;
    }

    @Override
    public int getSerializedLength() {
      if (early) {
        fail(failure);
      }
      return 1_000;
    }

    @Override
    public void serialize(ByteBuffer destination, boolean includeNextBlockMetadata) {
      destination.put(new byte[500]);
      fail(failure);
    }

    @Override
    public CacheableDeserializer<Cacheable> getDeserializer() {
      return HFileBlock.BLOCK_DESERIALIZER;
    }

    @Override
    public BlockType getBlockType() {
      return BlockType.DATA;
    }

    @Override
    public long heapSize() {
      return 0;
    }
  }

  @Test
  void aBlockThatIsTooLargeIsRefused() {
    cache.cacheBlock(KEY, TestBlocks.data("file", 100, 8 << 20));

    assertThat(cache.getStats().getFailedInserts()).isEqualTo(1);
    assertThat(holds("file", 100)).isFalse();
  }

  @Test
  void afterShutdownAllIsAMissAndNothingThrows() {
    cache.cacheBlock(KEY, TestBlocks.data("file", 100, SIZE));
    assertThat(cache.isCacheEnabled()).isTrue();
    assertThat(cache.waitForCacheInitialization(0)).isTrue();

    cache.shutdown();
    cache.shutdown();

    assertThat(cache.isCacheEnabled()).isFalse();
    assertThat(cache.waitForCacheInitialization(1_000)).isFalse();
    assertThat(cache.getBlock(KEY, true, false, true)).isNull();
    cache.cacheBlock(KEY, TestBlocks.data("file", 100, SIZE));
    assertThat(cache.getBlock(KEY, true, false, true)).isNull();
    assertThat(cache.evictBlock(KEY)).isFalse();
    assertThat(cache.evictBlocksByHfileName("file")).isZero();
    assertThat(cache.evictBlocksRangeByHfileName("file", 0, Long.MAX_VALUE)).isZero();
    assertThat(cache.iterator().hasNext()).isFalse();
    assertThat(cache.getRegionCachedInfo().orElseThrow()).isEmpty();
    assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();
    assertThatCode(() -> cache.setMaxSize(32 << 20)).doesNotThrowAnyException();
  }

  @Test
  void blocksHeldOverAShutdownCanBeRead() {
    HFileBlock block = TestBlocks.data("file", 100, SIZE);
    cache.cacheBlock(KEY, block);
    Cacheable held = cache.getBlock(KEY, true, false, true);

    cache.shutdown();

    assertThat(held).isEqualTo(block);
    held.release();
  }

  @Test
  void hbasesJsonOfItHasNoneOfItsParts() throws Exception {
    assertThat(BlockCacheUtil.toJSON((BlockCache) cache)).isEqualTo("{}");
    assertThat(cache.getBlockCaches()).as("one level").isNull();
    assertThat(TieredBlockCache.class.getDeclaredFields())
        .filteredOn(field -> !Modifier.isStatic(field.getModifiers()))
        .allMatch(field -> Modifier.isPrivate(field.getModifiers()))
        .allMatch(field -> Modifier.isTransient(field.getModifiers()));
    assertThat(Arrays.stream(TieredBlockCache.class.getDeclaredFields()).map(Field::getName))
        .isNotEmpty();
  }

  @Test
  void hbaseMakesItFromAConfiguration() {
    Configuration conf =
        OpenCaches.conf("hbase.blockcache.external.class", TieredBlockCache.class.getName());

    TieredBlockCache made = ReflectionUtils.newInstance(TieredBlockCache.class, conf);

    caches.track(made);
    assertThat(made.getMaxSize()).isEqualTo(16L << 20);
    assertThat(EntryPoint.ofConstructor(conf)).isEqualTo(EntryPoint.EXTERNAL_CACHE);
    assertThat(EntryPoint.ofConstructor(OpenCaches.conf())).isEqualTo(EntryPoint.EMBEDDED);
  }

  @Test
  void withoutSettingsThereIsNoCache() {
    Configuration conf = new Configuration(false);

    assertThatThrownBy(() -> new TieredBlockCache(conf))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("hbase.terrace.dram.size");
  }

  @Test
  void twoInstancesInOneJvmKnowNothingOfEachOther() {
    TieredBlockCache other = caches.open();
    cache.cacheBlock(KEY, TestBlocks.data("file", 100, SIZE));

    assertThat(other.getBlock(KEY, true, false, true)).isNull();
    other.shutdown();

    assertThat(holdsExactly(KEY, TestBlocks.data("file", 100, SIZE))).isTrue();
    assertThat(cache.getStats().getMissCount()).isZero();
  }
}
