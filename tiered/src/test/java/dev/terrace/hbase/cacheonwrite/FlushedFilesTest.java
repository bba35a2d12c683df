// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.cacheonwrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.settings.TerraceSettings;
import java.io.File;
import java.io.IOException;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Real HFiles are written as a flush writes them, and read. */
@Tag("hadoop")
class FlushedFilesTest {

  private static final int BLOCK_BYTES = 8 << 10;
  private static final int VALUE_BYTES = 250;
  private static final int ROWS = 8_000;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir File directory;

  private final Configuration conf = new Configuration();
  private TieredBlockCache cache;
  private int files;

  private void open(String... keysAndValues) {
    cache = caches.open(keysAndValues);
    OpenCaches.enableCacheOnWrite(cache, conf);
  }

  private static KeyValue cell(int number) {
    byte[] row = Bytes.toBytes(String.format(Locale.ROOT, "row-%08d", number));
    return new KeyValue(row, FAMILY, FAMILY, 1L, new byte[VALUE_BYTES]);
  }

  /** Writes a file of all rows to the same store. */
  private Path flush() throws IOException {
    CacheConfig onWrite = new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP);
    if (onWrite.shouldCacheDataOnWrite()) {
      onWrite.enableCacheOnWrite();
    }
    Path path =
        new Path(directory.getPath(), String.format(Locale.ROOT, "region/f/%032d", ++files));
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, onWrite)
            .withPath(FileSystem.getLocal(conf), path)
            .withFileContext(
                new HFileContextBuilder()
                    .withBlockSize(BLOCK_BYTES)
                    .withTableName(Bytes.toBytes("t"))
                    .withColumnFamily(FAMILY)
                    .build())
            .create()) {
      for (int number = 0; number < ROWS; number++) {
        writer.append(cell(number));
      }
    }
    return path;
  }

  /** Gets rows, and returns the share that finds its block in the cache. */
  private double hitRatio(Path path, int gets, IntUnaryOperator row) throws IOException {
    CacheConfig reads = new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP);
    long hits = cache.getStats().getHitCount();
    long requests = cache.getStats().getRequestCount();
    try (HFile.Reader reader =
            HFile.createReader(FileSystem.getLocal(conf), path, reads, true, conf);
        HFileScanner scanner = reader.getScanner(conf, true, true, false)) {
      for (int i = 0; i < gets; i++) {
        assertThat(scanner.seekTo(cell(row.applyAsInt(i)))).isZero();
      }
    }
    return (double) (cache.getStats().getHitCount() - hits)
        / (cache.getStats().getRequestCount() - requests);
  }

  private double hitRatioOfOneRowOfEachBlock(Path path) throws IOException {
    return hitRatio(path, ROWS / 32, i -> 32 * i);
  }

  private long cachedBlocks(Path path) {
    Iterable<CachedBlock> blocks = cache;
    return StreamSupport.stream(blocks.spliterator(), false)
        .filter(block -> block.getFilename().equals(path.getName()))
        .count();
  }

  @Test
  void readsAfterAFlushHitIfThoseBeforeItWereOfTheOneBefore() throws IOException {
    open();
    Path first = flush();
    assertThat(cachedBlocks(first)).as("data and index").isZero();
    assertThat(hitRatioOfOneRowOfEachBlock(first)).isLessThan(0.2);

    Path second = flush();
    cache.evictBlocksByHfileName(first.getName());

    assertThat(hitRatioOfOneRowOfEachBlock(second)).isGreaterThan(0.9);
  }

  @Test
  void aFileThatIsCompactedAwayTellsToo() throws IOException {
    open();
    Path first = flush();
    hitRatioOfOneRowOfEachBlock(first);
    cache.evictBlocksByHfileName(first.getName());

    assertThat(hitRatioOfOneRowOfEachBlock(flush())).isGreaterThan(0.9);
  }

  @Test
  void nothingIsAskedForIfItIsOff() throws IOException {
    open(TerraceSettings.CACHE_HOT_OUTPUT.key(), "false");
    assertThat(conf.getBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, false)).isFalse();
    hitRatioOfOneRowOfEachBlock(flush());

    assertThat(cachedBlocks(flush())).isZero();
  }

  @Test
  void anOperatorMayHaveAllCached() throws IOException {
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    open(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, "true");

    assertThat(hitRatioOfOneRowOfEachBlock(flush())).isOne();
  }
}
