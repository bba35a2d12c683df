/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
