// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cached block whose header is good and whose cells HBase cannot read, as it was offered: what an
 * operator does about it works on each tier.
 */
@Tag("hadoop")
class BrokenCellsTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final byte[] ROW = Bytes.toBytes("row");

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir Path folder;

  private final Configuration conf = OpenCaches.conf();
  private TieredBlockCache cache;

  private org.apache.hadoop.fs.Path path() {
    return new org.apache.hadoop.fs.Path(folder.resolve("region/f").resolve(FILE).toUri());
  }

  private TieredBlockCache open(String tier) throws IOException {
    if (tier.equals("dram")) {
      return caches.open();
    }
    Path device = Files.createDirectories(folder.resolve(tier));
    String prefix = "hbase.terrace." + tier;
    return caches.open(
        "hbase.terrace.dram.size", "0", prefix + ".paths", "" + device, prefix + ".size", "64m");
  }

  private void write() throws IOException {
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(FileSystem.getLocal(conf), path())
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      writer.append(new KeyValue(ROW, ROW, ROW, 1L, new byte[10_000]));
    }
  }

  /** Seeks to the row through the cache, as a Get does. */
  private void get() throws IOException {
    CacheConfig caching = new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP);
    try (HFile.Reader reader =
            HFile.createReader(FileSystem.getLocal(conf), path(), caching, true, conf);
        HFileScanner scanner = reader.getScanner(conf, true, true, false)) {
      assertThat(scanner.seekTo(new KeyValue(ROW, ROW, ROW, 1L, new byte[0]))).isZero();
    }
  }

  private void assertGetsFail() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(this::get).isInstanceOf(IllegalStateException.class);
    }
  }

  private static HFileBlock withBrokenCells(HFileBlock block) {
    ByteBuff buffer = block.getBufferReadOnly();
    byte[] bytes = new byte[buffer.limit()];
    buffer.get(0, bytes, 0, bytes.length);
    Arrays.fill(bytes, block.headerSize(), bytes.length, (byte) 0x7b);
    return new HFileBlock(
        BlockType.DATA,
        block.getOnDiskSizeWithHeader() - block.headerSize(),
        block.getUncompressedSizeWithoutHeader(),
        -1,
        ByteBuff.wrap(ByteBuffer.wrap(bytes)),
        HFileBlock.DONT_FILL_HEADER,
        block.getOffset(),
        block.getNextBlockOnDiskSize(),
        block.getOnDiskSizeWithHeader(),
        block.getHFileContext(),
        ByteBuffAllocator.HEAP);
  }

  private void breakBlock() {
    BlockCacheKey key = new BlockCacheKey(FILE, 0, true, BlockType.DATA);
    HFileBlock block = (HFileBlock) cache.getBlock(key, true, false, false);
    HFileBlock broken = withBrokenCells(block);
    block.release();
    assertThat(cache.evictBlock(key)).isTrue();
    cache.cacheBlock(key, broken);
  }

  private void restart(String tier) throws IOException, InterruptedException {
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
    cache = open(tier);
    await().until(() -> cache.tierStats().get(tier).space().blocks() > 0);
  }

  /** As the call that {@code clear_block_cache} makes does, for each file of the table. */
  private void clearBlockCache() {
    CompletableFuture<Integer> evicted = new CompletableFuture<>();
    new Thread(
            () -> evicted.complete(cache.evictBlocksByHfileName(FILE)),
            "RpcServer.default.FPBQ.Fifo.handler=1,queue=0,port=16020")
        .start();
    assertThat(evicted.join()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dram", "pmem", "ssd"})
  void clearBlockCacheMendsABlockThatHBaseCannotRead(String tier) throws Exception {
    cache = open(tier);
    assertThat(cache.tierStats().keySet()).containsExactly(tier);
    write();
    get();
    breakBlock();
    assertGetsFail();
    if (!tier.equals("dram")) {
      restart(tier);
      assertGetsFail();
    }

    clearBlockCache();
    get();
    get();
    if (!tier.equals("dram")) {
      restart(tier);
      get();
    }
  }
}
