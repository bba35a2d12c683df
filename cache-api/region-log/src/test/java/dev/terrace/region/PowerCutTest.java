// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TestEffort;
import dev.terrace.api.TestFiles;
import dev.terrace.region.device.PowerSupply;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Power cuts at random moments of tiers that are written, sealed, reclaimed, demoted from and
 * recovered, over disks that drop and reorder what was not forced. Some of the blocks are
 * encrypted.
 *
 * <p>{@link TestEffort} sets how many, {@code -Dterrace.powercut.seed=S} repeats what failed.
 */
class PowerCutTest {

  private static final Logger LOG = LoggerFactory.getLogger(PowerCutTest.class);
  private static final int CUTS = TestEffort.times(1000);

  @Test
  void losesNothingThatWasDurableAndServesNothingWrong() {
    Long only = Long.getLong("terrace.powercut.seed");
    long seed = only == null ? new SplittableRandom().nextInt() : only;
    long cuts = 0;
    long durable = 0;
    long served = 0;
    long encrypted = 0;
    while (cuts < (only == null ? CUTS : 1)) {
      TestFiles.forgetAll();
      PowerCutRun run = new PowerCutRun(seed++);
      run.run();
      cuts += run.cuts();
      durable += run.durable();
      served += run.served();
      encrypted += run.servedEncrypted();
    }
    LOG.info(
        "cuts={} durable={} served={}, of these encrypted={}, all right; seeds up to {}",
        cuts,
        durable,
        served,
        encrypted,
        seed);
    assertThat(durable).as("blocks that had to be served").isGreaterThan(cuts);
    assertThat(served).as("blocks that were served, and right").isGreaterThanOrEqualTo(durable);
    if (only == null) {
      assertThat(encrypted).as("encrypted ones among them").isBetween(cuts, served - cuts);
    }
  }

  @ParameterizedTest(name = "unit={0}")
  @ValueSource(ints = {512, 4096})
  void aSealThatIsCutOffLeavesNoTornBlock(int unitBytes) {
    int whole = 0;
    for (int seed = 0; seed < 500; seed++) {
      TestFiles.forgetAll();
      SimulatedDisk disk = new SimulatedDisk(6, 64 << 10).withUnits(unitBytes);
      NumberedBlocks before = blocks(disk);
      // They reach into the bytes that are written with the footer.
      assertThat(before.putAll(0, 10)).isEqualTo(10);
      SplittableRandom random = new SplittableRandom(seed);
      PowerSupply power = new PowerSupply(List.of(disk), random, random.nextInt(8));
      assertThat(before.put(10)).isEqualTo(PutOutcome.STORED);
      NumberedBlocks after = blocks(power.cut().get(0));
      whole += after.readAll(0, 10) == 10 ? 1 : 0;
      assertThat(after.evicted(EvictionCause.CORRUPTION)).as("seed=%d", seed).isZero();
    }
    assertThat(whole).isBetween(1, 499);
  }

  private static NumberedBlocks blocks(SimulatedDisk disk) {
    RegionTier<CountedBlock> tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(LeaseLedger.counting()),
            List.of(new SimulatedDevice(disk, false, 1)),
            RegionConfig.named("cut", FILES),
            path -> Runnable::run,
            () -> 0);
    tier.start();
    return new NumberedBlocks(tier, "file", 6_200);
  }
}
