// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scans of a device past the page cache. */
class ScanTest {

  private static final int ALIGNMENT = 512;
  private static final int BLOCK = 10_000;
  private static final int BLOCKS = 90;
  private static final int REGIONS = 16;
  private static final int REGION_BYTES = 1 << 20;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final SimulatedDevice device =
      new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), false, 1).aligned(ALIGNMENT);
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;
  private long readsBefore;

  @BeforeEach
  void open() {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(device),
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            () -> 1);
    tier.start();
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    assertThat(blocks.putAll(0, BLOCKS)).isEqualTo(BLOCKS);
    tier.sealOpen();
    readsBefore = device.reads();
  }

  @AfterEach
  void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
    assertThat(tier.stats().leases().bytes()).isZero();
  }

  private long reads() {
    return device.reads() - readsBefore;
  }

  @Test
  void aScanReadsEachBlockOnce() {
    long bytesBefore = device.readBytes();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(reads()).isEqualTo(BLOCKS);
    assertThat(device.readBytes() - bytesBefore)
        .as("each byte once, but for alignment")
        .isLessThan((long) BLOCKS * (BLOCK + 3 * ALIGNMENT));
  }

  @Test
  void aBlockThatWasEvictedIsNotServed() {
    blocks.readAll(0, 10);
    assertThat(tier.evict(file("file"), 10, 10)).isOne();
    assertThat(blocks.read(10)).isFalse();
    assertThat(blocks.read(11)).isTrue();
    tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(blocks.readAll(0, BLOCKS)).isZero();
  }

  @Test
  void aRegionThatWasWrittenAnewIsReadAnew() {
    blocks.readAll(0, 10);
    tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE);
    NumberedBlocks others = new NumberedBlocks(tier, "other", BLOCK);
    int most = REGIONS * REGION_BYTES / BLOCK;
    for (int i = 0; i < most; i++) {
      assertThat(others.put(i)).isEqualTo(PutOutcome.STORED);
    }
    tier.sealOpen();
    int found = others.readAll(0, most);
    assertThat(found).as("all that is there is right").isEqualTo(tier.blockCount());
  }

  @Test
  void aBlockKeepsNoMoreThanItself() {
    blocks.readAll(0, 20);
    CountedBlock held = blocks.hold(20);
    assertThat(tier.stats().leases().bytes()).isBetween((long) BLOCK, BLOCK + 2L * ALIGNMENT);
    blocks.check(20, held);
    held.release();
  }

  @Test
  void threadsThatScanBesideEvictionsGetRightBlocksOrMiss() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> scans = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        scans.add(threads.submit(() -> scanTenTimes()));
      }
      for (int i = 0; i < BLOCKS; i += 9) {
        tier.evict(file("file"), i, i);
        tier.tick();
      }
      for (Future<Integer> scan : scans) {
        assertThat(scan.get()).isBetween(10 * (BLOCKS - 10), 10 * BLOCKS);
      }
      assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS - 10);
    } finally {
      threads.shutdown();
    }
  }

  private int scanTenTimes() {
    int found = 0;
    for (int i = 0; i < 10; i++) {
      found += blocks.readAll(0, BLOCKS);
    }
    return found;
  }
}
