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
import org.junit.jupiter.params.provider.EnumSource;

/** Floods of blocks that are read once or not at all, between two phases with a hot set. */
class FloodTest {

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final int BLOCK_BYTES = 30_000;
  private static final long DRAM_BYTES = 8 << 20;
  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 128;
  private static final int DRAM_BLOCKS = (int) (DRAM_BYTES / BLOCK_BYTES);
  private static final int ALL_BLOCKS =
      (int) ((DRAM_BYTES + (long) REGIONS * REGION_BYTES) / BLOCK_BYTES);

  /** Half more than DRAM holds, the first ones more often. */
  private static final int HOT_BLOCKS = DRAM_BLOCKS * 3 / 2;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
  private final DramTier<CountedBlock> dram = new DramTier<>(codec, new DramConfig(DRAM_BYTES, 0));
  private final RegionTier<CountedBlock> ssd = SimulatedSsd.of(codec, REGIONS, REGION_BYTES);
  private final List<Tier<CountedBlock>> tiers = List.of(dram, ssd);
  private final TieredCache<CountedBlock> cache =
      new TieredCache<>(
          tiers, codec, Movement.standard(tiers, false, Runnable::run, Long.MAX_VALUE));
  private final SplittableRandom random = new SplittableRandom(1);

  /** What floods the cache. */
  private enum Flood {
    /** A scan reads each block once. */
    SCAN,
    /** A compaction writes its output into the cache, and gives up its inputs. */
    COMPACTION,
    /** A large table is prefetched. */
    PREFETCH
  }

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

  private void read(String file, long offset) {
    CountedBlock found = cache.get(file, offset, Access.CACHING);
    if (found == null) {
      put(file, offset, Source.READ);
    } else {
      Payloads.check(file, offset, found);
      found.release();
    }
  }

  private void put(String file, long offset, Source source) {
    CountedBlock block = CountedBlock.of(file, offset, BLOCK_BYTES);
    cache.put(file, offset, block, DATA, source);
    block.release();
  }

  /** Reads as many blocks as the hot set has; tells which part of them was in DRAM. */
  private double passOverTheHotSet() {
    long before = dram.stats().hits().counted();
    for (int i = 0; i < HOT_BLOCKS; i++) {
      double uniform = random.nextDouble();
      read("hot", (long) (HOT_BLOCKS * uniform * uniform));
    }
    return (double) (dram.stats().hits().counted() - before) / HOT_BLOCKS;
  }

  private double passesOverTheHotSet(int passes) {
    double sum = 0;
    for (int pass = 0; pass < passes; pass++) {
      sum += passOverTheHotSet();
    }
    return sum / passes;
  }

  private void flood(Flood flood) {
    for (long offset = 0; offset < 5L * ALL_BLOCKS; offset++) {
      switch (flood) {
        case SCAN -> read("scanned", offset);
        case COMPACTION -> put("output" + offset / ALL_BLOCKS, offset, Source.AHEAD);
        case PREFETCH -> put("prefetched", offset, Source.AHEAD);
      }
    }
    if (flood == Flood.COMPACTION) {
      cache.evictFile("output0");
    }
  }

  @ParameterizedTest
  @EnumSource(Flood.class)
  void theHotSetIsBackInUnderOnePass(Flood flood) {
    passesOverTheHotSet(30);
    double before = passesOverTheHotSet(20);
    assertThat(before).as("in DRAM before").isBetween(0.7, 0.98);

    flood(flood);

    // The very first pass, what it has to fetch again included, as a mean of so many floods.
    double after = passOverTheHotSet();
    int floods = 1;
    for (; floods < 4; floods++) {
      passesOverTheHotSet(3);
      flood(flood);
      after += passOverTheHotSet();
    }
    after /= floods;
    assertThat(after)
        .as("in DRAM in the pass after, before it was %.3f", before)
        .isGreaterThan(before - 0.02);
  }

  @ParameterizedTest
  @EnumSource(
      value = Flood.class,
      names = {"SCAN", "PREFETCH"})
  void anEmptyCacheIsFilledAtOnce(Flood flood) {
    for (long offset = 0; offset < ALL_BLOCKS; offset++) {
      if (flood == Flood.SCAN) {
        read("scanned", offset);
      } else {
        put("prefetched", offset, Source.AHEAD);
      }
    }
    assertThat(dram.blockCount()).isGreaterThan(DRAM_BLOCKS * 95L / 100);
    assertThat(cache.files().next().blocks())
        .as("blocks of the only file, of %d", ALL_BLOCKS)
        .isGreaterThan(ALL_BLOCKS * 90 / 100);
  }

  @Test
  void whatIsPrefetchedIntoFreeRoomIsFoundThere() {
    passesOverTheHotSet(3);
    for (long offset = 0; offset < DRAM_BLOCKS; offset++) {
      put("prefetched", offset, Source.AHEAD);
    }
    assertThat(cache.usage("prefetched").blocks()).isEqualTo(DRAM_BLOCKS);
  }
}
