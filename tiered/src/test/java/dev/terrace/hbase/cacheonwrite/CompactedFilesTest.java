// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.cacheonwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.status.TerraceMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Real HFiles, some of whose blocks are cached, are merged as a compaction merges them. */
@Tag("hadoop")
class CompactedFilesTest {

  private static final String COMPACTION = "regionserver/host:16020-shortCompactions-0";
  private static final int BLOCK_BYTES = 8 << 10;
  private static final int VALUE_BYTES = 250;
  private static final int ROWS = 24_000;
  private static final int HOT_GROUPS = 40;
  private static final int ROWS_OF_HOT_GROUP = 60;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir File directory;

  private final SplittableRandom random = new SplittableRandom(11);
  private final Configuration conf = new Configuration();
  private TieredBlockCache cache;
  private int files;

  private void open(String... keysAndValues) {
    List<String> settings = new ArrayList<>(List.of(TerraceSettings.DRAM_SIZE.key(), "64m"));
    settings.addAll(List.of(keysAndValues));
    cache = caches.open(settings.toArray(String[]::new));
  }

  private CacheConfig cacheConfig() {
    return new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP);
  }

  private Path nextPath() {
    return new Path(directory.getPath(), String.format(Locale.ROOT, "region/f/%032d", ++files));
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "row-%08d", number));
  }

  private static KeyValue cell(int number) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(number).nextBytes(value);
    return new KeyValue(row(number), FAMILY, FAMILY, 1L, value);
  }

  private HFile.Writer writer(Path path, CacheConfig cacheConfig, Compression.Algorithm compression)
      throws IOException {
    return HFile.getWriterFactory(conf, cacheConfig)
        .withPath(FileSystem.getLocal(conf), path)
        .withFileContext(
            new HFileContextBuilder()
                .withBlockSize(BLOCK_BYTES)
                .withCompression(compression)
                .build())
        .create();
  }

  private HFile.Reader reader(Path path) throws IOException {
    return HFile.createReader(FileSystem.getLocal(conf), path, cacheConfig(), true, conf);
  }

  /** Writes rows to files, each to one of them, by these weights. */
  private List<Path> write(Compression.Algorithm compression, int... weights) throws IOException {
    List<Path> paths = new ArrayList<>();
    List<HFile.Writer> writers = new ArrayList<>();
    CacheConfig uncached = new CacheConfig(conf, null, null, ByteBuffAllocator.HEAP);
    for (int weight : weights) {
      assertThat(weight).isPositive();
      Path path = nextPath();
      paths.add(path);
      writers.add(writer(path, uncached, compression));
    }
    int sum = Arrays.stream(weights).sum();
    for (int number = 0; number < ROWS; number++) {
      int rest = random.nextInt(sum);
      int file = 0;
      while (rest >= weights[file]) {
        rest -= weights[file++];
      }
      writers.get(file).append(cell(number));
    }
    for (HFile.Writer writer : writers) {
      writer.close();
    }
    return paths;
  }

  /** Rows in groups, far from one another. */
  private Set<Integer> hotRows() {
    Set<Integer> hot = new TreeSet<>();
    for (int group = 0; group < HOT_GROUPS; group++) {
      int first = group * (ROWS / HOT_GROUPS) + random.nextInt(300);
      for (int number = first; number < first + ROWS_OF_HOT_GROUP; number++) {
        hot.add(number);
      }
    }
    return hot;
  }

  /** Reads rows as gets do, and returns how many were found. */
  private int get(List<Path> paths, Set<Integer> rows) throws IOException {
    int found = 0;
    for (Path path : paths) {
      try (HFile.Reader reader = reader(path);
          HFileScanner scanner = reader.getScanner(conf, true, true, false)) {
        for (int number : rows) {
          KeyValue wanted = cell(number);
          if (scanner.seekTo(wanted) == 0) {
            assertThat(CellUtil.cloneValue(scanner.getCell()))
                .isEqualTo(CellUtil.cloneValue(wanted));
            found++;
          }
        }
      }
    }
    return found;
  }

  /** Merges files as HBase does, on a thread of this name, and returns the new file. */
  private Path compact(String thread, List<Path> inputs, Compression.Algorithm compression) {
    Path output = nextPath();
    CompletableFuture<Void> end = new CompletableFuture<>();
    Runnable merge =
        () -> {
          try {
            merge(inputs, output, compression);
            end.complete(null);
          } catch (IOException | RuntimeException | Error e) {
            end.completeExceptionally(e);
          }
        };
    new Thread(merge, thread).start();
    end.join();
    return output;
  }

  private void merge(List<Path> inputs, Path output, Compression.Algorithm compression)
      throws IOException {
    CacheConfig cachingOutput = cacheConfig();
    cachingOutput.enableCacheOnWrite();
    PriorityQueue<HFileScanner> heap =
        new PriorityQueue<>(
            Comparator.comparing(HFileScanner::getCell, CellComparatorImpl.COMPARATOR));
    List<HFile.Reader> readers = new ArrayList<>();
    try (HFile.Writer writer = writer(output, cachingOutput, compression)) {
      for (Path input : inputs) {
        HFile.Reader reader = reader(input);
        readers.add(reader);
        HFileScanner scanner = reader.getScanner(conf, false, false, true);
        scanner.seekTo();
        heap.add(scanner);
      }
      while (!heap.isEmpty()) {
        HFileScanner scanner = heap.poll();
        KeyValue cell = KeyValueUtil.copyToNewKeyValue(scanner.getCell());
        if (scanner.next()) {
          heap.add(scanner);
        } else {
          scanner.close();
        }
        writer.append(cell);
      }
    } finally {
      for (HFile.Reader reader : readers) {
        reader.close(false);
      }
    }
  }

  private static Map<String, Long> figures() {
    try {
      MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = beans.queryNames(new ObjectName("dev.terrace:*"), null).iterator().next();
      return JMX.newMXBeanProxy(beans, name, TerraceMXBean.class).getCompactionCaching();
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }

  private TierStats dram() {
    return OpenCaches.dram(cache);
  }

  private TierStats ssd() {
    return cache.tierStats().get("ssd");
  }

  /** The share of the gets of rows in a file that find their block in the cache. */
  private double hitRatio(Path file, Set<Integer> rows) throws IOException {
    long hits = cache.getStats().getHitCount();
    long requests = cache.getStats().getRequestCount();
    assertThat(get(List.of(file), rows)).isEqualTo(rows.size());
    return (double) (cache.getStats().getHitCount() - hits)
        / (cache.getStats().getRequestCount() - requests);
  }

  private void assertHeatIsPassedOn(
      double minHits, Compression.Algorithm compression, int... weights) throws IOException {
    open();
    List<Path> inputs = write(compression, weights);
    Set<Integer> hot = hotRows();
    assertThat(get(inputs, hot)).isEqualTo(hot.size());

    Path output = compact(COMPACTION, inputs, compression);

    long residentBytes = figures().get("residentBytesRead");
    assertThat(residentBytes).isBetween(hot.size() * 300L, dram().space().payloadBytes());
    assertThat(figures().get("bytesPassedOn"))
        .isBetween(residentBytes / 2, (long) (1.5 * residentBytes) + 8 * 2 * BLOCK_BYTES);
    assertThat(figures().get("coldBlocksWritten")).isGreaterThan(ROWS / 30 / 3);
    assertThat(hitRatio(output, hot)).isGreaterThan(minHits);
  }

  @Test
  void hotRowsOfOneFileStayHot() throws IOException {
    assertHeatIsPassedOn(0.99, Compression.Algorithm.NONE, 1);
  }

  @Test
  void hotRowsOfCompressedFilesStayHot() throws IOException {
    assertHeatIsPassedOn(0.9, Compression.Algorithm.GZ, 20, 1);
  }

  @Test
  void hotRowsOfALargeFileAndSmallOnesStayHot() throws IOException {
    assertHeatIsPassedOn(0.9, Compression.Algorithm.NONE, 40, 2, 1);
  }

  @Test
  void hotRowsOfFilesOfOneSizeStayHotMostly() throws IOException {
    assertHeatIsPassedOn(0.8, Compression.Algorithm.NONE, 1, 1, 1);
  }

  @Test
  void whatWasCompactedIsNotWrittenToTheSsdAnyMore() throws IOException {
    open(
        TerraceSettings.DRAM_SIZE.key(),
        "1m",
        TerraceSettings.SSD_PATHS.key(),
        new File(directory, "ssd").getPath(),
        TerraceSettings.SSD_SIZE.key(),
        "16m");
    List<Path> inputs = write(Compression.Algorithm.NONE, 1);
    compact(COMPACTION, inputs, Compression.Algorithm.NONE);

    await()
        .untilAsserted(
            () -> {
              get(inputs, hotRows());
              assertThat(ssd().events().refusals()).containsKey(PutOutcome.EXPIRING);
            });

    // Nothing tells that the compaction is done with the file's last block.
    assertThat(ssd().writes().puts()).isLessThanOrEqualTo(1);
  }

  @Test
  void whatWasColdStaysCold() throws IOException {
    open();
    List<Path> inputs = write(Compression.Algorithm.NONE, 3, 1);

    Path output = compact(COMPACTION, inputs, Compression.Algorithm.NONE);

    assertThat(cache)
        .filteredOn(block -> block.getBlockType().isData())
        .allSatisfy(block -> assertThat(block.getFilename()).isNotEqualTo(output.getName()));
    assertThat(figures().get("bytesPassedOn")).isZero();
    assertThat(figures().get("coldBlocksWritten")).isGreaterThan(ROWS / 30);
  }

  @Test
  void whatIsNoCompactionIsCachedAsAlways() throws IOException {
    open();
    List<Path> inputs = write(Compression.Algorithm.NONE, 1);
    long before = dram().writes().puts();

    compact("MemStoreFlusher.0", inputs, Compression.Algorithm.NONE);

    assertThat(dram().writes().puts() - before).isGreaterThan(ROWS / 30);
    assertThat(figures().values()).containsOnly(0L);
  }

  @Test
  void canBeTurnedOff() throws IOException {
    open(TerraceSettings.CACHE_HOT_OUTPUT.key(), "false");
    List<Path> inputs = write(Compression.Algorithm.NONE, 1);
    long before = dram().writes().puts();

    compact(COMPACTION, inputs, Compression.Algorithm.NONE);

    assertThat(dram().writes().puts() - before).isGreaterThan(ROWS / 30);
  }

  @Test
  void anOperatorMayHaveAllOfTheOutputCached() throws IOException {
    open(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, "true");
    List<Path> inputs = write(Compression.Algorithm.NONE, 1);

    Path output = compact(COMPACTION, inputs, Compression.Algorithm.NONE);

    assertThat(hitRatio(output, hotRows())).isOne();
  }
}
