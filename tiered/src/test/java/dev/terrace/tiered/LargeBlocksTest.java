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

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionTier;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocks of cells that are much larger than other blocks, a sixty-fourth of the sizes of a server:
 * regions of 256 KB for 16 MB, and blocks of 160 KB for 10 MB.
 */
class LargeBlocksTest {

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final int SMALL = 4_000;
  private static final int DRAM_BYTES = 8 << 20;
  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 128;
  private static final int LARGEST_IN_DRAM = DRAM_BYTES / 8;
  private static final int LARGEST_ON_SSD = REGION_BYTES / 2;
  private static final long ALL_BYTES = DRAM_BYTES + (long) REGIONS * REGION_BYTES;

  /** Half more than DRAM holds, the first ones more often. */
  private static final int HOT_BLOCKS = DRAM_BYTES / SMALL * 3 / 2;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
  private final DramTier<CountedBlock> dram = new DramTier<>(codec, new DramConfig(DRAM_BYTES, 0));
  private final RegionTier<CountedBlock> ssd = SimulatedSsd.of(codec, REGIONS, REGION_BYTES);
  private final List<Tier<CountedBlock>> tiers = List.of(dram, ssd);
  private final TieredCache<CountedBlock> cache =
      new TieredCache<>(
          tiers, codec, Movement.standard(tiers, false, Runnable::run, Long.MAX_VALUE));
  private final SplittableRandom random = new SplittableRandom(1);

  @BeforeEach
  void start() {
    ssd.start();
  }

  @AfterEach
  void close() throws InterruptedException {
    cache.close();
    assertThat(ssd.awaitReleased(Duration.ofMinutes(1))).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private boolean read(String file, long offset, int sizeBytes) {
    CountedBlock found = cache.get(file, offset, Access.CACHING);
    if (found == null) {
      CountedBlock block = CountedBlock.of(file, offset, sizeBytes);
      cache.put(file, offset, block, DATA, Source.READ);
      block.release();
      return false;
    }
    Payloads.check(file, offset, found);
    found.release();
    return true;
  }

  private long badSizes(Tier<CountedBlock> tier) {
    return tier.stats().refusals().getOrDefault(PutOutcome.BAD_SIZE, 0L);
  }

  @Test
  void eachIsServedOrRefusedForItsSize() {
    int[] sizes = {
      LARGEST_ON_SSD,
      LARGEST_ON_SSD + 1,
      REGION_BYTES - 1,
      REGION_BYTES,
      REGION_BYTES + 1,
      LARGEST_IN_DRAM,
      LARGEST_IN_DRAM + 1,
      DRAM_BYTES,
      DRAM_BYTES + 1,
      2 * DRAM_BYTES
    };
    int refusedByAll = 0;
    for (int i = 0; i < sizes.length; i++) {
      read("large", i, sizes[i]);
      boolean isServed = sizes[i] <= LARGEST_IN_DRAM;
      assertThat(read("large", i, sizes[i])).as("%d bytes", sizes[i]).isEqualTo(isServed);
      refusedByAll += isServed ? 0 : 2;
    }
    assertThat(refusedByAll).isEqualTo(8);
    assertThat(badSizes(dram)).isEqualTo(refusedByAll);
    assertThat(badSizes(ssd)).as("asked after DRAM, which refused").isEqualTo(refusedByAll);
    assertThat(dram.stats().payloadBytes()).isLessThanOrEqualTo(DRAM_BYTES);
  }

  private double passesOverTheHotSet(int passes) {
    long before = dram.stats().hits().counted();
    for (int i = 0; i < passes * HOT_BLOCKS; i++) {
      double uniform = random.nextDouble();
      read("hot", (long) (HOT_BLOCKS * uniform * uniform), SMALL);
    }
    return (double) (dram.stats().hits().counted() - before) / passes / HOT_BLOCKS;
  }

  /** Twice what all tiers hold. */
  @ParameterizedTest
  @ValueSource(ints = {160_000, LARGEST_IN_DRAM, LARGEST_IN_DRAM + 1})
  void aFloodOfOneTimeReadsLeavesMostOfTheHotSet(int sizeBytes) {
    passesOverTheHotSet(10);
    double before = passesOverTheHotSet(5);
    assertThat(before).as("in DRAM before").isBetween(0.7, 0.98);

    for (long i = 0; i < 2 * ALL_BYTES / sizeBytes; i++) {
      read("flood", i, sizeBytes);
    }

    assertThat(passesOverTheHotSet(1)).as("in DRAM in the pass after").isGreaterThan(before - 0.15);
  }
}
