// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.Payloads;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionTier;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Blocks that leave a DRAM tier for a region tier, whose memory is counted. */
class MovedLeasesTest {

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final int BLOCKS = 100;
  private static final int BLOCK_BYTES = 30_000;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
  private final DramTier<CountedBlock> dram = new DramTier<>(codec, new DramConfig(1 << 20, 0.3));
  private final RegionTier<CountedBlock> low = SimulatedSsd.of(codec, 32, 256 << 10);
  private final List<Tier<CountedBlock>> tiers = List.of(dram, low);
  private final HandRun carrier = new HandRun();
  private final TieredCache<CountedBlock> cache =
      new TieredCache<>(
          FILES,
          tiers,
          codec,
          Movement.standard(tiers, false, Map.of(), System::nanoTime, carrier, 64 << 20));

  private void fill(String file) {
    low.start();
    for (int offset = 0; offset < BLOCKS; offset++) {
      CountedBlock block = CountedBlock.of(file, offset, BLOCK_BYTES);
      assertThat(cache.put(file(file), offset, block, DATA).isPresent()).isTrue();
      block.release();
    }
    assertThat(carrier.waiting()).isEqualTo(1);
    assertThat(ledger.unreleased())
        .as("in DRAM, and on their way")
        .isGreaterThan((int) dram.blockCount());
  }

  private void close() throws InterruptedException {
    cache.close();
    assertThat(low.awaitReleased(Patience.LIMIT)).isTrue();
    carrier.runAll();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  @Test
  void whatLeavesIsReadBelow() throws Exception {
    fill("file");
    carrier.runAll();
    assertThat(ledger.unreleased()).isEqualTo((int) dram.blockCount());
    for (int offset = 0; offset < BLOCKS; offset++) {
      CountedBlock block = cache.get(file("file"), offset, Access.CACHING);
      Payloads.check("file", offset, block);
      block.release();
    }
    close();
  }

  @Test
  void aLookupBelowWhosePolicyFailsKeepsNoLease() throws Exception {
    RegionTier<CountedBlock> below = SimulatedSsd.of(codec, 32, 256 << 10);
    DramTier<CountedBlock> above = new DramTier<>(codec, new DramConfig(1 << 20, 0.3));
    Movement.PromotionPolicy failing =
        keyHash -> {
          throw new NegativeArraySizeException("as asked");
        };
    try (TieredCache<CountedBlock> failingCache =
        new TieredCache<>(
            FILES,
            List.of(above, below),
            codec,
            new Movement(Map.of(), failing, carrier, 64 << 20))) {
      below.start();
      CountedBlock block = CountedBlock.of("file", 1, BLOCK_BYTES);
      below.put(file("file"), 1, block, DATA, 0);
      block.release();

      assertThatThrownBy(() -> failingCache.get(file("file"), 1, Access.CACHING))
          .isInstanceOf(NegativeArraySizeException.class);
      ledger.assertAllReleased();
    }
    assertThat(below.awaitReleased(Patience.LIMIT)).isTrue();
    close();
  }

  @Test
  void aFileEvictedOnItsWayFreesItsMemoryAndDoesNotArrive() throws Exception {
    fill("file");
    assertThat(cache.evictFile(file("file"))).isPositive();
    carrier.runAll();
    assertThat(ledger.unreleased()).isZero();
    assertThat(cache.usage(file("file")).blocks()).isZero();
    assertThat(cache.moves().get(0).blocks().keySet()).containsExactly(MoveOutcome.EVICTED);
    close();
  }

  @Test
  void whatIsOnItsWayWhenTheCacheClosesIsFreed() throws Exception {
    fill("file");
    close();
  }
}
