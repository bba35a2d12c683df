// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static dev.terrace.hbase.files.Compaction.NO_TIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TestTiers;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import dev.terrace.hbase.status.CacheSizes;
import dev.terrace.tiered.TieredCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Files that no store reads, that are cold, or that were compacted, in real tiers. */
class FilesToEvictFirstTest {

  private static final int BLOCK_BYTES = 66_000;
  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String HERE = "fedcba9876543210fedcba9876543210";
  private static final String REGION = "11111111111111111111111111111111";
  private static final String OTHER = "22222222222222222222222222222222";

  @RegisterExtension final TestTiers open = new TestTiers();
  @TempDir java.nio.file.Path folder;

  private final AtomicLong nanos = new AtomicLong(1);
  private final Map<String, List<OpenStoreFile>> regions = new HashMap<>();
  private final FileCatalog known =
      new FileCatalog(
          FILES,
          () ->
              regions.entrySet().stream()
                  .map(
                      region ->
                          new OnlineRegion(region.getKey(), true, List.copyOf(region.getValue()))),
          nanos::get);
  private final Set<String> cold = new HashSet<>();
  private final Map<RegionInfo, String> meta = new HashMap<>();
  private final ClosedRegions closedRegions =
      new ClosedRegions(asked -> asked.stream().map(meta::get).toList(), nanos::get);
  private final RunningCompactions compactions = new RunningCompactions(known);
  private final FilesToEvictFirst files =
      new FilesToEvictFirst(known, compactions, closedRegions, () -> cold, nanos::get);
  private final List<ExecutorService> pools = new ArrayList<>();
  private TieredCache<Cacheable> tiers;

  @AfterEach
  void endThreads() {
    pools.forEach(ExecutorService::shutdown);
  }

  @BeforeEach
  void open() {
    tiers =
        open.open(
            files,
            "hbase.terrace.dram.size",
            "8m",
            "hbase.terrace.ssd.paths",
            folder.toString(),
            "hbase.terrace.ssd.size",
            "64m");
    list(OTHER, HERE);
  }

  private void list(String region, String name) {
    list(region, name, Stage.OPEN);
  }

  private void list(String region, String name, Stage stage) {
    Path path = new Path("/hbase/data/default/t/" + region + "/f/" + name);
    regions.computeIfAbsent(region, added -> new ArrayList<>()).add(OpenPaths.file(path, stage));
  }

  private PutOutcome put(Tier<Cacheable> tier, String file, int offset) {
    HFileBlock block = TestBlocks.data(file, offset, BLOCK_BYTES);
    try {
      return tier.put(file(file), offset, block, DATA, 0);
    } finally {
      block.release();
    }
  }

  private void put(Tier<Cacheable> tier, String file, int from, int to) {
    for (int offset = from; offset < to; offset++) {
      int at = offset;
      await().until(() -> put(tier, file, at).isPresent());
    }
  }

  private Set<String> leaving() {
    return FILES.all().stream()
        .filter(file -> FileFacts.of(file).isLeaving)
        .map(CacheFile::name)
        .collect(Collectors.toSet());
  }

  private Set<String> namesAfter(Duration time) {
    files.check(tiers);
    nanos.addAndGet(time.toNanos());
    files.check(tiers);
    return leaving();
  }

  @Test
  void theyLeaveFirstAndAreFreeRoomUntilTheirRegionIsBack() {
    Tier<Cacheable> dram = open.all().get(0);
    Tier<Cacheable> ssd = open.all().get(1);
    CacheSizes sizes = new CacheSizes(open.all(), files::leavingBytes, nanos::get);
    list(REGION, FILE);
    put(dram, HERE, 0, 20);
    put(dram, FILE, 0, 50);
    put(ssd, FILE, 0, 50);
    for (int offset = 20; dram.hasFreeRoom(); offset++) {
      put(dram, HERE, offset, offset + 1);
    }
    int here = dram.usage(file(HERE)).blocks();
    int away = dram.usage(file(FILE)).blocks();
    assertThat(away).isEqualTo(50);
    assertThat(namesAfter(Duration.ofDays(1))).as("its region is open").isEmpty();
    long free = sizes.freeBytes();

    regions.remove(REGION);
    assertThat(namesAfter(FilesToEvictFirst.GRACE.minusSeconds(1))).isEmpty();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    files.check(tiers);
    assertThat(leaving()).containsExactly(FILE);
    long givenAwayBytes =
        dram.usage(file(FILE)).payloadBytes() + ssd.usage(file(FILE)).payloadBytes();
    assertThat(sizes.freeBytes()).isEqualTo(free + givenAwayBytes);
    assertThat(put(ssd, FILE, 1_000)).isEqualTo(PutOutcome.EXPIRING);

    put(dram, HERE, 1_000, 1_010);
    assertThat(dram.usage(file(HERE)).blocks()).isEqualTo(here + 10);
    assertThat(dram.usage(file(FILE)).blocks()).isBetween(away - 11, away - 9);
    assertThat(ssd.stats().events().evictions()).as("it has room").isEmpty();

    list(REGION, FILE);
    files.check(tiers);
    assertThat(leaving()).isEmpty();
    assertThat(dram.hasFreeRoom()).isFalse();
    assertThat(put(ssd, FILE, 1_000)).isEqualTo(PutOutcome.STORED);
    assertThat(dram.stats().events().evictions().keySet()).containsOnly(EvictionCause.SIZE);
  }

  @Test
  void noFileThatAStoreReadsOrMayWriteIsGivenAway() {
    list(REGION, FILE);
    put(open.highest(), FILE, 0, 1);
    files.check(tiers);
    regions.remove(REGION);
    list(OTHER, FILE + "." + REGION);
    assertThat(namesAfter(Duration.ofDays(1))).as("a daughter reads it").isEmpty();
    regions.remove(OTHER);
    list(OTHER, "t=" + REGION + "-" + FILE);
    assertThat(namesAfter(Duration.ofDays(1))).as("a clone reads it").isEmpty();

    String output = "abcdefabcdefabcdefabcdefabcdefab";
    list(OTHER, HERE);
    Compacting failing = new Compacting(() -> compactions.writes(file(output)));
    put(open.highest(), output, 0, 1);
    assertThat(namesAfter(Duration.ofDays(1))).as("it is written").isEmpty();
    failing.end();
    assertThat(namesAfter(FilesToEvictFirst.GRACE))
        .as("the compaction failed")
        .containsExactly(output);

    regions.clear();
    String mob = "0123456789abcdef0123456789abcdef20260101" + output + "_" + REGION;
    put(open.highest(), mob, 0, 1);
    assertThat(namesAfter(Duration.ofDays(1))).as("no store lists it").doesNotContain(mob);
    file(mob).recovered("1 " + REGION + " default:t");
    list(OTHER, HERE);
    assertThat(namesAfter(Duration.ofDays(1))).as("its table is here").doesNotContain(mob);
    regions.clear();
    assertThat(namesAfter(Duration.ofDays(1))).contains(mob);
  }

  private Set<String> namesAtTwoLooks() {
    return namesAfter(Duration.ofSeconds(10));
  }

  @Test
  void whatItsOpenRegionGaveUpLeavesFirstAtTheSecondLook() {
    list(REGION, FILE);
    put(open.highest(), FILE, 0, 1);
    files.check(tiers);
    regions.get(REGION).clear();

    files.check(tiers);
    assertThat(leaving()).as("a store may be about to list it").isEmpty();
    assertThat(namesAtTwoLooks()).containsExactly(FILE);
    assertThat(known.regions(file(FILE))).as("what it counts for").isEmpty();
  }

  @Test
  void manyFilesTakeTurns() {
    list(REGION, FILE);
    put(open.highest(), FILE, 0, 1);
    files.check(tiers);
    regions.get(REGION).clear();
    List<CacheFile> others =
        IntStream.range(0, 2 * FilesToEvictFirst.MAX_EXAMINED)
            .mapToObj(number -> FILES.hold("other-" + number))
            .toList();

    assertThat(namesAtTwoLooks()).as("each look is at half of them at most").isEmpty();
    Set<String> leaving = Set.of();
    for (int looks = 2; leaving.isEmpty() && looks <= 7; looks++) {
      leaving = namesAtTwoLooks();
    }
    assertThat(leaving).containsExactly(FILE);
    others.forEach(CacheFile::release);
  }

  @Test
  void theFileOfAParentLeavesFirstOnceNoDaughterReadsIt() {
    list(REGION, FILE);
    put(open.highest(), FILE, 0, 1);
    files.check(tiers);
    regions.remove(REGION);
    list(OTHER, FILE + "." + REGION);
    assertThat(namesAtTwoLooks()).as("its daughter reads it").isEmpty();

    regions.get(OTHER).clear();
    assertThat(namesAtTwoLooks()).containsExactly(FILE);
  }

  private static final RegionInfo CLOSED_HERE =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  /** The region has closed here, and is in this state; null for none. */
  private void closeRegion(String state) {
    list(CLOSED_HERE.getEncodedName(), FILE);
    put(open.highest(), FILE, 0, 1);
    files.check(tiers);
    regions.remove(CLOSED_HERE.getEncodedName());
    meta.put(CLOSED_HERE, state);
    closedRegions.closed(CLOSED_HERE);
  }

  private Set<String> namesAfterCheck() {
    closedRegions.check();
    return namesAtTwoLooks();
  }

  @Test
  void whatADisabledTableHadLeavesFirstUntilItIsEnabled() {
    closeRegion("CLOSED");
    assertThat(namesAfterCheck()).as("a region that moves is closed, too").isEmpty();
    assertThat(namesAfterCheck()).containsExactly(FILE);
    assertThat(namesAfterCheck()).containsExactly(FILE);

    list(CLOSED_HERE.getEncodedName(), FILE);
    closedRegions.opened(CLOSED_HERE);
    assertThat(namesAfterCheck()).isEmpty();
    regions.remove(CLOSED_HERE.getEncodedName());
    assertThat(namesAfterCheck()).as("it has closed again, who knows why").isEmpty();
  }

  @Test
  void whatADroppedTableHadLeavesFirst() {
    closeRegion(null);
    assertThat(namesAfterCheck()).isEmpty();
    assertThat(namesAfterCheck()).containsExactly(FILE);
  }

  @Test
  void whatARegionHadThatMovedStaysAsItWas() {
    closeRegion("CLOSED");
    assertThat(namesAfterCheck()).isEmpty();
    meta.put(CLOSED_HERE, "OPENING");
    assertThat(namesAfterCheck()).isEmpty();
    meta.put(CLOSED_HERE, "OPEN");
    assertThat(namesAfterCheck()).isEmpty();
    meta.put(CLOSED_HERE, "CLOSED");
    assertThat(namesAfterCheck()).as("elsewhere").isEmpty();
    assertThat(namesAfterCheck()).as("elsewhere").isEmpty();
  }

  @Test
  void regionsThatClosedLongAgoAreNotAskedFor() {
    closeRegion("OPENING");
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    meta.put(CLOSED_HERE, "CLOSED");
    closedRegions.check();
    closedRegions.check();
    assertThat(closedRegions.isServedNowhere(CLOSED_HERE.getEncodedName())).isFalse();
  }

  @Test
  void whatAllItsStoresHaveCompactedLeavesFirst() {
    list(REGION, FILE, Stage.COMPACTED);
    list(OTHER, "t=" + REGION + "-" + FILE);
    put(open.highest(), FILE, 0, 1);
    assertThat(namesAtTwoLooks()).as("a clone reads it").isEmpty();

    regions.remove(OTHER);
    assertThat(namesAtTwoLooks()).containsExactly(FILE);
    files.evicting(file(FILE));
    assertThat(leaving()).isEmpty();
  }

  @Test
  void whatIsColdLeavesFirst() {
    put(open.highest(), HERE, 0, 1);
    cold.add("t=" + REGION + "-" + HERE);
    files.check(tiers);
    assertThat(leaving()).containsExactly(HERE);

    cold.clear();
    files.check(tiers);
    assertThat(leaving()).isEmpty();
  }

  @Test
  void safeCopiesOfWhatLeavesAreNotTriedAtEachStep() {
    put(open.highest(), HERE, 0, 10);
    cold.add(HERE);
    files.check(tiers);
    for (int step = 0; step < 3; step++) {
      assertThat(tiers.keepSafe(nanos.get())).isZero();
    }
    assertThat(tiers.stats().get("ssd").events().refusals()).isEmpty();

    cold.clear();
    files.check(tiers);
    await().until(() -> tiers.keepSafe(nanos.get()) > 0);
  }

  @Test
  void aCompactionIsDoneWithTheBlocksBeforeTheOneThatItReads() {
    compactions.reads(file(HERE), 100, NO_TIER, 0);
    compactions.reads(file(HERE), 200, NO_TIER, 0);
    assertThat(files.test(file(HERE), 100)).isTrue();
    assertThat(files.test(file(HERE), 50)).as("the other half").isFalse();
    assertThat(files.test(file(HERE), 200)).as("it is read").isFalse();
    assertThat(files.test(file(FILE), 100)).as("another file").isFalse();

    compactions.reads(file(HERE), 0, NO_TIER, 0);
    assertThat(files.test(file(HERE), 150)).as("the first half begins").isFalse();
    compactions.reads(file(HERE), 50, NO_TIER, 0);
    assertThat(files.test(file(HERE), 0)).isTrue();
    files.givenUp(file(HERE));
    assertThat(files.test(file(HERE), 0)).isFalse();
  }

  @Test
  void eachHalfThatIsCompactedAtOnceLeavesForItself() throws InterruptedException {
    compactions.reads(file(HERE), 0, NO_TIER, 0);
    compactions.reads(file(HERE), 100, NO_TIER, 0);
    Thread other =
        new Thread(
            () -> {
              compactions.reads(file(HERE), 200, NO_TIER, 0);
              compactions.reads(file(HERE), 300, NO_TIER, 0);
            },
            "the other half");
    other.start();
    other.join();

    assertThat(files.test(file(HERE), 50)).isTrue();
    assertThat(files.test(file(HERE), 150)).as("read by nobody yet").isFalse();
    assertThat(files.test(file(HERE), 250)).isTrue();
  }

  @Test
  void noBlockOfACloneSourceLeavesWhileTheCloneReadsIt() {
    compactions.reads(file(HERE), 0, NO_TIER, 0);
    compactions.reads(file(HERE), 100, NO_TIER, 0);
    list(REGION, "t=" + OTHER + "-" + HERE);
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    known.learnOpenFiles();

    assertThat(files.test(file(HERE), 0)).isFalse();
  }

  /** A compaction on a thread of a pool, which does not end by itself. */
  private final class Compacting {

    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;

    Compacting(Runnable start) {
      ExecutorService pool = Executors.newFixedThreadPool(1);
      pools.add(pool);
      CompletableFuture<Thread> started = new CompletableFuture<>();
      pool.execute(
          () -> {
            start.run();
            started.complete(Thread.currentThread());
            Uninterruptibles.awaitUninterruptibly(end);
          });
      thread = started.join();
    }

    void end() {
      end.countDown();
      await().until(() -> RunningCompactions.isIdle(thread));
    }
  }

  @Test
  void aCompactionThatFailsEndsWhileOthersRun() {
    known.learnOpenFiles();
    Compacting failing =
        new Compacting(
            () -> {
              compactions.reads(file(HERE), 0, NO_TIER, 0);
              compactions.reads(file(HERE), 100, NO_TIER, 0);
              compactions.writes(file(FILE));
            });
    Compacting other =
        new Compacting(
            () -> {
              compactions.reads(file("another"), 0, NO_TIER, 0);
              compactions.reads(file("another"), 100, NO_TIER, 0);
            });
    put(open.highest(), FILE, 0, 1);
    assertThat(namesAtTwoLooks()).as("it is written").isEmpty();
    assertThat(files.test(file(HERE), 0)).isTrue();

    failing.end();
    assertThat(namesAtTwoLooks()).containsExactly(FILE);
    assertThat(files.test(file(HERE), 0)).isFalse();
    assertThat(files.test(file("another"), 0)).as("it still runs").isTrue();
    other.end();
    files.check(tiers);
    assertThat(files.test(file("another"), 0)).isFalse();
  }

  @Test
  void whatACompactionWritesBelongsWhereItsInputDoes() {
    known.learnOpenFiles();
    compactions.reads(file(HERE), 0, NO_TIER, 0);
    compactions.writes(file(FILE));

    assertThat(known.owner(file(FILE)).region()).isEqualTo(OTHER);
  }

  @Test
  void whatACompactionOfAHalfWritesBelongsToNobodyYet() {
    regions.remove(OTHER);
    list(OTHER, HERE + ".33333333333333333333333333333333");
    list(REGION, HERE + ".33333333333333333333333333333333");
    known.learnOpenFiles();
    compactions.reads(file(HERE), 0, NO_TIER, 0);
    compactions.writes(file(FILE));

    assertThat(known.owner(file(FILE)).region()).isNull();
  }
}
