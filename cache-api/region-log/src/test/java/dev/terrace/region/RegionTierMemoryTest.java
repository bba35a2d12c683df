// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.memory.DirectMemory;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tier for which there is no direct memory any more: misses and refusals, with a count. */
class RegionTierMemoryTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int BLOCK = 10_000;

  private static final RegionConfig CONFIG = RegionConfig.named("test", FILES);

  private SimulatedDisk disk = new SimulatedDisk(8, REGION_BYTES);
  private final LeaseLedger ledger = LeaseLedger.counting();
  private long now = 1;
  private boolean noCopies;
  private int largestBuffer = Integer.MAX_VALUE;
  private int buffersLeft = Integer.MAX_VALUE;
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  /** A pool that may be empty. */
  private final class Pool extends AbstractByteBufAllocator {

    Pool() {
      super(true);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      throw new AssertionError("a tier asks for direct buffers only");
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      if (noCopies) {
        throw new OutOfMemoryError("as asked");
      }
      return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  private ByteBuffer newBuffer(int bytes) {
    if (bytes > largestBuffer || buffersLeft == 0) {
      throw new OutOfMemoryError("as asked");
    }
    buffersLeft--;
    return ByteBuffer.allocateDirect(bytes);
  }

  private void open() {
    DirectMemory memory = new DirectMemory(this::newBuffer, this::newBuffer);
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(new SimulatedDevice(disk, false, 1)),
            CONFIG.withIndexMemory(memory),
            path -> Runnable::run,
            () -> now,
            memory,
            new Pool());
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
  }

  /** Lets memory be had again, and the tier ask for it. */
  private void memoryIsBack() {
    largestBuffer = Integer.MAX_VALUE;
    buffersLeft = Integer.MAX_VALUE;
    now += CONFIG.limits().probeInterval().toNanos();
    tier.tick();
  }

  @AfterEach
  void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
    assertThat(tier.stats().leases().bytes()).isZero();
  }

  @Test
  void aReadWithoutABufferIsAMiss() {
    open();
    assertThat(blocks.putAll(0, 12)).isEqualTo(12);
    noCopies = true;
    assertThat(blocks.readAll(0, 12)).as("on the device, and on its way there").isZero();
    assertThat(blocks.count(TierFault.NO_MEMORY)).isEqualTo(12);
    assertThat(tier.blockCount()).as("nothing is dropped").isEqualTo(12);
    assertThat(tier.stats().reads().misses()).isEqualTo(12);
    noCopies = false;
    assertThat(blocks.readAll(0, 12)).isEqualTo(12);
  }

  @Test
  void aReclaimWithoutABufferDropsBlocksAndGoesOn() {
    open();
    assertThat(blocks.putAll(0, 30)).isEqualTo(30);
    blocks.readAll(0, 30);
    noCopies = true;
    for (int i = 100; i < 200; i++) {
      assertThat(blocks.put(i)).isEqualTo(PutOutcome.STORED);
    }
    assertThat(blocks.count(TierFault.NO_MEMORY)).isPositive();
    noCopies = false;
    assertThat(blocks.read(199)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aDeviceWithoutItsBuffersWaitsAndHoldsNoPut(int buffers) {
    buffersLeft = buffers;
    open();
    assertThat(tier.isRecovered()).isFalse();
    assertThat(blocks.count(TierFault.NO_MEMORY)).isOne();
    for (int i = 1; i <= 100; i++) {
      assertThat(blocks.put(i)).isEqualTo(PutOutcome.BUSY);
    }
    assertThat(blocks.refused(PutOutcome.BUSY)).isEqualTo(100);
    assertThat(blocks.count(TierFault.NO_MEMORY)).as("puts do not ask").isOne();
    memoryIsBack();
    assertThat(tier.isRecovered()).isTrue();
    assertThat(blocks.put(1)).isEqualTo(PutOutcome.STORED);
    assertThat(blocks.read(1)).isTrue();
  }

  @Test
  void aTierThatHasItsBuffersNeedsNoOthers() {
    open();
    assertThat(blocks.put(0)).isEqualTo(PutOutcome.STORED);
    largestBuffer = 0;
    for (int i = 1; i < 500; i++) {
      assertThat(blocks.put(i)).isEqualTo(PutOutcome.STORED);
      assertThat(blocks.read(i)).isTrue();
      tier.tick();
    }
    assertThat(tier.stats().events().faults()).isEmpty();
    assertThat(tier.stats().events().evictions()).containsOnlyKeys(EvictionCause.SIZE);
  }

  @Test
  void aPutWithoutRoomInTheIndexIsRefused() {
    disk = new SimulatedDisk(64, REGION_BYTES);
    open();
    largestBuffer = REGION_BYTES;
    // Each file takes a page of the index at least, and a worker obtained a megabyte of them.
    int file = 0;
    while (file < 10_000 && inFile(file).put(1) == PutOutcome.STORED) {
      file++;
    }
    assertThat(file).isBetween(100, 9_999);
    assertThat(blocks.count(TierFault.NO_MEMORY)).isPositive();
    assertThat(tier.blockCount()).isEqualTo(file);
    memoryIsBack();
    assertThat(inFile(file).put(1)).isEqualTo(PutOutcome.STORED);
    assertThat(inFile(file).read(1)).isTrue();
  }

  @Test
  void blocksThatFillTheIndexLeaveForOthers() {
    disk = new SimulatedDisk(64, REGION_BYTES);
    open();
    largestBuffer = REGION_BYTES;
    int refused = 0;
    for (int file = 0; file < 10_000; file++) {
      if (inFile(file).put(1) != PutOutcome.STORED) {
        refused++;
        tier.tick();
        assertThat(inFile(file).put(1)).isEqualTo(PutOutcome.STORED);
        assertThat(inFile(file).read(1)).isTrue();
      }
    }
    assertThat(refused).isBetween(1, 50);
    assertThat(tier.blockCount()).isBetween(3_000L, 4_096L);
    assertThat(tier.stats().events().evictions()).containsOnlyKeys(EvictionCause.SIZE);
  }

  private NumberedBlocks inFile(int number) {
    return new NumberedBlocks(tier, "file-" + number, 16);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4})
  void aRecoveryWaitsForMemoryAndLosesNothing(int buffers) throws InterruptedException {
    open();
    assertThat(blocks.putAll(0, 30)).isEqualTo(30);
    close();
    buffersLeft = buffers;
    open();
    for (int i = 0; i < 10; i++) {
      assertThat(tier.isRecovered()).isFalse();
      assertThat(blocks.count(TierFault.NO_MEMORY)).isPositive();
      assertThat(blocks.readAll(0, 30)).isZero();
      now += CONFIG.limits().probeInterval().toNanos();
      tier.tick();
    }
    memoryIsBack();
    assertThat(tier.isRecovered()).isTrue();
    assertThat(blocks.readAll(0, 30)).isEqualTo(30);
    assertThat(tier.stats().events().faults()).containsOnlyKeys(TierFault.NO_MEMORY);
  }

  @Test
  void aRecoveryGoesOnInTheMiddleOfARegion() throws InterruptedException {
    int files = 4500;
    disk = new SimulatedDisk(48, REGION_BYTES);
    open();
    for (int i = 0; i < files; i++) {
      assertThat(new NumberedBlocks(tier, "file-" + i, 40).put(0)).isEqualTo(PutOutcome.STORED);
    }
    assertThat(tier.indexOffHeapBytes()).as("two chunks").isGreaterThan(1 << 20);
    close();
    buffersLeft = 5;
    open();
    assertThat(tier.isRecovered()).isFalse();
    long found = tier.blockCount();
    assertThat(found).isBetween(1L, files - 1L);
    tier.evict(file("file-1"), Long.MIN_VALUE, Long.MAX_VALUE);
    memoryIsBack();
    assertThat(tier.isRecovered()).isTrue();
    assertThat(tier.contains(file("file-1"), 0)).as("was evicted meanwhile").isFalse();
    assertThat(tier.blockCount()).isEqualTo(files - 1);
    assertThat(tier.stats().events().faults()).containsOnlyKeys(TierFault.NO_MEMORY);
  }
}
