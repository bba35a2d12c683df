// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An open region of a device that is no memory: what a crash leaves of it. */
class AppendedRegionTest {

  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 16;
  private static final int BLOCK_BYTES = 8_000;

  private final AtomicLong now = new AtomicLong();
  private final SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
  private SimulatedDevice device;
  private Runnable whileEncoding = () -> {};
  private final RegionTier<CountedBlock> tier = open(disk);
  private final NumberedBlocks blocks = new NumberedBlocks(tier, "file", BLOCK_BYTES);
  private int next;

  private RegionTier<CountedBlock> open(SimulatedDisk of) {
    SimulatedDevice opening = new SimulatedDevice(of, false, 1);
    if (device == null) {
      device = opening;
    }
    RegionTier<CountedBlock> opened =
        new RegionTier<>(
            new WhileEncoding(() -> whileEncoding.run()),
            List.of(opening),
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            now::get);
    opened.start();
    return opened;
  }

  @AfterEach
  void close() {
    tier.close();
  }

  private void put(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(blocks.put(next++)).isEqualTo(PutOutcome.STORED);
    }
  }

  /** How many blocks a crash would leave now. */
  private int left() {
    RegionTier<CountedBlock> after = open(disk.copy());
    int served = new NumberedBlocks(after, "file", BLOCK_BYTES).readAll(0, next);
    after.close();
    return served;
  }

  @Test
  void isWrittenAtEachTick() {
    put(1);
    assertThat(left()).isZero();
    tier.tick();
    assertThat(left()).isOne();
    put(1);
    assertThat(left()).isOne();
    tier.tick();
    assertThat(left()).isEqualTo(2);
    assertThat(tier.isSealed()).isFalse();
  }

  @Test
  void isWrittenOnce() {
    long before = disk.writtenBytes();
    while (disk.writtenBytes() - before < REGION_BYTES / 2) {
      put(1);
      tier.tick();
    }
    put((REGION_BYTES - 4 * BLOCK_BYTES) / BLOCK_BYTES - next);
    tier.sealOpen();
    assertThat(tier.isSealed()).isTrue();
    long pages = 4096L * next;
    assertThat(disk.writtenBytes() - before)
        .as("the pages in which the records ended are written again")
        .isLessThan((long) next * BLOCK_BYTES + pages + 4 * 4096);
    assertThat(left()).isEqualTo(next);
    assertThat(blocks.readAll(0, next)).isEqualTo(next);
  }

  @Test
  void isWrittenAgainAsAWholeAfterAFailure() {
    put(2);
    tier.tick();
    assertThat(left()).isEqualTo(2);
    put(2);
    device.writeErrors(1);
    tier.tick();
    device.writeErrors(0);
    long before = disk.writtenBytes();
    tier.sealOpen();
    assertThat(tier.isSealed()).isTrue();
    assertThat(disk.writtenBytes() - before).isGreaterThan(4L * BLOCK_BYTES);
    assertThat(left()).isEqualTo(4);
  }

  @Test
  void hasNothingBehindARecordThatIsBeingWritten() {
    NumberedBlocks small = new NumberedBlocks(tier, "small", 100);
    assertThat(small.put(0)).isEqualTo(PutOutcome.STORED);
    whileEncoding =
        () -> {
          whileEncoding = () -> {};
          put(1);
          tier.tick();
        };
    assertThat(small.put(1)).isEqualTo(PutOutcome.STORED);
    RegionTier<CountedBlock> after = open(disk.copy());
    NumberedBlocks found = new NumberedBlocks(after, "small", 100);
    assertThat(found.readAll(0, 2)).isOne();
    assertThat(found.count(TierFault.CORRUPT_BLOCK)).isZero();
    after.close();
    assertThat(left()).isZero();
    tier.tick();
    assertThat(left()).isOne();
  }
}
