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
import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An open region of a device that is no memory, when nothing more is put into it. */
class IdleRegionTest {

  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 16;
  private static final int BLOCK_BYTES = 8 << 10;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final AtomicLong now = new AtomicLong();
  private final RegionTier<CountedBlock> tier =
      new RegionTier<>(
          CountedBlockCodec.sharing(ledger),
          List.of(new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), false, 1)),
          RegionConfig.named("test"),
          path -> Runnable::run,
          now::get);
  private final NumberedBlocks blocks = new NumberedBlocks(tier, "file", BLOCK_BYTES);
  private int next;

  IdleRegionTest() {
    tier.start();
  }

  @AfterEach
  void close() {
    tier.close();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private void put(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(blocks.put(next++)).isEqualTo(PutOutcome.STORED);
    }
  }

  private void pass(long nanos) {
    now.addAndGet(nanos);
    tier.tick();
  }

  @Test
  void isSealedWhenNothingWasPutForAWhile() {
    put(4);
    pass(IDLE_NANOS - 1);
    assertThat(tier.isSealed()).isFalse();
    pass(1);
    assertThat(tier.isSealed()).isTrue();
    assertThat(blocks.read(3)).isTrue();
    put(1);
    assertThat(tier.isSealed()).as("another one is open").isFalse();
  }

  @Test
  void staysOpenWhileBlocksCome() {
    for (int i = 0; i < 10; i++) {
      put(1);
      pass(IDLE_NANOS - 1);
      assertThat(tier.isSealed()).isFalse();
    }
  }

  @Test
  void staysOpenWhenItHoldsNextToNothing() {
    put(1);
    pass(10 * IDLE_NANOS);
    assertThat(tier.isSealed()).isFalse();
  }

  @Test
  void mustBeHalfFullWhereThereIsNoFreeRoom() {
    while (tier.hasFreeRoom()) {
      put(1);
    }
    tier.sealOpen();
    assertThat(tier.isSealed()).isTrue();
    put(8);
    pass(IDLE_NANOS);
    assertThat(tier.isSealed()).as("a quarter").isFalse();
    put(8);
    pass(IDLE_NANOS);
    assertThat(tier.isSealed()).as("half").isTrue();
  }
}
