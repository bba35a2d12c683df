// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * A tier whose device's bytes a test looks at, and changes. Its I/O runs on the caller's thread.
 */
abstract class TierOnSimulatedDisk {

  static final int BLOCK = 5_000;
  private static final int REGIONS = 16;
  static final int REGION_BYTES = 64 << 10;

  final SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
  RegionTier<CountedBlock> tier;
  long now = 1;
  private final LeaseLedger ledger = LeaseLedger.counting();

  /** Makes the tier, which is not started. */
  final void make(SimulatedDevice device, RegionConfig config) {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(device),
            config,
            path -> Runnable::run,
            () -> now);
  }

  @AfterEach
  final void closeAll() throws InterruptedException {
    close();
    assertThat(tier.stats().leases().bytes()).isZero();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  final void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
  }

  final void seal() {
    tier.sealOpen();
    assertThat(tier.isSealed()).isTrue();
  }
}
