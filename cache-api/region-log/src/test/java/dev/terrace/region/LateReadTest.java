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
import dev.terrace.api.TierFault;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads of a file whose region is reused, or goes, before the device answers. */
class LateReadTest {

  private static final int REGIONS = 8;
  private static final int REGION_BYTES = 64 << 10;
  private static final int BLOCK = 10_000;
  private static final int A_REGION = 6;
  private static final int ALL = (REGIONS - 3) * A_REGION;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final AtomicReference<Runnable> next = new AtomicReference<>();
  private final SimulatedDevice device =
      new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), false, 1).onRead(this::inside);
  private final RegionTier<CountedBlock> tier =
      new RegionTier<>(
          CountedBlockCodec.sharing(ledger),
          List.of(device),
          RegionConfig.named("test", FILES),
          path -> Runnable::run,
          System::nanoTime);
  private final NumberedBlocks blocks = new NumberedBlocks(tier, "file", BLOCK);

  /** Runs once, inside the next read. */
  private void inside() {
    Runnable action = next.getAndSet(null);
    if (action != null) {
      action.run();
    }
  }

  private void fill() {
    tier.start();
    assertThat(blocks.putAll(0, ALL)).isEqualTo(ALL);
    tier.sealOpen();
  }

  /** Has all regions reused inside the next read. */
  private void reuseInNextRead() {
    next.set(() -> assertThat(blocks.putAll(1000, 1000 + 4 * ALL)).isEqualTo(4 * ALL));
  }

  @AfterEach
  void close() throws InterruptedException {
    assertThat(blocks.count(TierFault.READ_ERROR)).isZero();
    assertThat(blocks.count(TierFault.CORRUPT_BLOCK)).isZero();
    assertThat(blocks.evicted(EvictionCause.CORRUPTION)).isZero();
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  @Test
  void aBlockThatIsEvictedMeanwhileIsAMiss() {
    fill();
    reuseInNextRead();
    assertThat(blocks.read(1)).isFalse();
    assertThat(next).hasValue(null);
  }

  @Test
  void aBlockThatIsMovedMeanwhileIsReadWhereItIs() {
    fill();
    for (int hit = 0; hit < 3; hit++) {
      assertThat(blocks.read(1)).as("so that it outlives as many reclaims").isTrue();
    }
    next.set(() -> assertThat(blocks.putAll(1000, 1000 + 2 * ALL)).isEqualTo(2 * ALL));
    assertThat(blocks.read(1)).isTrue();
    assertThat(next).hasValue(null);
  }

  @Test
  void noBytesOfAnotherBlockAreTheFirstOfThisOne() {
    fill();
    ByteBuffer head = ByteBuffer.allocate(100);
    assertThat(tier.head(file("file"), 1, head)).isTrue();
    reuseInNextRead();
    assertThat(tier.head(file("file"), 1, head)).isFalse();
    assertThat(next).hasValue(null);
  }

  @Test
  void aRegionThatIsCutOffMeanwhileIsNoFaultOfTheDevice() {
    fill();
    next.set(() -> tier.resize(path -> 3 * REGION_BYTES).join());
    int found = 0;
    for (int i = ALL - 1; next.get() != null; i--) {
      found += blocks.read(i) ? 1 : 0;
    }
    assertThat(device.regions()).isEqualTo(3);
    assertThat(found).isLessThanOrEqualTo(1);
  }

  @Test
  void aDeviceIsClosedAfterTheReadsInsideIt() {
    fill();
    next.set(
        () -> {
          tier.close();
          assertThat(device.isClosed()).isFalse();
        });
    assertThat(blocks.read(1)).isFalse();
    assertThat(device.isClosed()).isTrue();
  }
}
