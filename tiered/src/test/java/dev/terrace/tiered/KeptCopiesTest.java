// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionTier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a full SSD does with copies of blocks that DRAM has, too. */
class KeptCopiesTest {

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final int BLOCK_BYTES = 30_000;
  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 64;

  private static PutOutcome put(Tier<CountedBlock> tier, String file, long offset) {
    CountedBlock block = CountedBlock.of(file, offset, BLOCK_BYTES);
    try {
      return tier.put(file(file), offset, block, DATA, 0);
    } finally {
      block.release();
    }
  }

  /** Two tiers over a disk in memory. */
  private static final class Tiers {

    final LeaseLedger ledger = LeaseLedger.counting();
    final RegionTier<CountedBlock> ssd;
    final DramTier<CountedBlock> dram;
    final TieredCache<CountedBlock> cache;
    private long others;

    /** Tiers of which the SSD is so many times as large. */
    Tiers(int times) throws InterruptedException {
      CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
      ssd = SimulatedSsd.of(codec, REGIONS, REGION_BYTES);
      long dramBytes = ssd.stats().space().capacityBytes() / times;
      dram = new DramTier<>(codec, new DramConfig(dramBytes, 0));
      List<Tier<CountedBlock>> tiers = List.of(dram, ssd);
      cache =
          new TieredCache<>(
              FILES,
              tiers,
              codec,
              Movement.standard(
                  tiers, false, Map.of(), System::nanoTime, Runnable::run, Long.MAX_VALUE));
      ssd.start();
    }

    /** Writes three times the SSD's size of blocks that nobody reads. */
    void fillSsd() {
      long last = others;
      for (long end = others + 3L * REGIONS * REGION_BYTES / BLOCK_BYTES; others < end; others++) {
        assertThat(put(ssd, "other", others)).isEqualTo(PutOutcome.STORED);
      }
      assertThat(ssd.contains(file("other"), last)).as("what nobody hit").isFalse();
    }

    void close() throws InterruptedException {
      cache.close();
      assertThat(ssd.awaitReleased(Patience.LIMIT)).isTrue();
      ledger.assertNoViolations();
      ledger.assertAllReleased();
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
  void areKeptWhereTheSsdIsMuchLarger(int times, boolean kept) throws InterruptedException {
    Tiers tiers = new Tiers(times);
    try {
      assertThat(put(tiers.dram, "hot", 0)).isEqualTo(PutOutcome.STORED);
      assertThat(put(tiers.ssd, "hot", 0)).isEqualTo(PutOutcome.STORED);
      tiers.fillSsd();

      assertThat(tiers.dram.contains(file("hot"), 0)).isTrue();
      assertThat(tiers.ssd.contains(file("hot"), 0)).isEqualTo(kept);
      assertThat(tiers.cache.contains(file("hot"), 0)).isTrue();
    } finally {
      tiers.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"16, true", "8, true", "4, false", "1, false"})
  void areMadeWhereTheSsdIsMuchLarger(int times, boolean made) throws InterruptedException {
    Tiers tiers = new Tiers(times);
    try {
      tiers.fillSsd();
      assertThat(tiers.ssd.hasFreeRoom()).isFalse();
      assertThat(put(tiers.dram, "hot", 0)).isEqualTo(PutOutcome.STORED);
      long now = System.nanoTime();

      assertThat(tiers.cache.keepSafe(now)).as("it came just now").isZero();
      assertThat(tiers.cache.keepSafe(now + Duration.ofMinutes(10).toNanos()))
          .isEqualTo(made ? 1 : 0);
      assertThat(tiers.ssd.contains(file("hot"), 0)).isEqualTo(made);
      tiers.fillSsd();
      assertThat(tiers.ssd.contains(file("hot"), 0)).as("while DRAM has it").isEqualTo(made);
    } finally {
      tiers.close();
    }
  }
}
