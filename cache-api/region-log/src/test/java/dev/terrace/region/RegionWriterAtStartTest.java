// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A region that a crash left open, on a device that cannot be written to at the start. */
class RegionWriterAtStartTest extends TierOnSimulatedDisk {

  private static final RegionConfig CONFIG = RegionConfig.named("test", FILES);
  private static final int BLOCKS = 5;
  private static final int RESTS = 30;

  private NumberedBlocks blocks;
  private SimulatedDisk left;
  private SimulatedDevice device;
  private int openSlot;

  @BeforeEach
  void crash() throws InterruptedException {
    make(new SimulatedDevice(disk, false, 1), CONFIG);
    tier.start();
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    assertThat(blocks.putAll(0, BLOCKS)).isEqualTo(BLOCKS);
    rest();
    left = disk.copy();
    close();
    assertThat(openSlots()).hasSize(1);
    openSlot = openSlots().get(0);
    device = new SimulatedDevice(left, false, 2);
  }

  private void start() {
    make(device, CONFIG);
    tier.start();
    blocks = new NumberedBlocks(tier, "file", BLOCK);
  }

  private void rest() {
    now += TimeUnit.MINUTES.toNanos(1);
    tier.tick();
  }

  private void restOften() {
    for (int i = 0; i < RESTS; i++) {
      rest();
    }
  }

  /** The regions with a header and without a footer. */
  private List<Integer> openSlots() {
    return IntStream.range(0, left.regions()).filter(this::isOpen).boxed().toList();
  }

  private boolean isOpen(int slot) {
    ByteBuffer bytes = RecordLayout.littleEndian(left.region(slot));
    int footer = RegionLayout.footerPosition(bytes.capacity());
    return RegionLayout.Header.read(bytes, left.secret(), slot) != null
        && RegionLayout.Footer.read(
                RecordLayout.littleEndian(bytes.slice(footer, RegionLayout.FOOTER_BYTES)),
                left.secret(),
                slot)
            == null;
  }

  private void assertAllIsServed() {
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(blocks.count(TierFault.CORRUPT_REGION)).isZero();
    assertThat(blocks.count(TierFault.UNREAD_REGION)).isZero();
  }

  @Test
  void isReadAtEachStart() throws InterruptedException {
    for (int generation = 2; generation < 5; generation++) {
      device = new SimulatedDevice(left, false, generation);
      start();
      restOften();
      assertAllIsServed();
      close();
    }
    assertThat(openSlots()).contains(openSlot);
  }

  @Test
  void isServedWhileTheDiskIsFull() {
    device.full(true);
    start();
    restOften();
    assertAllIsServed();
    assertThat(blocks.count(TierFault.NO_SPACE_LEFT)).isPositive();
    device.full(false);
    restOften();
    assertAllIsServed();
  }

  @Test
  void isServedWhileTheDiskTakesNoWrites() {
    device.writeErrors(1);
    start();
    restOften();
    assertAllIsServed();
    assertThat(blocks.count(TierFault.DEVICE_READ_ONLY)).isOne();
    device.writeErrors(0);
    restOften();
    assertAllIsServed();
  }

  @Test
  void isServedWhileItsOwnPlaceTakesNoWrites() {
    device.badRegion(openSlot);
    start();
    restOften();
    assertAllIsServed();
    assertThat(blocks.put(1000)).as("the others are in use").isEqualTo(PutOutcome.STORED);
    assertThat(openSlots()).contains(openSlot);
  }

  @Test
  void isServedWhileAllBuffersAreInUse() {
    device.unreadable(openSlot, true);
    List<Runnable> held = new ArrayList<>();
    AtomicBoolean holds = new AtomicBoolean();
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(LeaseLedger.counting()),
            List.of(device),
            CONFIG,
            path -> work -> run(work, held, holds.get()),
            () -> now);
    tier.start();
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    holds.set(true);
    int put = 1000;
    while (blocks.put(put) == PutOutcome.STORED) {
      put++;
    }
    assertThat(put).as("more than two regions").isGreaterThan(1000 + 2 * REGION_BYTES / BLOCK);
    device.full(true);
    holds.set(false);
    held.forEach(Runnable::run);
    device.unreadable(openSlot, false);
    restOften();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
    assertThat(blocks.readAll(1000, put)).isEqualTo(put - 1000);
    assertThat(blocks.count(TierFault.CORRUPT_REGION)).isZero();
    device.full(false);
    restOften();
    assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
  }

  private static void run(Runnable work, List<Runnable> held, boolean holds) {
    if (holds) {
      held.add(work);
    } else {
      work.run();
    }
  }
}
