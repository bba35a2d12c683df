// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.settings.TerraceSettings;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers that may use a block after its release get it on the heap. */
class HeapCopiesTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final int SIZE = 66_000;

  /** Fails a test that leaves a block leased. */
  @RegisterExtension final OpenCaches caches = new OpenCaches();

  @TempDir Path folder;

  /** This thread serves no call. */
  private TieredBlockCache open(String tier) {
    return tier.equals("dram")
        ? caches.openServing()
        : caches.openServing(
            TerraceSettings.DRAM_SIZE.key(),
            "0",
            "hbase.terrace." + tier + ".paths",
            folder.toString(),
            "hbase.terrace." + tier + ".size",
            "32m");
  }

  /** A disk that is busy refuses a block, and takes it a little later. */
  private static void put(TieredBlockCache cache, HFileBlock block) {
    await()
        .until(
            () -> {
              cache.cacheBlock(TestBlocks.key(FILE, 0), block);
              return cache.getBlockCount() == 1;
            });
  }

  private static HFileBlock get(TieredBlockCache cache, long offset) {
    return (HFileBlock) cache.getBlock(TestBlocks.key(FILE, offset), true, false, true);
  }

  /** Each would be a metric of its own. */
  @Test
  void manyObserversCountAsOne() {
    HeapCopies copies = new HeapCopies(Optional::empty, true);
    for (int number = 0; number < 100; number++) {
      copies.count(HeapCopies.OBSERVER + "my.Observer" + number);
    }
    assertThat(copies.hits()).hasSizeLessThan(30).containsEntry("observer my.Observer0", 1L);
    assertThat(copies.hits().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dram", "pmem", "ssd"})
  void copiesNeedNoReleaseAndOutliveTheEviction(String tier) {
    TieredBlockCache cache = open(tier);
    HFileBlock block = TestBlocks.block(FILE, 0, SIZE, BlockType.DATA, 70_000);
    put(cache, block);

    HFileBlock first = get(cache, 0);
    HFileBlock second = (HFileBlock) cache.getBlock(TestBlocks.key(FILE, 0), false, false, true);
    cache.evictBlocksByHfileName(FILE);

    for (HFileBlock copy : List.of(first, second)) {
      assertThat(copy).isEqualTo(block);
      assertThat(copy.isSharedMem()).isFalse();
      assertThat(copy.getNextBlockOnDiskSize()).isEqualTo(70_000);
      assertThat(copy.getOffset()).isEqualTo(block.getOffset());
      assertThat(copy.getHFileContext().isUseHBaseChecksum())
          .isEqualTo(block.getHFileContext().isUseHBaseChecksum());
    }
    assertThat(cache.tierStats().get(tier).leases().bytes()).isZero();
    assertThat(cache.getStats().getHitCount()).isEqualTo(2);
    assertThat(cache.heapHits()).isEqualTo(2);
  }

  /** A second copy of a block in DRAM is not made while somebody has the first. */
  @Test
  void readersShareACopy() {
    TieredBlockCache cache = open("dram");
    // A count that is watched for leaks has no room for a copy.
    ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
    try {
      put(cache, TestBlocks.data(FILE, 0, SIZE));

      HFileBlock first = get(cache, 0);

      assertThat(get(cache, 0)).isSameAs(first);
      assertThat(cache.heapHits()).isEqualTo(2);
      cache.evictBlock(TestBlocks.key(FILE, 0));
      assertThat(get(cache, 0)).as("evicted, though its copy is there").isNull();
      assertThat(first).isEqualTo(TestBlocks.data(FILE, 0, SIZE));
    } finally {
      ResourceLeakDetector.setLevel(level);
    }
  }

  /** Bytes that come under a key after an eviction are another copy's. */
  @Test
  void aCopyIsOfTheBlockThatIsThere() {
    TieredBlockCache cache = open("dram");
    put(cache, TestBlocks.data(FILE, 0, SIZE));
    HFileBlock first = get(cache, 0);
    cache.evictBlock(TestBlocks.key(FILE, 0));
    HFileBlock other = TestBlocks.data(FILE, 0, SIZE / 2);
    put(cache, other);

    assertThat(get(cache, 0)).isEqualTo(other).isNotEqualTo(first);
  }

  /** What a release does to a copy is nothing, however often it comes. */
  @Test
  void aCallerThatDoesReleaseMayDoSo() {
    TieredBlockCache cache = open("dram");
    HFileBlock block = TestBlocks.data(FILE, 0, SIZE);
    put(cache, block);

    HFileBlock copy = get(cache, 0);
    copy.release();

    assertThat(get(cache, 0)).isEqualTo(block).isEqualTo(copy);
  }

  /** More bytes than DRAM has are read and never released. */
  @Test
  void dramIsNotUsedUpByThem() {
    TieredBlockCache cache = open("dram");
    int blocks = (48 << 20) / SIZE;
    List<HFileBlock> unreleased = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      cache.cacheBlock(TestBlocks.key(FILE, i), TestBlocks.data(FILE, i, SIZE), false, false);
      HFileBlock read = get(cache, i);
      if (read != null) {
        unreleased.add(read);
      }
    }
    assertThat(unreleased)
        .hasSizeGreaterThan(blocks / 2)
        .allMatch(read -> read.equals(TestBlocks.data(FILE, read.getOffset(), SIZE)));
    assertThat(OpenCaches.dram(cache).events().refusals()).doesNotContainKey(PutOutcome.NO_SPACE);
    assertThat(OpenCaches.dram(cache).leases().bytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = BlockType.class,
      names = {"LEAF_INDEX", "INTERMEDIATE_INDEX", "ROOT_INDEX", "BLOOM_CHUNK"})
  void whatHBaseAloneReadsIsShared(BlockType type) {
    TieredBlockCache cache = open("dram");
    put(cache, TestBlocks.block(FILE, 0, SIZE, type, -1));

    HFileBlock read = get(cache, 0);
    boolean isShared = read.isSharedMem();
    read.release();

    assertThat(isShared).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = BlockType.class,
      names = {"DATA", "META"})
  void whatOthersMayReadIsCopied(BlockType type) {
    TieredBlockCache cache = open("dram");
    put(cache, TestBlocks.block(FILE, 0, SIZE, type, -1));

    assertThat(get(cache, 0).isSharedMem()).isFalse();
  }

  @Test
  void outsideOfAServerNothingIsCopied() {
    TieredBlockCache cache = caches.open();
    put(cache, TestBlocks.data(FILE, 0, SIZE));

    HFileBlock read = get(cache, 0);
    boolean isShared = read.isSharedMem();
    read.release();

    assertThat(isShared).isTrue();
    assertThat(cache.heapHits()).isZero();
  }

  /** Whether a scan that goes on after its call gets the block from the cache's memory. */
  private static boolean isSharedInCall(TieredBlockCache cache, Runnable before) {
    RpcServer.setCurrentCall(
        (RpcCall)
            Proxy.newProxyInstance(
                RpcCall.class.getClassLoader(),
                new Class<?>[] {RpcCall.class},
                (proxy, method, args) ->
                    method.getName().equals("getParam") ? ScanRequest.getDefaultInstance() : null));
    try {
      before.run();
      HFileBlock read = get(cache, 0);
      boolean isShared = read.isSharedMem();
      read.release();
      return isShared;
    } finally {
      RpcServer.unsetCurrentCall();
    }
  }

  private static void assertSharedOutsideOfCalls(TieredBlockCache cache) {
    HFileBlock read = get(cache, 0);
    assertThat(read.isSharedMem()).isTrue();
    read.release();
  }

  @Test
  void aServerThatNobodyNamedIsNoticedByItsFirstPut() {
    TieredBlockCache cache = caches.open();

    boolean isShared =
        isSharedInCall(
            cache, () -> cache.cacheBlock(TestBlocks.key(FILE, 0), TestBlocks.data(FILE, 0, SIZE)));

    assertThat(isShared).isFalse();
  }

  @Test
  void aServerThatNobodyNamedIsNoticedByItsFirstMiss() {
    TieredBlockCache cache = caches.open();
    put(cache, TestBlocks.data(FILE, 0, SIZE));
    assertSharedOutsideOfCalls(cache);

    assertThat(isSharedInCall(cache, () -> assertThat(get(cache, SIZE)).isNull())).isFalse();
  }

  @Test
  void aServerThatNobodyNamedIsNoticedByABlockThatItPutsAheadOfReads() {
    TieredBlockCache cache = caches.open();
    cache.cacheBlock(TestBlocks.key(FILE, 0), TestBlocks.data(FILE, 0, SIZE), false, true);
    assertSharedOutsideOfCalls(cache);

    assertThat(isSharedInCall(cache, () -> {})).isFalse();
  }

  /** Its blocks may be older than the process. */
  @Test
  void aServerThatNobodyNamedIsNoticedAtOnceWhereBlocksLast() throws Exception {
    String[] settings = {
      TerraceSettings.DRAM_SIZE.key(),
      "0",
      "hbase.terrace.pmem.paths",
      folder.toString(),
      "hbase.terrace.pmem.size",
      "32m"
    };
    TieredBlockCache before = caches.open(settings);
    put(before, TestBlocks.data(FILE, 0, SIZE));
    assertSharedOutsideOfCalls(before);
    before.shutdown();
    assertThat(before.awaitReleased(Patience.LIMIT)).isTrue();

    TieredBlockCache cache = caches.open(settings);
    await().until(() -> cache.getBlockCount() == 1);

    assertThat(isSharedInCall(cache, () -> {})).isFalse();
  }
}
