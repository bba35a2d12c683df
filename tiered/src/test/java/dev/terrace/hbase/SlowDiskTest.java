// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.api.Source;
import dev.terrace.hbase.blocks.BlockInserter;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.hbase.blocks.HeapCopies;
import dev.terrace.hbase.blocks.PackedBlockFilter;
import dev.terrace.hbase.cacheonwrite.PutRouter;
import dev.terrace.hbase.diagnosis.FileEvents;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.HBaseThreads;
import dev.terrace.hbase.status.FamilyLookups;
import dev.terrace.hbase.status.TerraceCacheStats;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import dev.terrace.tiered.trace.TraceRecorder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who is served by an SSD, and who by the store below it: readers and what else uses the cache,
 * over a disk and a store that take as long as the test says. Only their clock moves.
 */
class SlowDiskTest {

  private static final int BLOCK_BYTES = 1_000;
  private static final int HOT_BLOCKS = 8;

  /** Lets each bound settle. */
  private static final int READS = 6_000;

  private final AtomicLong now = new AtomicLong(1);
  private final AtomicLong diskMicros = new AtomicLong();
  private final AtomicInteger files = new AtomicInteger();
  private final SimulatedDevice disk =
      new SimulatedDevice(new SimulatedDisk(12, 1 << 20), false, 1)
          .onRead(() -> pass(diskMicros.get()));
  private final PackedBlockFilter formats = new PackedBlockFilter();
  private final HBaseBlockCodec codec = new HBaseBlockCodec(formats);
  private final RegionTier<Cacheable> ssd =
      new RegionTier<>(
          codec, List.of(disk), RegionConfig.named("ssd", FILES), path -> Runnable::run, now::get);
  private final TieredCache<Cacheable> tiers =
      new TieredCache<>(
          FILES,
          List.of(ssd),
          codec,
          Movement.standard(List.of(ssd), false, Map.of(), now::get, Runnable::run, 8 << 20));
  private final PutRouter puts = new PutRouter(new BlockInserter(tiers), null, null);
  private final FileCatalog known = new FileCatalog(FILES, Stream::of, now::get);
  private final BlockAccess blocks =
      new BlockAccess(
          tiers,
          new HeapCopies(Optional::empty, true),
          formats,
          puts,
          known,
          null,
          null,
          new FileEvents(tiers, known, () -> 0),
          new FamilyLookups(tiers, known, () -> 0),
          new TraceRecorder(name -> null, now::get),
          new StoreReads(now::get, ssd::storeRead),
          new TerraceCacheStats(() -> Stream.of(ssd.stats()), new Configuration(false), () -> 0));

  private void pass(long micros) {
    now.addAndGet(TimeUnit.MICROSECONDS.toNanos(micros));
  }

  @BeforeEach
  void cacheHotBlocks() {
    ssd.start();
    for (int i = 0; i < HOT_BLOCKS; i++) {
      blocks.put(hot(i), block(hot(i)), false, Source.PREFETCH);
    }
    ssd.sealOpen();
  }

  @AfterEach
  void close() throws InterruptedException {
    tiers.close();
    assertThat(ssd.awaitReleased(Patience.LIMIT)).isTrue();
  }

  private static BlockCacheKey hot(int number) {
    return TestBlocks.key("hot" + number, 0);
  }

  private static Cacheable block(BlockCacheKey key) {
    return TestBlocks.data(key.getHfileName(), key.getOffset(), BLOCK_BYTES);
  }

  private BlockCacheKey cold() {
    return TestBlocks.key("cold" + files.incrementAndGet(), 0);
  }

  /** A reader misses a block, as HBase's does: once more under its lock, then it reads the file. */
  private void read(BlockCacheKey key, long storeMicros) {
    assertThat(blocks.get(key, true, false, true)).isNull();
    assertThat(blocks.get(key, true, true, true)).isNull();
    pass(storeMicros);
    Cacheable block = block(key);
    blocks.put(key, block, false, HBaseThreads.sourceOf(key, block, false));
  }

  /** What else reads blocks and caches them: none of it goes to the store for each block. */
  private enum Other {
    PREFETCH,
    WARMING,
    SCAN;

    void readOne(SlowDiskTest test, int number) throws IOException {
      int memoryMicros = 50;
      switch (this) {
        case PREFETCH -> {
          BlockCacheKey key = test.cold();
          assertThat(test.blocks.get(key, true, false, false)).isNull();
          test.pass(memoryMicros);
          Cacheable block = block(key);
          test.blocks.put(key, block, false, HBaseThreads.sourceOf(key, block, true));
        }
        case WARMING -> {
          BlockCacheKey key = test.cold();
          test.puts.readInto(0, () -> test.read(key, memoryMicros));
        }
        // Its stream has read ahead.
        case SCAN ->
            test.read(TestBlocks.key("scanned", (long) number * BLOCK_BYTES), memoryMicros);
      }
    }
  }

  /** As many readers as there are hot blocks; the disk answers once all of them wait for it. */
  private List<Cacheable> readHotAtOnce(int expectedInside) {
    diskMicros.set(0);
    disk.stall();
    ExecutorService threads = Executors.newFixedThreadPool(HOT_BLOCKS);
    try {
      List<CompletableFuture<Cacheable>> readers = new ArrayList<>();
      for (int i = 0; i < HOT_BLOCKS; i++) {
        BlockCacheKey key = hot(i);
        readers.add(
            CompletableFuture.supplyAsync(() -> blocks.get(key, true, false, true), threads));
      }
      Awaitility.await()
          .until(
              () ->
                  readers.stream().filter(CompletableFuture::isDone).count() + disk.waiting()
                      == HOT_BLOCKS);
      assertThat(disk.waiting()).as("readers inside the disk").isEqualTo(expectedInside);
      disk.resume();
      return readers.stream().map(CompletableFuture::join).toList();
    } finally {
      disk.resume();
      threads.shutdown();
    }
  }

  private void readFromDisk(int times) {
    for (int i = 0; i < times; i++) {
      blocks.get(hot(i % HOT_BLOCKS), true, false, true).release();
    }
  }

  @ParameterizedTest
  @EnumSource(Other.class)
  void readersGetTheirBlocksFromADiskThatIsFasterThanTheStore(Other other) throws IOException {
    diskMicros.set(900);
    for (int i = 0; i < READS; i++) {
      if (i % 60 == 0) {
        read(cold(), 20_000);
      }
      other.readOne(this, i);
      readFromDisk(1);
    }
    List<Cacheable> found = readHotAtOnce(HOT_BLOCKS);
    for (int i = 0; i < HOT_BLOCKS; i++) {
      assertThat(found.get(i)).isEqualTo(block(hot(i)));
      found.get(i).release();
    }
  }

  @Test
  void readersBeyondWhatASlowerDiskServesGoToTheStoreAtOnce() {
    diskMicros.set(4_000);
    IntStream.range(0, 100).forEach(i -> read(cold(), 1_000));
    readFromDisk(READS);
    List<Cacheable> found = readHotAtOnce(1);
    assertThat(found.stream().filter(block -> block != null)).hasSize(1);
    found.stream().filter(block -> block != null).forEach(Cacheable::release);
  }
}
