// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.io.File;
import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.DataTieringManager;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that HBase writes and hands over: what it does when the cache does not take them. */
@Tag("hadoop")
class WrittenBlocksTest {

  private static final int ROWS = 3_000;
  private static final int BUFFER_BYTES = 1 << 10;
  private static final int BUFFERS = 4_000;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String AGE = "hbase.hstore.datatiering.hot.age.millis";
  private static final long HOUR_MILLIS = 3_600_000;

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir File directory;

  private final Configuration conf = new Configuration();
  private final ByteBuffAllocator pool = pool();

  private static ByteBuffAllocator pool() {
    Configuration sizes = new Configuration(false);
    sizes.setInt("hbase.server.allocator.buffer.size", BUFFER_BYTES);
    sizes.setInt("hbase.server.allocator.max.buffer.count", BUFFERS);
    sizes.setInt("hbase.server.allocator.minimal.allocate.size", 64);
    return ByteBuffAllocator.create(sizes, true);
  }

  /** Used are all that were ever made. */
  private int heldBuffers() {
    return pool.getUsedBufferCount() - pool.getFreeBufferCount();
  }

  @AfterEach
  void endDataTiering() throws ReflectiveOperationException {
    setTieringManager(null);
  }

  private static void setTieringManager(DataTieringManager manager)
      throws ReflectiveOperationException {
    var instance = DataTieringManager.class.getDeclaredField("instance");
    instance.setAccessible(true);
    instance.set(null, manager);
  }

  private void startDataTiering() throws ReflectiveOperationException {
    setTieringManager(null);
    Configuration on = new Configuration(false);
    on.setBoolean("hbase.regionserver.datatiering.enable", true);
    assertThat(DataTieringManager.instantiate(on, Map.of())).isTrue();
    conf.set("hbase.hstore.datatiering.type", "TIME_RANGE");
    conf.setLong(AGE, HOUR_MILLIS);
  }

  private Path write(TieredBlockCache cache, long timestamp, int maxIndexBytes) throws IOException {
    CacheConfig onWrite = new CacheConfig(conf, null, cache, pool);
    onWrite.enableCacheOnWrite();
    Path path = new Path(directory.getPath(), "region/f/0123456789abcdef0123456789abcdef");
    conf.setInt("hfile.index.block.max.size", maxIndexBytes);
    conf.setInt("hfile.index.block.min.entries", 2);
    SplittableRandom random = new SplittableRandom(timestamp);
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, onWrite)
            .withPath(FileSystem.getLocal(conf), path)
            .withFileContext(new HFileContextBuilder().withBlockSize(2 << 10).build())
            .create()) {
      for (int number = 0; number < ROWS; number++) {
        byte[] value = new byte[100];
        random.nextBytes(value);
        byte[] row = Bytes.toBytes(String.format(Locale.ROOT, "row-%08d", number));
        writer.append(new KeyValue(row, FAMILY, FAMILY, timestamp, value));
      }
    }
    return path;
  }

  @Test
  void aColdBlockIsNotCachedAndItsBufferComesBack() throws Exception {
    TieredBlockCache cache = caches.open();
    startDataTiering();
    long cold = System.currentTimeMillis() - 2 * HOUR_MILLIS;

    write(cache, cold, 128 << 10);

    assertThat(heldBuffers()).as("buffers that nobody gives back").isZero();
    assertThat(cache.getDataBlockCount()).isZero();
  }

  @Test
  void aHotBlockIsCachedAndItsBufferComesBack() throws Exception {
    TieredBlockCache cache = caches.open();
    startDataTiering();

    write(cache, System.currentTimeMillis(), 128 << 10);

    assertThat(heldBuffers()).isZero();
    assertThat(cache.getDataBlockCount()).isGreaterThan(100);
  }

  /** HBase's writer releases all blocks that it hands over but those. */
  @Test
  void theBufferOfAnIntermediateIndexBlockComesBack() throws Exception {
    TieredBlockCache cache = caches.open();

    write(cache, System.currentTimeMillis(), 256);

    assertThat(types(cache)).contains(BlockType.INTERMEDIATE_INDEX, BlockType.ROOT_INDEX);
    assertThat(heldBuffers()).as("buffers that nobody gives back").isZero();
  }

  private static Set<BlockType> types(TieredBlockCache cache) {
    Set<BlockType> types = new HashSet<>();
    cache.iterator().forEachRemaining(block -> types.add(block.getBlockType()));
    return types;
  }

  @Test
  void aColdBlockIsRefusedWhoeverHandsItOver() throws Exception {
    TieredBlockCache cache = caches.open();
    startDataTiering();
    String file = "0123456789abcdef0123456789abcdef";
    BlockCacheKey cold = new BlockCacheKey(file, 0, true, BlockType.DATA);
    BlockCacheKey other = new BlockCacheKey(file, 4096, true, BlockType.DATA);
    Cacheable block = TestBlocks.data(file, 0, 4_000);

    long old = System.currentTimeMillis() - 2 * HOUR_MILLIS;
    assertThat(cache.shouldCacheBlock(cold, old, conf)).isEqualTo(Optional.of(true));
    cache.cacheBlock(cold, block, false, true);
    assertThat(cache.isAlreadyCached(cold)).contains(false);

    cache.cacheBlock(cold, block, false, true);
    assertThat(cache.isAlreadyCached(cold)).as("the answer was for one block").contains(true);

    cache.shouldCacheBlock(cold, old, conf);
    cache.cacheBlock(other, TestBlocks.data(file, 4096, 4_000), false, true);
    assertThat(cache.isAlreadyCached(other)).as("another one").contains(true);
  }
}
