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
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.Sequence;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A restart on a device that does not answer at first, or not everywhere. */
class RecoveryRetryTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int REGIONS = 12;
  private static final int BLOCK = 10_000;
  private static final int BLOCKS = 36;
  private static final RegionConfig CONFIG = RegionConfig.named("test", FILES);

  private final SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
  private final LeaseLedger ledger = LeaseLedger.counting();
  private long now = 1;
  private SimulatedDevice device;
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  /** Fills a tier, stops it, and makes the device of the next one. */
  private void stopFull() throws InterruptedException {
    device = new SimulatedDevice(disk, false, 1);
    open();
    assertThat(blocks.putAll(0, BLOCKS)).isEqualTo(BLOCKS);
    close();
    device = new SimulatedDevice(disk, false, 2);
  }

  private void open() {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(device),
            CONFIG,
            path -> Runnable::run,
            () -> now);
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
  }

  @AfterEach
  void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private void rest() {
    now += CONFIG.limits().probeInterval().toNanos();
    tier.tick();
  }

  @Test
  void aDeviceThatDoesNotAnswerAtTheStartLosesNothing() throws InterruptedException {
    stopFull();
    device.readErrors(1);
    open();
    assertThat(tier.isRecovered()).isFalse();
    assertThat(blocks.readAll(0, BLOCKS)).isZero();
    assertThat(blocks.count(TierFault.DEVICE_OUT)).isOne();
    assertThat(blocks.put(1000)).isEqualTo(PutOutcome.UNAVAILABLE);
    for (int i = 0; i < 10; i++) {
      rest();
    }
    assertThat(tier.isRecovered()).as("however long it takes").isFalse();
    device.readErrors(0);
    rest();
    assertThat(tier.isRecovered()).isTrue();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(blocks.put(1000)).isEqualTo(PutOutcome.STORED);
    assertThat(blocks.count(TierFault.CORRUPT_REGION)).isZero();
  }

  @Test
  void whatIsEvictedMeanwhileDoesNotComeBack() throws InterruptedException {
    stopFull();
    device.readErrors(1);
    open();
    assertThat(tier.contains(file("file"), 0)).isFalse();
    assertThat(tier.mayHold(file("file"), 0)).as("it may come back").isTrue();
    for (int i = 0; i < 140_000; i++) {
      tier.evict(file("other" + i), Long.MIN_VALUE, Long.MAX_VALUE);
    }
    tier.evict(file("file"), 0, 0);
    device.readErrors(0);
    rest();
    assertThat(tier.isRecovered()).isTrue();
    assertThat(tier.mayHold(file("file"), 0)).isFalse();
    assertThat(tier.mayHold(file("file"), 1)).isTrue();
    assertThat(blocks.readAll(1, BLOCKS)).isEqualTo(BLOCKS - 1);
    assertThat(tier.stats().events().evictions()).as("of what lookups could find").isEmpty();
  }

  @Test
  void aRegionThatCannotBeReadIsLeftAsItIsUntilItCan() throws InterruptedException {
    stopFull();
    device.unreadable(0, true).unreadable(3, true);
    open();
    int found = blocks.readAll(0, BLOCKS);
    assertThat(found).isBetween(BLOCKS / 2, BLOCKS - 2);
    assertThat(blocks.count(TierFault.UNREAD_REGION)).isEqualTo(2);
    assertThat(tier.isRecovered()).isFalse();
    assertThat(blocks.put(1000)).as("the others are in use").isEqualTo(PutOutcome.STORED);
    int missing = 0;
    while (tier.contains(file("file"), missing)) {
      missing++;
    }
    tier.evict(file("file"), missing, missing);
    device.unreadable(0, false).unreadable(3, false);
    tier.tick();
    assertThat(tier.isRecovered()).as("not yet").isFalse();
    rest();
    assertThat(tier.isRecovered()).isTrue();
    assertThat(blocks.read(missing)).as("was evicted meanwhile").isFalse();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS - 1);
    assertThat(blocks.read(1000)).isTrue();
    assertThat(blocks.count(TierFault.CORRUPT_REGION)).isZero();
  }

  @Test
  void aRegionThatCanNeverBeReadIsWrittenAnewInTheEnd() throws InterruptedException {
    stopFull();
    device.unreadable(0, true);
    open();
    rest();
    assertThat(tier.isRecovered()).isFalse();
    rest();
    assertThat(tier.isRecovered()).isTrue();
    assertThat(blocks.count(TierFault.UNREAD_REGION)).isEqualTo(3);
    assertThat(blocks.count(TierFault.CORRUPT_REGION)).isOne();
    device.unreadable(0, false);
    for (int i = 1000; i < 1100; i++) {
      assertThat(blocks.put(i)).isEqualTo(PutOutcome.STORED);
    }
    ByteBuffer region = RecordLayout.littleEndian(disk.region(0));
    RegionLayout.Header header = RegionLayout.Header.read(region, disk.secret(), 0);
    long written = new Sequence(device.generation()).next();
    assertThat(header == null || header.firstSequence() > written)
        .as("region 0 is empty now, or of a later life: %s", header)
        .isTrue();
    assertThat(blocks.read(1099)).isTrue();
  }

  @Test
  void aCloseInBetweenLeavesTheRegionToTheNextStart() throws InterruptedException {
    stopFull();
    device.unreadable(0, true);
    open();
    close();
    device = new SimulatedDevice(disk, false, 3);
    open();
    assertThat(tier.isRecovered()).isTrue();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
  }

  @Test
  void anErrorInTheMiddleKeepsOneRegionWaiting() throws InterruptedException {
    stopFull();
    device.failReadOnce(9, new StackOverflowError("as asked"));
    open();
    assertThat(tier.isRecovered()).isFalse();
    assertThat(blocks.count(TierFault.UNREAD_REGION)).isOne();
    assertThat(blocks.readAll(0, BLOCKS)).as("the others").isBetween(BLOCKS - 6, BLOCKS);
    rest();
    assertThat(tier.isRecovered()).isTrue();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(blocks.count(TierFault.CORRUPT_REGION)).isZero();
  }

  @Test
  void anErrorOfTheJvmGivesNoRegionUp() throws InterruptedException {
    stopFull();
    device.failReadOnce(9, new OutOfMemoryError("as asked"));
    open();
    for (int i = 0; i < 5; i++) {
      assertThat(tier.isRecovered()).isFalse();
      device.failReadOnce(0, new OutOfMemoryError("as asked"));
      rest();
    }
    rest();
    assertThat(tier.isRecovered()).isTrue();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(blocks.count(TierFault.CORRUPT_REGION)).isZero();
  }
}
