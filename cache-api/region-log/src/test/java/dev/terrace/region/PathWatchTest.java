// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.DeviceExecutors;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looks at a path that take long, or find nothing out. */
class PathWatchTest {

  private static final int BLOCK = 10_000;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final ExecutorService looker = Executors.newSingleThreadExecutor();
  private final SimulatedDevice device =
      new SimulatedDevice(new SimulatedDisk(16, 64 << 10), true, 1);
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  private final class Threads implements DeviceExecutors {

    @Override
    public Executor worker(String path) {
      return Runnable::run;
    }

    @Override
    public Executor looks(String path) {
      return looker;
    }
  }

  @BeforeEach
  void open() {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(device),
            RegionConfig.named("test", FILES),
            new Threads(),
            () -> 1);
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
    assertThat(blocks.put(0)).isEqualTo(PutOutcome.STORED);
  }

  @AfterEach
  void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    looker.shutdown();
    assertThat(looker.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  /** Ticks, and waits until the path was looked at. */
  private void poll() throws Exception {
    tier.tick();
    looker.submit(() -> {}).get();
  }

  @Test
  void aLookThatHangsHoldsNothingElseUp() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch looks = new CountDownLatch(1);
    device.looks(
        () -> {
          looks.countDown();
          Awaitility.await().until(() -> hangs.getCount() == 0);
          return Optional.of("it moved");
        });
    tier.tick();
    looks.await();
    for (int i = 1; i < 10; i++) {
      tier.tick();
      assertThat(blocks.put(i)).isEqualTo(PutOutcome.STORED);
      assertThat(blocks.read(i)).isTrue();
    }
    assertThat(blocks.count(TierFault.PATH_LOST)).isZero();
    hangs.countDown();
    poll();
    assertThat(blocks.read(1)).isFalse();
    assertThat(blocks.count(TierFault.PATH_LOST)).isEqualTo(1);
  }

  @Test
  void whereNobodyCanTellThePathIsKept() throws Exception {
    device.looks(
        () -> {
          throw new IOException("Input/output error");
        });
    poll();
    assertThat(blocks.read(0)).isTrue();
    device.looks(() -> Optional.of("it moved"));
    poll();
    assertThat(blocks.read(0)).isFalse();
    device.looks(
        () -> {
          throw new IOException("Input/output error");
        });
    poll();
    assertThat(blocks.read(0)).as("nor is it taken back").isFalse();
  }

  /** A hit on an object that readers share asks neither the index nor the device. */
  @Test
  void sharedObjectsOfALostPathAreNotServed() throws Exception {
    assertThat(blocks.read(0)).isTrue();
    CountedBlock held = blocks.hold(0);
    device.looks(() -> Optional.of("it moved"));
    poll();
    assertThat(blocks.read(0)).isFalse();
    held.release();
  }
}
