// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.CacheFiles;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.PathStats;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.blocks.BlockTypes;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.hbase.settings.LiveSettings;
import dev.terrace.hbase.settings.ReadSettings;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.region.RegionTier;
import dev.terrace.region.log.ExpiringBlocks;
import dev.terrace.region.memory.DirectMemory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HBase's block cache on tiers that survive a restart, with and without DRAM above them. */
class LowerTiersTest {

  private static final int BLOCK_BYTES = 66_000;
  private static final int BLOCKS = 100;

  private static final BlockTraits DATA =
      new BlockTraits(BlockTypes.number(BlockType.DATA), Residency.ORDINARY);

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @RegisterExtension final LogLines log = new LogLines(SettingsException.class);
  @RegisterExtension final LogLines serviceLog = new LogLines(TerraceService.class);
  @RegisterExtension final LogLines liveLog = new LogLines(LiveSettings.class);
  @RegisterExtension final LogLines tierLog = new LogLines("dev.terrace.region.log.CorruptionLog");

  @RegisterExtension
  final LogLines healthLog = new LogLines("dev.terrace.region.device.PathReport");

  @TempDir Path folder;

  private Path path(String tier) {
    return folder.resolve(tier);
  }

  private String[] only(String tier) {
    return new String[] {
      "hbase.terrace.dram.size",
      "0",
      "hbase.terrace." + tier + ".paths",
      path(tier).toString(),
      "hbase.terrace." + tier + ".size",
      "64m"
    };
  }

  private TieredBlockCache open(String... keysAndValues) {
    return caches.track(
        new TieredBlockCache(
            OpenCaches.conf(keysAndValues), EntryPoint.EMBEDDED, System::nanoTime));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aStartThatFailsLateReleasesItsPathsAndMemory(String tier) {
    String[] settings = only(tier);
    settings[1] = "64m";
    Configuration wrong = OpenCaches.conf(settings);
    wrong.set("hbase.blockcache.stats.period.minutes", "five");
    long freeBytes = DirectMemory.freeBytes();

    assertThatThrownBy(() -> new TieredBlockCache(wrong, EntryPoint.EMBEDDED, System::nanoTime))
        .isInstanceOf(NumberFormatException.class);

    await()
        .untilAsserted(
            () -> assertThat(DirectMemory.freeBytes()).isGreaterThan(freeBytes - (32L << 20)));
    await().ignoreExceptions().untilAsserted(() -> open(settings).shutdown());
  }

  private static void put(TieredBlockCache cache, long offset) {
    cache.cacheBlock(TestBlocks.key("file", offset), TestBlocks.data("file", offset, BLOCK_BYTES));
  }

  /** Nothing is taken for as long as no region is ready. */
  private static void fill(TieredBlockCache cache) {
    for (long offset = 0; offset < BLOCKS; offset++) {
      if (!isTaken(cache, offset)) {
        long again = offset;
        await().until(() -> isTaken(cache, again));
      }
    }
  }

  private static boolean isTaken(TieredBlockCache cache, long offset) {
    put(cache, offset);
    return cache.isAlreadyCached(TestBlocks.key("file", offset)).orElseThrow();
  }

  private static void assertRight(TieredBlockCache cache, long offset) {
    Cacheable block = cache.getBlock(TestBlocks.key("file", offset), true, false, true);
    assertThat(block).as("block at " + offset).isNotNull();
    assertThat(block).isEqualTo(TestBlocks.data("file", offset, BLOCK_BYTES));
    block.release();
  }

  private static TierStats stats(TieredBlockCache cache, String tier) {
    return cache.tierStats().get(tier);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aLowerTierWritesWhatIsOpenWhenAskedTo(String tier) throws InterruptedException {
    TieredBlockCache cache = open(only(tier));
    fill(cache);
    assertThat(cache.isSealed()).isFalse();

    cache.sealOpen();

    await().until(cache::isSealed);
    assertRight(cache, 0);
    assertRight(cache, BLOCKS - 1);
    assertThat(cache.awaitReleased(Duration.ofMillis(1))).isFalse();
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aLowerTierServesAlone(String tier) {
    TieredBlockCache cache = open(only(tier));
    fill(cache);

    for (long offset = 0; offset < BLOCKS; offset++) {
      assertRight(cache, offset);
    }

    assertThat(cache.tierStats()).containsOnlyKeys(tier);
    assertThat(cache.getMaxSize()).isEqualTo(64L << 20);
    assertThat(cache.getBlockCount()).isEqualTo(BLOCKS);
    assertThat(cache.getDataBlockCount()).isEqualTo(BLOCKS);
    assertThat(cache.getCurrentDataSize()).isEqualTo(stats(cache, tier).space().payloadBytes());
    assertThat(cache.getCurrentSize()).isBetween((long) BLOCKS * BLOCK_BYTES, 64L << 20);
    assertThat(cache.getStats().getHitCount()).isEqualTo(BLOCKS);
    assertThat(cache.heapSize()).isPositive();
    assertThat(cache.evictBlocksByHfileName("file")).isEqualTo(BLOCKS);
    assertThat(stats(cache, tier).events().evictions())
        .containsEntry(EvictionCause.FILE, (long) BLOCKS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void whatALowerTierHoldsIsThereAfterARestart(String tier) {
    TieredBlockCache before = open(only(tier));
    fill(before);
    before.shutdown();

    TieredBlockCache after = reopen(only(tier));

    await().until(() -> after.getBlockCount() == BLOCKS);
    for (long offset = 0; offset < BLOCKS; offset++) {
      assertRight(after, offset);
    }
    assertThat(stats(after, tier).events().faults()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void afterARestartItIsKnownWhereFilesBelongAndWhichAreComplete(String tier) {
    TieredBlockCache before = open(only(tier));
    String name = "0123456789abcdef0123456789abcdef";
    org.apache.hadoop.fs.Path whole =
        new org.apache.hadoop.fs.Path("/hbase/data/default/t/region/f/" + name);
    for (long offset = 0; offset < BLOCKS; offset++) {
      putUntilTaken(before, whole, offset);
    }
    before.notifyFileCachingCompleted(whole, BLOCKS, BLOCKS, BLOCKS);
    Map<String, Long> regions = before.getRegionCachedInfo().orElseThrow();
    assertThat(regions).containsOnlyKeys("region");
    before.shutdown();

    TieredBlockCache after = reopen(only(tier));

    await().untilAsserted(() -> assertThat(after.getRegionCachedInfo()).contains(regions));
    assertThat(after.getFullyCachedFiles().orElseThrow())
        .containsOnly(Map.entry(name, new Pair<>("region", (long) BLOCKS)));
    after.evictBlock(TestBlocks.key(name, 7));
    assertThat(after.getFullyCachedFiles().orElseThrow()).isEmpty();
  }

  @Test
  void theLogNamesWhatADiskDamagedAndHow() throws Exception {
    TieredBlockCache cache = open(only("ssd"));
    fill(cache);
    cache.sealOpen();
    await().until(cache::isSealed);
    try (RandomAccessFile regions =
        new RandomAccessFile(path("ssd").resolve("terrace/regions").toFile(), "rw")) {
      // The second page of a region is inside of its first block.
      for (long page = 4096; page < regions.length(); page += 1 << 20) {
        regions.seek(page);
        int before = regions.read();
        regions.seek(page);
        regions.write(~before);
      }
    }
    assertThat(cache.getBlock(TestBlocks.key("file", 0), true, false, true)).isNull();

    assertThat(tierLog.lines())
        .singleElement()
        .asString()
        .startsWith("WARN Dropped a cached block, ")
        .contains(": file=file offset=0, region=", " of " + path("ssd"));
    assertThat(stats(cache, "ssd").events().evictions())
        .containsExactly(Map.entry(EvictionCause.CORRUPTION, 1L));
    assertThat(stats(cache, "ssd").events().faults())
        .containsExactly(Map.entry(TierFault.CORRUPT_BLOCK, 1L));
  }

  private static void putUntilTaken(
      TieredBlockCache cache, org.apache.hadoop.fs.Path file, long offset) {
    BlockCacheKey key = new BlockCacheKey(file, offset, true, BlockType.DATA);
    await()
        .until(
            () -> {
              cache.cacheBlock(key, TestBlocks.data(file.getName(), offset, BLOCK_BYTES));
              return cache.isAlreadyCached(key).orElseThrow();
            });
  }

  /** A region server shuts its cache down before it closes its regions. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "16m"})
  void whatIsEvictedBecauseTheServerEndsIsThereAfterARestart(String dramSize) {
    String[] settings = only("pmem");
    settings[1] = dramSize;
    TieredBlockCache before = open(settings);
    fill(before);
    before.shutdown();
    assertThat(before.evictBlocksByHfileName("file")).isZero();
    assertThat(before.evictBlocksRangeByHfileName("file", 0, BLOCKS)).isZero();

    TieredBlockCache after = reopen(settings);

    await().until(() -> stats(after, "pmem").space().blocks() == BLOCKS);
    assertThat(after.evictBlocksByHfileName("file")).isEqualTo(BLOCKS);
  }

  /** A closed cache gives its paths back in the background. */
  private TieredBlockCache reopen(String... keysAndValues) {
    TieredBlockCache[] opened = new TieredBlockCache[1];
    await()
        .ignoreExceptionsMatching(e -> e.getMessage().contains("in use"))
        .until(
            () -> {
              opened[0] = open(keysAndValues);
              return true;
            });
    return opened[0];
  }

  @Test
  void allThreeTiersAreToldOf() {
    TieredBlockCache cache =
        open(
            "hbase.terrace.pmem.paths", path("p0") + "," + path("p1"),
            "hbase.terrace.pmem.size", "64m",
            "hbase.terrace.ssd.paths", path("s").toString(),
            "hbase.terrace.ssd.size", "128m",
            "hbase.terrace.ssd.verify", "false");

    assertThat(cache.tierStats()).containsOnlyKeys("dram", "pmem", "ssd");
    assertThat(cache.getMaxSize()).isEqualTo((16L + 64 + 128) << 20);
    assertThat(serviceLog.lines())
        .singleElement()
        .asString()
        .endsWith(
            "dram 16 MB direct memory; pmem 64 MB in "
                + path("p0")
                + ", "
                + path("p1")
                + " (not DAX); ssd 128 MB in "
                + path("s")
                + " (page cache, not verified)");
  }

  @Test
  void aPathInUseIsAnErrorThatNamesTheKeyAndLeavesNothingOpen() {
    open(only("ssd"));
    Configuration conf =
        OpenCaches.conf(
            "hbase.terrace.pmem.paths",
            path("pmem").toString(),
            "hbase.terrace.pmem.size",
            "64m",
            "hbase.terrace.ssd.paths",
            path("ssd").toString(),
            "hbase.terrace.ssd.size",
            "64m");

    assertThatThrownBy(() -> new TieredBlockCache(conf))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("hbase.terrace.ssd.paths cannot be used: path=" + path("ssd"))
        .hasMessageContaining("in use");
    assertThat(log.lines())
        .singleElement()
        .asString()
        .startsWith("ERROR Terrace cannot start: hbase.terrace.ssd.paths cannot be used: ");
    reopen(only("pmem"));
  }

  @Test
  void aPathThatCannotBeUsedIsLeftOutWithOneLine() throws Exception {
    Path file = breakPath("ssd");

    TieredBlockCache cache =
        open(
            "hbase.terrace.ssd.paths",
            path("ssd") + "," + path("other"),
            "hbase.terrace.ssd.size",
            "64m");

    assertThat(stats(cache, "ssd").paths())
        .extracting(path -> path.now().state())
        .containsExactly(PathStats.State.OUT, PathStats.State.IN_SERVICE);
    assertThat(stats(cache, "ssd").events().faults()).containsOnlyKeys(TierFault.DEVICE_OUT);
    assertThat(serviceLog.lines())
        .anyMatch(line -> line.contains(path("ssd") + " out of service, " + path("other") + " ("));
    assertThat(liveLog.lines()).noneMatch(line -> line.contains("cannot be used"));
    assertThat(healthLog.lines())
        .singleElement()
        .asString()
        .startsWith("WARN " + path("ssd") + ": out of service")
        .contains("is not a directory", "remove it");
    assertThat(file).isEmptyFile();
  }

  /** Has a file where the folder belongs. */
  private Path breakPath(String tier) throws IOException {
    Files.createDirectories(path(tier));
    return Files.createFile(path(tier).resolve("terrace"));
  }

  /** The tier's only path, too, whatever it turns out to be: on PMem it is memory here. */
  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void aPathThatCouldNotBeOpenedIsTriedAgain(String tier) throws Exception {
    TieredBlockCache before = open(only(tier));
    fill(before);
    before.shutdown();
    assertThat(before.awaitReleased(Patience.LIMIT)).isTrue();
    Path aside = Files.move(path(tier).resolve("terrace"), path(tier).resolve("aside"));
    Path file = breakPath(tier);
    TieredBlockCache cache = reopen(only(tier));
    assertThat(stats(cache, tier).paths())
        .extracting(path -> path.now().state())
        .containsExactly(PathStats.State.OUT);

    Files.delete(file);
    Files.move(aside, file);

    await().until(() -> cache.getBlockCount() == BLOCKS);
    assertRight(cache, 0);
    assertThat(stats(cache, tier).paths())
        .extracting(path -> path.now().state())
        .containsExactly(PathStats.State.IN_SERVICE);
    // The device of before counts its return when it has left, after the blocks are back.
    await()
        .untilAsserted(
            () ->
                assertThat(stats(cache, tier).events().faults())
                    .containsEntry(TierFault.DEVICE_OUT, 1L)
                    .containsEntry(TierFault.DEVICE_BACK, 1L));
  }

  @Test
  void spaceThatIsMissingForPmemIsAnErrorAtTheStart() throws Exception {
    long moreBytes = Files.getFileStore(folder).getUsableSpace() + (1L << 30);
    Configuration conf =
        OpenCaches.conf(
            "hbase.terrace.pmem.paths",
            path("pmem").toString(),
            "hbase.terrace.pmem.size",
            Long.toString(moreBytes));

    assertThatThrownBy(() -> new TieredBlockCache(conf))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("hbase.terrace.pmem.size=")
        .hasMessageContaining(" is too large for ")
        .hasMessageContaining("set hbase.terrace.pmem.size to ");
  }

  @Test
  void theEndOfTheJvmWaitsForWhatIsOpen() {
    OpenTiers tiers =
        new OpenTiers(
            ReadSettings.of(new SiteValues(OpenCaches.conf(only("ssd")))),
            new OpenTiers.ServerLimits(Long.MAX_VALUE, 0, Long.MAX_VALUE, 12),
            new HBaseBlockCodec(),
            split ->
                split.withContents(
                    TerraceSettings.OF_NO_TIER.pathContents(new SiteValues(OpenCaches.conf())),
                    Optional.empty()),
            new CacheFiles(),
            ExpiringBlocks.NONE);
    RegionTier<Cacheable> ssd = tiers.lasting().get(0);
    await()
        .until(
            () ->
                ssd.put(file("file"), 0, TestBlocks.data("file", 0, BLOCK_BYTES), DATA, 0)
                    == PutOutcome.STORED);

    new ShutdownHook(() -> {}, ssd::close, tiers.lasting(), Thread::new).closeAndWait();

    TieredBlockCache after = reopen(only("ssd"));
    await().until(() -> after.getBlockCount() == 1);
    assertRight(after, 0);
  }

  @Test
  void dramIsToldToWaitWhereThereIsNone() {
    TieredBlockCache cache = open(only("ssd"));
    cache.setMaxSize(32 << 20);
    Configuration more = OpenCaches.conf(only("ssd"));
    more.set("hbase.terrace.dram.size", "32m");
    more.set("hbase.terrace.ssd.size", "128m");
    cache.onConfigurationChange(more);

    assertThat(cache.getMaxSize()).isEqualTo(64L << 20);
    assertThat(liveLog.lines())
        .filteredOn(line -> line.startsWith("INFO"))
        .containsExactly(
            "INFO hbase.terrace.dram.size not applied: adding or removing the DRAM tier needs a"
                + " restart",
            "INFO Terrace read new settings: hbase.terrace.dram.size takes effect at the next"
                + " restart; hbase.terrace.ssd.size takes effect at the next restart, and empties"
                + " the tier, because its region size changes");
  }

  @Test
  void aFileWhoseBlocksAreInSeveralTiersIsFullyCached() throws InterruptedException {
    String[] lower = only("pmem");
    lower[1] = "4m";
    TieredBlockCache cache =
        caches.track(new TieredBlockCache(OpenCaches.conf(lower), EntryPoint.EMBEDDED, () -> 0L));
    Path directory = Path.of("/hbase/data/default/table/region/family");
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(directory.resolve("prefetched").toString());
    for (int i = 0; i < BLOCKS; i++) {
      long offset = i * (long) BLOCK_BYTES;
      BlockCacheKey key = new BlockCacheKey(file, offset, true, BlockType.DATA);
      HFileBlock block = TestBlocks.data("prefetched", offset, BLOCK_BYTES);
      await()
          .until(
              () -> {
                cache.cacheBlock(key, block, false, true);
                return cache.isAlreadyCached(key).orElseThrow();
              });
    }
    cache.notifyFileCachingCompleted(file, BLOCKS, BLOCKS, BLOCKS * (long) BLOCK_BYTES);

    assertThat(stats(cache, "dram").space().blocks()).isBetween(30L, 70L);
    // What is in DRAM may have been copied already, for the case of a crash.
    assertThat(stats(cache, "pmem").space().blocks()).isBetween(30L, (long) BLOCKS);
    assertThat(cache.getFullyCachedFiles().orElseThrow())
        .containsOnly(Map.entry("prefetched", new Pair<>("region", BLOCKS * (long) BLOCK_BYTES)));
    long bytes = BLOCKS * (BLOCK_BYTES + (long) HFileBlock.BLOCK_METADATA_SPACE);
    assertThat(cache.getRegionCachedInfo().orElseThrow()).containsOnly(Map.entry("region", bytes));

    cache.evictBlock(new BlockCacheKey(file, 0, true, BlockType.DATA));
    assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
  }

  @Test
  void aPrefetchAndACompactionLeaveTheHotSetInDram() throws InterruptedException {
    String[] lower = only("ssd");
    lower[1] = "8m";
    TieredBlockCache cache = open(lower);
    int hot = 80;
    for (int pass = 0; pass < 4; pass++) {
      for (int i = 0; i < hot; i++) {
        readHot(cache, i);
      }
    }
    for (int i = 0; i < 3_000; i++) {
      String file = i % 2 == 0 ? "prefetched" : "compacted";
      cache.cacheBlock(TestBlocks.key(file, i), TestBlocks.data(file, i, BLOCK_BYTES), false, true);
    }
    long before = stats(cache, "dram").reads().hits().counted();
    for (int i = 0; i < hot; i++) {
      readHot(cache, i);
    }
    assertThat(stats(cache, "dram").reads().hits().counted() - before)
        .as("hits in DRAM of %d", hot)
        .isGreaterThanOrEqualTo(hot - 1);
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();
  }

  private static void readHot(TieredBlockCache cache, long offset) {
    Cacheable block = cache.getBlock(TestBlocks.key("hot", offset), true, false, true);
    if (block == null) {
      cache.cacheBlock(TestBlocks.key("hot", offset), TestBlocks.data("hot", offset, BLOCK_BYTES));
    } else {
      block.release();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void whatAnOperatorClearedDoesNotComeBack(String tier) throws InterruptedException {
    TieredBlockCache cache = open(only(tier));
    BlockCacheKey kept = TestBlocks.key("kept", 0);
    await()
        .until(
            () -> {
              cache.cacheBlock(kept, TestBlocks.data("kept", 0, BLOCK_BYTES));
              return cache.isAlreadyCached(kept).orElseThrow();
            });
    fill(cache);
    Thread handler =
        new Thread(
            () -> cache.evictBlocksByHfileName("file"), "RpcServer.default.FPBQ.Fifo.handler=1");
    handler.start();
    handler.join();
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();

    TieredBlockCache again = open(only(tier));
    // Put first, so it is recovered last.
    await().until(() -> again.isAlreadyCached(kept).orElseThrow());
    for (long offset = 0; offset < BLOCKS; offset++) {
      assertThat(again.isAlreadyCached(TestBlocks.key("file", offset))).contains(false);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "ssd"})
  void whatWasInDramAloneIsThereAfterACleanStop(String tier) throws InterruptedException {
    String[] settings = only(tier);
    settings[1] = "8m";
    TieredBlockCache cache = open(settings);
    for (long offset = 0; offset < BLOCKS; offset++) {
      put(cache, offset);
    }
    long inDram = stats(cache, "dram").space().blocks();
    assertThat(inDram).isGreaterThan(BLOCKS * 9L / 10);
    // Copies are made each second: after a fast start none is, after a slow one some are.
    cache.shutdown();
    cache.shutdown();
    assertThat(cache.awaitReleased(Patience.LIMIT)).isTrue();

    TieredBlockCache again = open(settings);
    await().until(() -> stats(again, tier).space().blocks() >= inDram);
    for (long offset = 0; offset < BLOCKS; offset++) {
      if (again.isAlreadyCached(TestBlocks.key("file", offset)).orElseThrow()) {
        assertRight(again, offset);
      }
    }
    again.shutdown();
    assertThat(again.awaitReleased(Patience.LIMIT)).isTrue();
  }
}
