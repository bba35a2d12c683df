// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.TierStats;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.tiered.trace.RecordedTrace;
import dev.terrace.tiered.trace.TraceRecorder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileDataBlockEncoderImpl;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.PrefetchExecutor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Real HFiles, written and read by HBase's own writer and readers with Terrace as their cache. */
@Tag("hadoop")
class HFileReadTest {

  private static final int ROWS = 3_000;
  private static final int BLOCK_BYTES = 16 << 10;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir File directory;

  private final Configuration conf = OpenCaches.conf(TerraceSettings.DRAM_SIZE.key(), "64m");
  private TieredBlockCache cache;
  private FileSystem files;
  private Path path;
  private ByteBuffAllocator allocator;

  @BeforeEach
  void open() throws IOException {
    cache = caches.open(TerraceSettings.DRAM_SIZE.key(), "64m");
    files = FileSystem.getLocal(conf);
    path = new Path(directory.getPath(), "region/f/0123456789abcdef0123456789abcdef");
    allocator = ByteBuffAllocator.create(conf, true);
  }

  @AfterEach
  void poolIsWhole() {
    assertThat(allocator.getFreeBufferCount())
        .as("pooled buffers that came back")
        .isEqualTo(allocator.getUsedBufferCount());
    allocator.clean();
  }

  private CacheConfig cacheConfig(BlockCache blockCache) {
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.of(FAMILY);
    return new CacheConfig(conf, family, blockCache, allocator);
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("row-%06d", number));
  }

  private static byte[] value(int number) {
    byte[] value = new byte[700 + number % 600];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  private void write(CacheConfig cacheConfig, HFileContextBuilder context) throws IOException {
    HFileContext built = context.withBlockSize(BLOCK_BYTES).withIncludesMvcc(false).build();
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, cacheConfig)
            .withPath(files, path)
            .withFileContext(built)
            .create()) {
      for (int number = 0; number < ROWS; number++) {
        writer.append(new KeyValue(row(number), FAMILY, FAMILY, 1L, value(number)));
      }
    }
  }

  private HFile.Reader reader(CacheConfig cacheConfig, DataBlockEncoding encoding)
      throws IOException {
    HFile.Reader reader = HFile.createReader(files, path, cacheConfig, true, conf);
    reader.setDataBlockEncoder(new HFileDataBlockEncoderImpl(encoding));
    return reader;
  }

  private void readAll(HFile.Reader reader, boolean pread) throws IOException {
    try (HFileScanner scanner = reader.getScanner(conf, true, pread, false)) {
      int number = 0;
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        assertThat(CellUtil.cloneRow(scanner.getCell())).isEqualTo(row(number));
        assertThat(CellUtil.cloneValue(scanner.getCell())).isEqualTo(value(number));
        number++;
      }
      assertThat(number).isEqualTo(ROWS);
    }
  }

  private TierStats dram() {
    return OpenCaches.dram(cache);
  }

  private void assertSecondReadHits(DataBlockEncoding encoding, BlockCache blockCache)
      throws IOException {
    try (HFile.Reader reader = reader(cacheConfig(blockCache), encoding)) {
      readAll(reader, true);
      long blocks = cache.getDataBlockCount();
      assertThat(blocks).isGreaterThan(100);
      long missesBefore = cache.getStats().getMissCount();
      final long hitsBefore = cache.getStats().getHitCount();

      readAll(reader, true);
      readAll(reader, false);

      assertThat(cache.getStats().getMissCount()).isEqualTo(missesBefore);
      assertThat(cache.getStats().getHitCount()).isGreaterThanOrEqualTo(hitsBefore + 2 * blocks);
      assertThat(cache.getStats().getFailedInserts()).isZero();
    }
  }

  @Test
  void aPlainFileIsReadFromTheCache() throws IOException {
    write(cacheConfig(null), new HFileContextBuilder());

    assertSecondReadHits(DataBlockEncoding.NONE, cache);
  }

  @Test
  void anEncodedFileIsReadFromTheCache() throws IOException {
    write(
        cacheConfig(null),
        new HFileContextBuilder().withDataBlockEncoding(DataBlockEncoding.FAST_DIFF));

    assertSecondReadHits(DataBlockEncoding.FAST_DIFF, cache);
  }

  @Test
  void aCompressedFileIsReadFromTheCache() throws IOException {
    write(cacheConfig(null), new HFileContextBuilder().withCompression(Compression.Algorithm.GZ));

    assertSecondReadHits(DataBlockEncoding.NONE, cache);
    assertSizesLeadFromBlockToBlock();
  }

  /** As a prefetch goes through a file that is cached. */
  private void assertSizesLeadFromBlockToBlock() throws IOException {
    try (HFile.Reader reader = reader(cacheConfig(cache), DataBlockEncoding.NONE)) {
      long end = reader.getTrailer().getLoadOnOpenDataOffset();
      long offset = 0;
      while (offset < end) {
        BlockCacheKey key = new BlockCacheKey(path.getName(), offset);
        offset += cache.getBlockSize(key).orElseThrow();
      }
      assertThat(offset).isEqualTo(end);
    }
  }

  @Test
  void blocksThatAreCachedCompressedAreUnpackedOnEachRead() throws IOException {
    conf.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, true);
    write(cacheConfig(null), new HFileContextBuilder().withCompression(Compression.Algorithm.GZ));

    assertSecondReadHits(DataBlockEncoding.NONE, cache);
    assertSizesLeadFromBlockToBlock();
  }

  /** Below another cache, as {@code hbase.blockcache.external.class} puts it, blocks are pooled. */
  @Test
  void blocksOfPooledMemoryAreCopied() throws IOException {
    conf.setInt("hbase.server.allocator.buffer.size", 4 << 10);
    allocator = ByteBuffAllocator.create(conf, true);
    LruBlockCache above = new LruBlockCache(4 << 20, 64 << 10);
    write(cacheConfig(null), new HFileContextBuilder());

    assertSecondReadHits(DataBlockEncoding.NONE, new CombinedBlockCache(above, cache));

    assertThat(allocator.getTotalBufferCount()).isPositive();
    above.shutdown();
  }

  @Test
  void aFileThatIsCachedWhenItIsWrittenIsNotReadAtAll() throws IOException {
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_INDEX_BLOCKS_ON_WRITE_KEY, true);
    write(cacheConfig(cache), new HFileContextBuilder());
    assertThat(cache.getDataBlockCount()).isGreaterThan(100);

    try (HFile.Reader reader = reader(cacheConfig(cache), DataBlockEncoding.NONE)) {
      readAll(reader, true);
    }

    assertThat(cache.getStats().getDataMissCount()).isZero();
    assertThat(cache.getStats().getFailedInserts()).isZero();
  }

  @Test
  void aTraceHasEachReadOnce() throws Exception {
    write(cacheConfig(null), new HFileContextBuilder());
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = beans.queryNames(new ObjectName("dev.terrace:*"), null).iterator().next();
    TerraceMXBean bean = JMX.newMXBeanProxy(beans, name, TerraceMXBean.class);
    long readsBefore;
    java.nio.file.Path trace;
    try (HFile.Reader reader = reader(cacheConfig(cache), DataBlockEncoding.NONE)) {
      readsBefore = cache.getStats().getRequestCount();
      trace = java.nio.file.Path.of(bean.startTrace(directory.getPath(), 1, 16, 60, true));
      readAll(reader, true);
      readAll(reader, true);
    }
    bean.stopTrace();

    List<RecordedTrace.Access> accesses = new ArrayList<>();
    try (InputStream in = Files.newInputStream(trace)) {
      RecordedTrace.read(in, accesses::add);
    }
    long blocks = cache.getBlockCount();
    assertThat(accesses.stream().filter(access -> access.kind() == TraceRecorder.Kind.READ))
        .hasSize((int) (cache.getStats().getRequestCount() - readsBefore))
        .hasSizeGreaterThanOrEqualTo((int) (2 * blocks));
    List<RecordedTrace.Access> puts =
        accesses.stream().filter(access -> access.kind() == TraceRecorder.Kind.PUT).toList();
    assertThat(puts).hasSize((int) blocks).doesNotHaveDuplicates();
    assertThat(puts.stream().mapToLong(RecordedTrace.Access::sizeBytes).sum())
        .isEqualTo(dram().space().payloadBytes());
  }

  @Test
  void aFileGoesWithItsReader() throws IOException {
    write(cacheConfig(null), new HFileContextBuilder());
    HFile.Reader reader = reader(cacheConfig(cache), DataBlockEncoding.NONE);
    readAll(reader, true);
    assertThat(cache.getBlockCount()).isGreaterThan(100);

    reader.close(true);

    assertThat(cache.getBlockCount()).isZero();
  }

  @Test
  void aPrefetchedFileIsFullyCachedAndNotPrefetchedAgain() throws IOException {
    write(cacheConfig(null), new HFileContextBuilder());
    conf.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);

    try (HFile.Reader reader = reader(cacheConfig(cache), DataBlockEncoding.NONE)) {
      awaitFullyCached();
      assertThat(cache.getFullyCachedFiles().orElseThrow())
          .containsOnly(Map.entry(path.getName(), prefetched(reader)));
      assertThat(cache.getRegionCachedInfo().orElseThrow())
          .containsOnly(Map.entry("region", dram().space().payloadBytes()));
      assertThat(reader.getTrailer().getLoadOnOpenDataOffset()).isPositive();
    }
    final long puts = dram().writes().puts();
    cache.notifyFileCachingCompleted(path, Integer.MAX_VALUE, 0, 0);
    assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();

    try (HFile.Reader again = reader(cacheConfig(cache), DataBlockEncoding.NONE)) {
      awaitFullyCached();
      assertThat(dram().writes().puts()).isEqualTo(puts);
      readAll(again, true);
    }
    assertThat(cache.getStats().getMissCount()).isZero();
  }

  @Test
  void aPrefetchFillsGaps() throws IOException {
    write(cacheConfig(null), new HFileContextBuilder());
    List<Long> offsets = new ArrayList<>();
    try (HFile.Reader reader = reader(cacheConfig(cache), DataBlockEncoding.NONE)) {
      readAll(reader, true);
      cache.iterator().forEachRemaining(block -> offsets.add(block.getOffset()));
    }
    Collections.sort(offsets);
    for (int i = 0; i < offsets.size(); i++) {
      if (i % 7 == 2 || i % 7 == 5) {
        cache.evictBlock(new BlockCacheKey(path.getName(), offsets.get(i)));
      }
    }
    conf.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);

    try (HFile.Reader again = reader(cacheConfig(cache), DataBlockEncoding.NONE)) {
      awaitFullyCached();
      assertThat(again.getTrailer().getLoadOnOpenDataOffset()).isPositive();
    }
    assertThat(offsets)
        .allMatch(
            offset ->
                cache.isAlreadyCached(new BlockCacheKey(path.getName(), offset)).orElseThrow());
  }

  private static Pair<String, Long> prefetched(HFile.Reader reader) {
    return new Pair<>("region", reader.getTrailer().getLoadOnOpenDataOffset());
  }

  private void awaitFullyCached() {
    await().until(() -> !cache.getFullyCachedFiles().orElseThrow().isEmpty());
  }

  @Test
  void aPrefetchStopsBeforeItPushesOthersOut() throws IOException {
    write(cacheConfig(null), new HFileContextBuilder());
    conf.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);
    TieredBlockCache small = caches.open(TerraceSettings.DRAM_SIZE.key(), "1m");

    try (HFile.Reader reader = reader(cacheConfig(small), DataBlockEncoding.NONE)) {
      await().until(() -> small.getBlockCount() > 0 && PrefetchExecutor.isCompleted(path));
      assertThat(small.getStats().getEvictedCount() + small.getStats().getFailedInserts()).isZero();
      assertThat(small.getCurrentSize()).isBetween(900L << 10, 1L << 20);
      assertThat(small.getFullyCachedFiles().orElseThrow()).isEmpty();
      readAll(reader, true);
    }

    assertThat(small.getCurrentSize()).isLessThanOrEqualTo(1 << 20);
  }
}
