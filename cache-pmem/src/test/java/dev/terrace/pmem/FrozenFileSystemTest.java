// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.pmem;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.NumberedBlocks;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.folder.SmallDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A persistent memory tier on a file system that is frozen, as for a snapshot. Skipped where
 * nothing can be mounted or frozen.
 */
@Tag("long")
class FrozenFileSystemTest {

  private static final int REGION = 256 << 10;
  private static final int BLOCKS = 200;
  private static final Duration FROZEN = Duration.ofSeconds(15);

  @TempDir Path temporary;

  @Test
  void noOtherThreadWaitsAndHitsGoOn() throws Exception {
    try (SmallDisk disk = SmallDisk.ofImage(temporary.resolve("disk"), 64L << 20)) {
      PathSplit config =
          new PathSplit(PathSplit.even(List.of(disk.directory()), 64L * REGION), REGION);
      List<Device> devices = MappedDevice.openAll(config);
      RegionTier<CountedBlock> tier =
          RegionTier.open(
              CountedBlockCodec.sharing(LeaseLedger.counting()),
              devices,
              RegionConfig.named("frozen", FILES));
      NumberedBlocks blocks = new NumberedBlocks(tier, "file", 10_000);
      for (int i = 0; i < BLOCKS; i++) {
        int number = i;
        Awaitility.await().until(() -> blocks.put(number) == PutOutcome.STORED);
      }
      ExecutorService writer = Executors.newSingleThreadExecutor();
      AtomicBoolean ended = new AtomicBoolean();
      try {
        Process freeze = disk.freeze(FROZEN);
        Future<?> puts =
            writer.submit(
                () -> {
                  for (int i = 1000; !ended.get(); i++) {
                    blocks.put(i);
                    LockSupport.parkNanos(1_000_000);
                  }
                });
        assertThatThisThreadGoesOn(freeze, blocks);
        ended.set(true);
        puts.get();
        assertThat(freeze.waitFor()).as("thawed").isZero();
        assertThat(blocks.count(TierFault.STALL)).as("the writes' own").isOne();
        assertThat(blocks.count(TierFault.DEVICE_OUT)).isZero();
        Awaitility.await().until(() -> blocks.put(1_000_000) == PutOutcome.STORED);
        assertThat(blocks.readAll(0, BLOCKS)).isEqualTo(BLOCKS);
      } finally {
        ended.set(true);
        writer.shutdown();
        tier.close();
        assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
      }
    }
  }

  private static void assertThatThisThreadGoesOn(Process freeze, NumberedBlocks blocks) {
    long longestNanos = 0;
    long lastNanos = System.nanoTime();
    int reads = 0;
    int hits = 0;
    while (freeze.isAlive()) {
      hits += blocks.read(reads++ % BLOCKS) ? 1 : 0;
      LockSupport.parkNanos(1_000_000);
      long now = System.nanoTime();
      longestNanos = Math.max(longestNanos, now - lastNanos);
      lastNanos = now;
    }
    assertThat(Duration.ofNanos(longestNanos)).isLessThan(FROZEN.dividedBy(3));
    assertThat(hits).as("all of them").isEqualTo(reads).isGreaterThan(100);
  }
}
