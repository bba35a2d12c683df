// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.SimulatedDevice;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tier is full when it is closed, and goes on to get blocks after each restart. */
class FullTierRestartTest extends TierOnSimulatedDisk {

  private static final int RESTARTS = 40;
  private static final int BLOCKS_EACH = 7;

  private NumberedBlocks blocks;

  private void open(boolean mapped) {
    make(new SimulatedDevice(disk, mapped, 1), RegionConfig.named("test", FILES));
    blocks = new NumberedBlocks(tier, "file", BLOCK);
    tier.start();
    assertThat(tier.isRecovered()).isTrue();
  }

  /** A put may find no room, and has the worker make some. */
  private void put(int number) {
    for (int attempt = 0; blocks.put(number) != PutOutcome.STORED; attempt++) {
      assertThat(attempt).isLessThan(10);
    }
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void nothingIsDroppedBeforeItIsRead(boolean mapped) throws InterruptedException {
    int puts = 0;
    open(mapped);
    for (; puts < 400; puts++) {
      put(puts);
      blocks.readAll(Math.max(0, puts - 100), puts);
    }
    for (int restart = 0; restart < RESTARTS; restart++) {
      for (int i = 0; i < BLOCKS_EACH; i++) {
        put(puts++);
      }
      int kept = blocks.readAll(0, puts);
      close();

      open(mapped);
      assertThat(tier.stats().events().evictions()).isEmpty();
      assertThat(blocks.readAll(0, puts)).as("served").isGreaterThanOrEqualTo(kept);
    }
    assertThat(tier.stats().space().usedBytes())
        .isGreaterThan(tier.stats().space().capacityBytes() / 2);
  }
}
