// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

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
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.folder.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An SSD tier on a disk that is really full. Skipped where nothing can be mounted. */
class FullDiskTierTest {

  private static final int REGION = 256 << 10;
  private static final int REGIONS = 32;
  private static final int BLOCK = 20_000;
  private static final Duration REST = Duration.ofSeconds(5);

  @TempDir Path temporary;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final AtomicLong now = new AtomicLong(1);
  private RegionTier<CountedBlock> tier;

  @Test
  void writesStopReadsGoOnAndSpaceHeals() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(temporary.resolve("disk"), 6L << 20)) {
      Path ballast = disk.directory().resolve("ballast");
      Files.write(ballast, new byte[3 << 20]);
      PathSplit config =
          new PathSplit(PathSplit.even(List.of(disk.directory()), (long) REGIONS * REGION), REGION);
      tier =
          new RegionTier<>(
              CountedBlockCodec.sharing(ledger),
              FileDevice.openAll(config, false),
              RegionConfig.named("full", FILES)
                  .withLimits(new IoLimits(Duration.ofMinutes(1), REST, IoLimits.USUAL_READERS, 0)),
              path -> Runnable::run,
              now::get);
      NumberedBlocks blocks = new NumberedBlocks(tier, "file", BLOCK);
      tier.start();
      int stored = 0;
      while (blocks.put(stored) == PutOutcome.STORED) {
        stored++;
      }
      assertThat(blocks.put(stored)).isEqualTo(PutOutcome.UNAVAILABLE);
      assertThat(blocks.count(TierFault.NO_SPACE_LEFT)).isPositive();
      assertThat(blocks.count(TierFault.DEVICE_OUT)).isZero();
      for (int rest = 0; rest < 10; rest++) {
        now.addAndGet(REST.toNanos());
        tier.tick();
        assertThat(blocks.put(stored)).as("does not flap").isEqualTo(PutOutcome.UNAVAILABLE);
      }
      assertThat(blocks.readAll(0, stored)).as("also what did not fit").isEqualTo(stored);
      assertThat(tier.stats().events().evictions()).isEmpty();
      assertThat(tier.stats().events().faults()).containsOnlyKeys(TierFault.NO_SPACE_LEFT);

      Files.delete(ballast);
      now.addAndGet(REST.toNanos());
      tier.tick();
      for (int i = 1000; i < 1100; i++) {
        assertThat(blocks.put(i)).isEqualTo(PutOutcome.STORED);
      }
      for (int i = 1000; i < 1100; i++) {
        assertThat(blocks.read(i)).isTrue();
      }
      assertThat(blocks.readAll(0, stored)).isEqualTo(stored);
      assertThat(blocks.count(TierFault.QUARANTINED_REGION)).isZero();
      tier.close();
      assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
      ledger.assertNoViolations();
      ledger.assertAllReleased();
    }
  }
}
