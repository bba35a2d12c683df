// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.TestFiles;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A tier closes while its worker is at work. */
class CloseUnderWorkTest {

  private static final int FILES = 20;
  private static final int BLOCKS = 60;

  private final SimulatedDisk disk = new SimulatedDisk(32, 64 << 10);

  private RegionTier<CountedBlock> open() {
    RegionTier<CountedBlock> tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(LeaseLedger.counting()),
            List.of(new SimulatedDevice(disk, false, 1)),
            RegionConfig.named("test", TestFiles.FILES),
            path -> Runnable::run,
            System::nanoTime);
    tier.start();
    return tier;
  }

  @Test
  void keepsWhatLeavesOnlyTheIndex() throws InterruptedException {
    RegionTier<CountedBlock> tier = open();
    for (int i = 0; i < FILES; i++) {
      assertThat(new NumberedBlocks(tier, "file" + i, 800).putAll(0, BLOCKS)).isEqualTo(BLOCKS);
      tier.sealOpen();
    }
    for (int round = 0; round < 20; round++) {
      RegionTier<CountedBlock> closing = tier;
      AtomicBoolean done = new AtomicBoolean();
      Thread worker =
          new Thread(
              () -> {
                while (!done.get()) {
                  closing.tick();
                }
              });
      worker.start();
      closing.close();
      done.set(true);
      worker.join();
      assertThat(closing.awaitReleased(Patience.LIMIT)).isTrue();
      tier = open();
      tier.tick();
      assertThat(tier.blockCount()).as("round %d", round).isEqualTo(FILES * BLOCKS);
    }
    tier.close();
  }
}
