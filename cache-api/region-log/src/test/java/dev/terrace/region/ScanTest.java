// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Trouble;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.region.device.ReadAhead;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read ahead of scans from a device past the page cache, and what becomes of it. */
class ScanTest {

  private static final int ALIGNMENT = 512;
  private static final int BLOCK = 10_000;
  private static final int BLOCKS = 90;
  private static final int REGIONS = 16;
  private static final int REGION_BYTES = 1 << 20;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final AtomicLong now = new AtomicLong(1);
  private final SimulatedDevice device = newDevice();
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;
  private long readsBefore;

  @BeforeEach
  void open() {
    tier = started(device, RegionConfig.named("test"));
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    assertThat(blocks.putAll(0, BLOCKS)).isEqualTo(BLOCKS);
    tier.sealOpen();
    readsBefore = device.reads();
  }

  private RegionTier<CountedBlock> started(SimulatedDevice of, RegionConfig config) {
    RegionTier<CountedBlock> started =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(of),
            config,
            path -> Runnable::run,
            now::get);
    started.start();
    return started;
  }

  private static SimulatedDevice newDevice() {
    return new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), false, 1)
        .aligned(ALIGNMENT);
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
  void aScanIsReadAheadInPieces() {
    long bytesBefore = device.readBytes();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(reads()).isLessThan(25);
    assertThat(device.readBytes() - bytesBefore)
        .as("each byte once, but for alignment")
        .isLessThan((long) BLOCKS * BLOCK * 21 / 20);
  }

  @Test
  void aScanOfFourBlocksReadsThoseAlone() {
    assertThat(blocks.readAll(0, 4)).isEqualTo(4);
    assertThat(reads()).isEqualTo(4);
    assertThat(tier.stats().leases().bytes()).as("nothing was read ahead").isZero();
    assertThat(blocks.readAll(4, 5)).isEqualTo(1);
    assertThat(tier.stats().leases().bytes()).isPositive();
  }

  @Test
  void aScanIsNotReadAheadIfThatIsOff() throws InterruptedException {
    SimulatedDevice other = newDevice();
    RegionConfig off = RegionConfig.named("off").withReads(new RegionConfig.Reads(true, false));
    RegionTier<CountedBlock> oneByOne = started(other, off);
    NumberedBlocks numbers = new NumberedBlocks(oneByOne, "file", BLOCK);
    assertThat(numbers.putAll(0, BLOCKS)).isEqualTo(BLOCKS);
    oneByOne.sealOpen();
    long before = other.reads();
    assertThat(numbers.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(other.reads() - before).isEqualTo(BLOCKS);
    oneByOne.close();
    assertThat(oneByOne.awaitReleased(Duration.ZERO)).isTrue();
  }

  @Test
  void aScanWithGapsGoesOn() {
    blocks.readAll(0, 20);
    readsBefore = device.reads();
    for (int i = 20; i < BLOCKS; i++) {
      assertThat(i % 3 == 0 || blocks.read(i)).isTrue();
    }
    assertThat(reads()).as("two of three blocks are read").isLessThan(15);
  }

  @Test
  void scansAtTheSameTimeDoNotDisturbEachOther() {
    int half = BLOCKS / 2;
    for (int i = 0; i < half; i++) {
      assertThat(blocks.read(i)).isTrue();
      assertThat(blocks.read(half + i)).isTrue();
    }
    assertThat(reads()).isLessThan(40);
  }

  @Test
  void readsBehindNoOtherReadOneBlockEach() {
    long bytesBefore = device.readBytes();
    int read = 0;
    for (int rest = 2; rest > 0; rest--) {
      for (int i = rest; i < BLOCKS; i += 3) {
        assertThat(blocks.read(i)).isTrue();
        read++;
      }
    }
    assertThat(reads()).isEqualTo(read);
    assertThat(device.readBytes() - bytesBefore).isLessThan((long) read * BLOCK * 5 / 4);
    assertThat(tier.stats().leases().bytes()).as("nothing was read ahead").isZero();
  }

  @Test
  void aScanBackwardsReadsOneBlockAtATime() {
    for (int i = BLOCKS - 1; i >= 0; i--) {
      assertThat(blocks.read(i)).isTrue();
    }
    assertThat(reads()).isEqualTo(BLOCKS);
  }

  @Test
  void aBlockThatWasEvictedIsNotServedFromMemory() {
    blocks.readAll(0, 10);
    assertThat(tier.stats().leases().bytes()).as("something was read ahead").isPositive();
    assertThat(tier.evict("file", 10)).isTrue();
    assertThat(blocks.read(10)).isFalse();
    assertThat(blocks.read(11)).isTrue();
    tier.evictFile("file");
    assertThat(blocks.readAll(0, BLOCKS)).isZero();
  }

  @Test
  void aRegionThatWasWrittenAnewIsReadAnew() {
    blocks.readAll(0, 10);
    tier.evictFile("file");
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
  void whatNobodyComesForIsFreedAfterASecond() {
    blocks.readAll(0, 10);
    tier.tick();
    assertThat(tier.stats().leases().bytes()).isPositive();
    rest();
    assertThat(tier.stats().leases().bytes()).isZero();
    assertThat(blocks.readAll(10, BLOCKS)).isEqualTo(BLOCKS - 10);
  }

  private void rest() {
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    tier.tick();
  }

  @Test
  void aBlockKeepsNoMoreThanItself() {
    blocks.readAll(0, 20);
    CountedBlock held = blocks.hold(20);
    rest();
    assertThat(tier.stats().leases().bytes()).isBetween((long) BLOCK, BLOCK + 2L * ALIGNMENT);
    blocks.check(20, held);
    held.release();
  }

  @Test
  void wrongBytesThatWereReadAheadCostNoBlock() {
    for (int i = 0; i + 10 < BLOCKS; i += 10) {
      assertThat(blocks.readAll(i, i + 4)).isEqualTo(4);
      device.flips(1);
      blocks.read(i + 4);
      device.flips(0);
      int found = blocks.readAll(i + 5, i + 10);
      assertThat(found).as("those of which all bytes were read ahead wrong").isEqualTo(5);
      rest();
    }
    assertThat(blocks.count(Trouble.DAMAGED_BLOCK))
        .as("those that were read alone")
        .isLessThanOrEqualTo(BLOCKS / 10);
  }

  @Test
  void anErrorAheadCostsNoBlockAndIsNotRepeated() {
    device.longestRead(BLOCK + 3 * ALIGNMENT);
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(reads()).isEqualTo(BLOCKS);
    assertThat(blocks.count(Trouble.READ_ERROR)).isEqualTo(1);
    assertThat(blocks.count(Trouble.DAMAGED_BLOCK)).isZero();
    device.longestRead(Integer.MAX_VALUE);
    rest();
    readsBefore = device.reads();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(reads()).as("nothing is read ahead for a minute").isEqualTo(BLOCKS);
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    readsBefore = device.reads();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(reads()).isLessThan(25);
  }

  @Test
  void anUnreadableRegionIsFoundAsWithoutReadingAhead() {
    assertThat(blocks.readAll(0, 3)).isEqualTo(3);
    for (int region = 0; region < REGIONS; region++) {
      device.unreadable(region, true);
    }
    assertThat(blocks.readAll(3, 7)).isZero();
    assertThat(blocks.count(Trouble.READ_ERROR)).as("one ahead").isEqualTo(4 + 1);
    assertThat(blocks.count(Trouble.DEVICE_OUT)).as("it would need five").isZero();
    assertThat(blocks.readAll(7, 8)).isZero();
    assertThat(blocks.count(Trouble.DEVICE_OUT)).isEqualTo(1);
  }

  @Test
  void moreScansThanThereIsRoomForGetTheirBlocks() {
    int scans = 15;
    int each = BLOCKS / scans;
    for (int i = 0; i < each; i++) {
      for (int scan = 0; scan < scans; scan++) {
        assertThat(blocks.read(scan * each + i)).isTrue();
      }
    }
    assertThat(tier.stats().leases().bytes()).isBetween(1L, ReadAhead.MOST_BYTES);
  }

  @Test
  void threadsOfTheDeviceReadAheadAndAreDoneAfterTheEnd() throws InterruptedException {
    SimulatedDevice other = newDevice();
    RegionTier<CountedBlock> threaded =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(other),
            RegionConfig.named("threaded"),
            new DeviceThreads("threaded"),
            System::nanoTime);
    threaded.start();
    NumberedBlocks numbers = new NumberedBlocks(threaded, "file", BLOCK);
    for (int i = 0; i < BLOCKS; i++) {
      assertThat(numbers.put(i, Patience.LIMIT)).isEqualTo(PutOutcome.STORED);
    }
    threaded.sealOpen();
    Awaitility.await().until(threaded::isSealed);
    assertThat(numbers.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    numbers.readAll(0, BLOCKS / 2);
    threaded.close();
    assertThat(threaded.awaitReleased(Patience.LIMIT)).isTrue();
    Awaitility.await().until(() -> threaded.stats().leases().bytes() == 0);
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
        tier.evict("file", i);
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
