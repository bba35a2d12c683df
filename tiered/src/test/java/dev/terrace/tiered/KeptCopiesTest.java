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
package dev.terrace.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.SimulatedDevice;
import dev.terrace.region.SimulatedDisk;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What becomes of a copy on the SSD while DRAM has the block, too, when its region is reclaimed.
 */
class KeptCopiesTest {

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final int BLOCK_BYTES = 30_000;
  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 64;

  private static PutOutcome put(Tier<CountedBlock> tier, String file, long offset) {
    CountedBlock block = CountedBlock.of(file, offset, BLOCK_BYTES);
    try {
      return tier.put(file, offset, block, DATA);
    } finally {
      block.release();
    }
  }

  @ParameterizedTest
  @CsvSource({
    // the SSD is how many times as large as DRAM, and whether it keeps the copy for a crash
    "16, true",
    "8, true",
    "4, false",
    "1, false"
  })
  void isKeptWhereTheSsdIsMuchLarger(int times, boolean kept) throws InterruptedException {
    LeaseLedger ledger = LeaseLedger.counting();
    CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
    RegionTier<CountedBlock> ssd =
        new RegionTier<>(
            codec,
            List.of(new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), false, 1)),
            RegionConfig.named("ssd"),
            path -> Runnable::run,
            System::nanoTime);
    long dramBytes = ssd.stats().capacityBytes() / times;
    DramTier<CountedBlock> dram = new DramTier<>(codec, new DramConfig(dramBytes, 0));
    List<Tier<CountedBlock>> tiers = List.of(dram, ssd);
    try (TieredCache<CountedBlock> cache =
        new TieredCache<>(
            tiers, codec, Movement.standard(tiers, false, Runnable::run, Long.MAX_VALUE))) {
      ssd.start();
      for (Tier<CountedBlock> tier : tiers) {
        assertThat(put(tier, "hot", 0)).isEqualTo(PutOutcome.STORED);
      }
      long others = 3L * REGIONS * REGION_BYTES / BLOCK_BYTES;
      for (long offset = 0; offset < others; offset++) {
        assertThat(put(ssd, "other", offset)).isEqualTo(PutOutcome.STORED);
      }

      assertThat(dram.contains("hot", 0)).isTrue();
      assertThat(ssd.contains("other", 0)).as("what nobody hit").isFalse();
      assertThat(ssd.contains("hot", 0)).isEqualTo(kept);
      assertThat(cache.contains("hot", 0)).isTrue();
    }
    assertThat(ssd.awaitReleased(Duration.ofMinutes(1))).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }
}
