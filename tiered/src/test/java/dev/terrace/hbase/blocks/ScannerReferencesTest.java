// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.dropin.HFileRows;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which blocks HBase's scanner holds: the one it is at, and those whose cells are not shipped. */
@Tag("hadoop")
class ScannerReferencesTest {

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir File directory;

  private final Configuration conf = OpenCaches.conf();
  private TieredBlockCache cache;
  private Path path;
  private CacheConfig cacheConfig;

  /** The offsets of the first data blocks of a file that is cached as a whole. */
  private List<Long> cached(Compression.Algorithm compression) throws IOException {
    cache = caches.open();
    path = new Path(directory.getPath(), "region/f/0123456789abcdef0123456789abcdef");
    cacheConfig =
        new CacheConfig(
            conf,
            ColumnFamilyDescriptorBuilder.of(Bytes.toBytes("f")),
            cache,
            ByteBuffAllocator.HEAP);
    HFileRows.write(conf, CacheConfig.DISABLED, path, compression);
    assertThat(HFileRows.read(conf, cacheConfig, path)).isEqualTo(HFileRows.ROWS);
    return StreamSupport.stream(cache.spliterator(), false)
        .filter(block -> block.getBlockType() == BlockType.DATA)
        .map(CachedBlock::getOffset)
        .sorted()
        .limit(3)
        .toList();
  }

  private int holders(long offset) {
    return OpenCaches.readers(cache, new BlockCacheKey(path.getName(), offset));
  }

  private List<Integer> holders(List<Long> offsets) {
    return offsets.stream().map(offset -> holders(offset.longValue())).toList();
  }

  private void moveInto(long offset, HFileScanner scanner) throws IOException {
    while (holders(offset) == 0) {
      assertThat(scanner.next()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "GZ"})
  void aScannerHoldsItsBlockAndThoseNotShipped(Compression.Algorithm compression)
      throws IOException {
    List<Long> offsets = cached(compression);
    try (HFile.Reader reader =
            HFile.createReader(FileSystem.getLocal(conf), path, cacheConfig, true, conf);
        HFileScanner scanner = reader.getScanner(conf, true, true, false)) {
      assertThat(scanner.seekTo()).isTrue();
      assertThat(holders(offsets)).containsExactly(1, 0, 0);
      assertThat(scanner.seekTo()).isTrue();
      assertThat(holders(offsets)).as("after a seek in the block").containsExactly(1, 0, 0);

      moveInto(offsets.get(1), scanner);
      assertThat(holders(offsets)).as("not shipped").containsExactly(1, 1, 0);
      scanner.shipped();
      assertThat(holders(offsets)).as("shipped").containsExactly(0, 1, 0);
      scanner.shipped();
      assertThat(holders(offsets)).as("shipped, with nothing new").containsExactly(0, 1, 0);

      assertThat(scanner.seekBefore(scanner.getCell())).isTrue();
      assertThat(holders(offsets)).as("back, not shipped").containsExactly(1, 1, 0);
      scanner.shipped();
      assertThat(holders(offsets)).as("back, shipped").containsExactly(1, 0, 0);
    }
    assertThat(holders(offsets)).as("closed").containsExactly(0, 0, 0);
  }

  /** As in HBASE-16372: a cell that the client has not got yet must not change. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "GZ"})
  void cellsOutliveTheEvictionOfTheirBlock(Compression.Algorithm compression) throws IOException {
    List<Long> offsets = cached(compression);
    try (HFile.Reader reader =
            HFile.createReader(FileSystem.getLocal(conf), path, cacheConfig, true, conf);
        HFileScanner scanner = reader.getScanner(conf, true, true, false)) {
      assertThat(scanner.seekTo()).isTrue();
      Cell first = scanner.getCell();
      byte[] row = CellUtil.cloneRow(first);
      moveInto(offsets.get(1), scanner);

      assertThat(cache.evictBlocksByHfileName(path.getName())).isGreaterThan(offsets.size());
      assertThat(OpenCaches.dram(cache).leases().bytes()).isPositive();
      overwriteFreeMemory();

      assertThat(CellUtil.cloneRow(first)).isEqualTo(row);
      assertThat(CellUtil.cloneValue(first)).isEqualTo(row);
      scanner.shipped();
    }
    assertThat(OpenCaches.dram(cache).leases().bytes()).isZero();
  }

  private void overwriteFreeMemory() {
    int blockBytes = 4 << 10;
    long blocks = cache.getMaxSize() / blockBytes;
    for (long offset = 0; offset < blocks; offset++) {
      cache.cacheBlock(
          TestBlocks.key("other", offset), TestBlocks.data("other", offset, blockBytes));
    }
    assertThat(cache.getFreeSize()).isLessThan(cache.getMaxSize() / 10);
  }
}
