// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.Payloads;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionTier;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Real tiers with a hot set of half more than DRAM holds. */
abstract class DramOverSsd {

  static final int DRAM_BYTES = 8 << 20;
  static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 128;
  static final long ALL_BYTES = DRAM_BYTES + (long) REGIONS * REGION_BYTES;

  static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
  final DramTier<CountedBlock> dram = new DramTier<>(codec, new DramConfig(DRAM_BYTES, 0));
  final RegionTier<CountedBlock> ssd = SimulatedSsd.of(codec, REGIONS, REGION_BYTES);
  private final List<Tier<CountedBlock>> tiers = List.of(dram, ssd);
  final TieredCache<CountedBlock> cache =
      new TieredCache<>(
          FILES,
          tiers,
          codec,
          Movement.standard(
              tiers, false, Map.of(), System::nanoTime, Runnable::run, Long.MAX_VALUE));
  private final SplittableRandom random = new SplittableRandom(1);
  private final int hotBytes;
  private final int hotBlocks;

  /**
   * Tiers that are empty.
   *
   * @param hotBytes size of a block of the hot set
   */
  DramOverSsd(int hotBytes) {
    this.hotBytes = hotBytes;
    this.hotBlocks = DRAM_BYTES / hotBytes * 3 / 2;
  }

  @BeforeEach
  final void start() {
    ssd.start();
  }

  @AfterEach
  final void close() throws InterruptedException {
    cache.close();
    assertThat(ssd.awaitReleased(Patience.LIMIT)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  /** Reads a block, and puts it if it is missing. Returns whether it was there. */
  final boolean read(String file, long offset, int sizeBytes) {
    CountedBlock found = cache.get(file(file), offset, Access.CACHING);
    if (found == null) {
      put(file, offset, sizeBytes, Source.READ);
      return false;
    }
    Payloads.check(file, offset, found);
    found.release();
    return true;
  }

  final void put(String file, long offset, int sizeBytes, Source source) {
    CountedBlock block = CountedBlock.of(file, offset, sizeBytes);
    cache.put(file(file), offset, block, DATA, source);
    block.release();
  }

  /**
   * Reads as many blocks as the hot set has, {@code passes} times; the first ones more often.
   *
   * @return which part of them was in DRAM
   */
  final double passesOverTheHotSet(int passes) {
    long before = dram.stats().reads().hits().counted();
    for (int i = 0; i < passes * hotBlocks; i++) {
      double uniform = random.nextDouble();
      read("hot", (long) (hotBlocks * uniform * uniform), hotBytes);
    }
    return (double) (dram.stats().reads().hits().counted() - before) / passes / hotBlocks;
  }
}
