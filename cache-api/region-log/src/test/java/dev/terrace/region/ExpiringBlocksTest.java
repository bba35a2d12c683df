// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.SimulatedDevice;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first blocks of a file are known to leave soon. */
class ExpiringBlocksTest extends TierOnSimulatedDisk {

  private static final String OLD = "old";

  private NumberedBlocks old;
  private NumberedBlocks others;
  private int leaving;

  private void open(boolean mapped) {
    make(
        new SimulatedDevice(disk, mapped, 1),
        RegionConfig.named("test", FILES)
            .withExpiring((file, offset) -> file.name().equals(OLD) && offset < leaving));
    old = new NumberedBlocks(tier, OLD, BLOCK);
    others = new NumberedBlocks(tier, "other", BLOCK);
    tier.start();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aReclaimDropsThemThoughTheyWereRead(boolean mapped) {
    open(mapped);
    assertThat(old.putAll(0, 10)).isEqualTo(10);
    leaving = 5;
    int put = 0;
    while (tier.contains(file(OLD), 0) || tier.contains(file(OLD), 4)) {
      for (int number = 0; number < 10; number++) {
        tier.touch(file(OLD), number);
      }
      others.put(put++);
      assertThat(put).isLessThan(1_000);
    }

    assertThat(old.readAll(0, 5)).isZero();
    assertThat(old.readAll(5, 10)).isEqualTo(5);
    assertThat(tier.stats().writes().rewrittenBytes()).isPositive();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void noneIsTaken(boolean mapped) {
    open(mapped);
    leaving = 5;

    assertThat(old.put(4)).isEqualTo(PutOutcome.EXPIRING);
    assertThat(old.put(5)).isEqualTo(PutOutcome.STORED);
  }
}
