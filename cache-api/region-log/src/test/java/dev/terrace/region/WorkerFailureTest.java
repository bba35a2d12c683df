// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.CacheFile;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.memory.DirectMemory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A device's worker after something failed that should not: one region pays, and all else goes on.
 */
class WorkerFailureTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int REGIONS = 16;
  private static final int BLOCK = 10_000;
  private static final int BLOCKS_PER_REGION = 6;
  private static final RegionConfig CONFIG = RegionConfig.named("test", FILES);

  private final SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
  private final LeaseLedger ledger = LeaseLedger.counting();
  private long now = 1;
  private SimulatedDevice device;
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  private void open(Executor worker) {
    device = new SimulatedDevice(disk, false, 1);
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(device),
            CONFIG,
            path -> worker,
            () -> now,
            new DirectMemory(ByteBuffer::allocateDirect, ByteBuffer::allocateDirect),
            null);
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
  }

  @AfterEach
  void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
    assertThat(tier.stats().space().usedBytes()).isZero();
  }

  /** Puts many more blocks than the tier has room for, each of which must find room. */
  private void assertThatAllGoesOn() {
    for (int i = 10_000; i < 10_000 + 4 * REGIONS * BLOCKS_PER_REGION; i++) {
      assertThat(blocks.put(i)).as("put %d", i).isEqualTo(PutOutcome.STORED);
      assertThat(blocks.read(i)).isTrue();
    }
    tier.sealOpen();
    assertThat(tier.isSealed()).as("no region is left on its way").isTrue();
    assertThat(tier.stats().space().blocks())
        .as("all regions are in use, but for those that are kept clean")
        .isGreaterThanOrEqualTo((REGIONS - 3) * BLOCKS_PER_REGION);
    assertThat(blocks.count(TierFault.QUARANTINED_REGION)).isZero();
    assertThat(blocks.count(TierFault.DEVICE_OUT)).isZero();
    assertThat(blocks.count(TierFault.DEVICE_READ_ONLY)).isZero();
  }

  private static final class FailingOnce implements Executor {

    private Throwable failure;

    @Override
    public void execute(Runnable task) {
      Throwable thrown = failure;
      failure = null;
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown != null) {
        throw (RuntimeException) thrown;
      }
      task.run();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTaskThatNobodyTakesIsGivenAgainAndFailsNoPut(boolean isError) {
    FailingOnce worker = new FailingOnce();
    open(worker);
    worker.failure =
        isError
            ? new OutOfMemoryError("unable to create native thread (as asked)")
            : new RejectedExecutionException("as asked");
    for (int i = 0; worker.failure != null; i++) {
      assertThat(blocks.put(i)).isEqualTo(PutOutcome.STORED);
    }
    tier.tick();
    assertThatAllGoesOn();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void anErrorWhileARegionIsSealedCostsNothing(int writesBefore) {
    open(Runnable::run);
    assertThat(blocks.putAll(0, 2)).isEqualTo(2);
    device.failOnce(writesBefore, new OutOfMemoryError("as asked"));
    tier.sealOpen();
    assertThat(tier.isSealed()).isEqualTo(writesBefore >= 2);
    assertThat(blocks.readAll(0, 2)).isEqualTo(2);
    tier.tick();
    assertThat(tier.isSealed()).isTrue();
    assertThat(blocks.readAll(0, 2)).isEqualTo(2);
    assertThat(blocks.count(TierFault.CORRUPT_REGION)).isZero();
    device.failOnce(null);
    assertThatAllGoesOn();
  }

  @Test
  void anErrorAtTheEndCostsNothing() throws InterruptedException {
    open(Runnable::run);
    assertThat(blocks.putAll(0, 2)).isEqualTo(2);
    device.failOnce(new OutOfMemoryError("as asked"));
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    open(Runnable::run);
    assertThat(blocks.readAll(0, 2)).isEqualTo(2);
  }

  @Test
  void aRegionThatFailsAgainAndAgainLosesItsBlocksAndNoOtherDoes() {
    open(Runnable::run);
    for (int i = 0; i < 3 * REGIONS; i++) {
      assertThat(blocks.put(i)).isEqualTo(PutOutcome.STORED);
      device.failOnce(new StackOverflowError("as asked"));
      tier.sealOpen();
      for (int more = 1; more < 3; more++) {
        assertThat(tier.isSealed()).isFalse();
        device.failOnce(new StackOverflowError("as asked"));
        tier.tick();
      }
      assertThat(tier.isSealed()).isTrue();
    }
    assertThat(blocks.readAll(0, 3 * REGIONS)).isZero();
    assertThat(tier.stats().events().evictions())
        .containsEntry(EvictionCause.WRITE_FAILED, 3L * REGIONS);
    assertThat(blocks.count(TierFault.CORRUPT_REGION)).isEqualTo(3 * REGIONS);
    assertThatAllGoesOn();
  }

  @Test
  void aRegionThatCannotBeSealedForNowHoldsUpNoOther() {
    open(Runnable::run);
    NumberedBlocks odd = new NumberedBlocks(tier, "odd", BLOCK);
    assertThat(odd.putAll(0, 2)).isEqualTo(2);
    tier.tick();
    int slot = StoredRecord.first(disk, "odd", 0).slot();
    device.failAlways(slot, new StackOverflowError("as asked"));
    tier.sealOpen();
    assertThat(tier.isSealed()).isFalse();
    int put = (REGIONS / 2) * BLOCKS_PER_REGION;
    assertThat(blocks.putAll(0, put)).isEqualTo(put);
    assertThat(odd.readAll(0, 2)).as("not lost between two ticks").isEqualTo(2);
    tier.tick();
    device.failAlways(slot, null);
    tier.tick();
    tier.sealOpen();
    assertThat(tier.isSealed()).isTrue();
    assertThat(odd.readAll(0, 2)).isEqualTo(2);
    assertThat(blocks.readAll(0, put)).isEqualTo(put);
    assertThatAllGoesOn();
  }

  @Test
  void anErrorInAReadIsNoStall() {
    open(Runnable::run);
    assertThat(blocks.putAll(0, 2)).isEqualTo(2);
    tier.sealOpen();
    device.failReadOnce(0, new StackOverflowError("as asked"));
    boolean thrown = false;
    try {
      blocks.read(0);
    } catch (StackOverflowError e) {
      thrown = true;
    }
    assertThat(thrown).as("the JVM's own errors are the caller's").isTrue();
    now += 100 * CONFIG.limits().stall().toNanos();
    assertThat(blocks.readAll(0, 2)).isEqualTo(2);
    assertThat(blocks.count(TierFault.STALL)).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRegionThatCannotBeEmptiedLosesItsBlocks(boolean isError) {
    open(Runnable::run);
    FailingTarget target = new FailingTarget();
    tier.demoteTo(target);
    int put = 0;
    target.failure =
        isError ? new StackOverflowError("as asked") : new IllegalStateException("as asked");
    while (target.failure != null) {
      assertThat(blocks.put(put++)).isEqualTo(PutOutcome.STORED);
    }
    assertThat(blocks.count(TierFault.CORRUPT_REGION)).isOne();
    assertThat(tier.stats().events().evictions().get(EvictionCause.CORRUPTION))
        .as("the rest of one region")
        .isBetween(1L, (long) BLOCKS_PER_REGION);
    assertThatAllGoesOn();
  }

  /** A target that fails once with the first block that it is offered. */
  private static final class FailingTarget implements DemotionTarget<CountedBlock> {

    private Throwable failure;

    @Override
    public boolean wants(BlockInfo info) {
      return true;
    }

    @Override
    public Above above(CacheFile file, long offset) {
      return Above.NO;
    }

    @Override
    public void offer(BlockInfo info, CountedBlock block, boolean wasHit) {
      Throwable thrown = failure;
      failure = null;
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown != null) {
        throw (RuntimeException) thrown;
      }
    }
  }
}
