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
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Blocks that are cached ahead of any read, as fast as one thread can put them. */
class PutAheadTest {

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final int BLOCK_BYTES = 4_000;
  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 64;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final CountedBlockCodec codec = CountedBlockCodec.sharing(ledger);
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final SimulatedDevice device =
      new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), false, 1);
  private final DramTier<CountedBlock> dram =
      new DramTier<>(codec, new DramConfig(DramConfig.MIN_CAPACITY_BYTES, 0));
  private final RegionTier<CountedBlock> ssd =
      new RegionTier<>(
          codec,
          List.of(device),
          RegionConfig.named("ssd", FILES),
          path -> worker,
          System::nanoTime);
  private final List<Tier<CountedBlock>> tiers = List.of(dram, ssd);
  private final TieredCache<CountedBlock> cache =
      new TieredCache<>(
          FILES,
          tiers,
          codec,
          Movement.standard(
              tiers, false, Map.of(), System::nanoTime, Runnable::run, Long.MAX_VALUE));

  @AfterEach
  void close() throws InterruptedException {
    device.resume();
    cache.close();
    assertThat(ssd.awaitReleased(Patience.LIMIT)).isTrue();
    worker.shutdown();
    assertThat(worker.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private PutOutcome put(long offset, Source source) {
    return put("file", offset, source);
  }

  private PutOutcome put(String file, long offset, Source source) {
    CountedBlock block = CountedBlock.of(file, offset, BLOCK_BYTES);
    PutOutcome outcome = cache.put(file(file), offset, block, DATA, source);
    block.release();
    return outcome;
  }

  @Test
  void allOfThemAreThereWhileThereIsFreeRoom() {
    ssd.start();
    Awaitility.await().until(ssd::hasFreeRoom);
    int puts = (REGIONS - 8) * (REGION_BYTES / (BLOCK_BYTES + 200));
    for (long offset = 0; offset < puts; offset++) {
      assertThat(put(offset, Source.PREFETCH).isPresent()).as("offset=%s", offset).isTrue();
    }
    for (long offset = 0; offset < puts; offset++) {
      assertThat(cache.contains(file("file"), offset)).isTrue();
    }
    assertThat(ssd.stats().events().refusals()).isEmpty();
  }

  @Test
  void theyTakeTheRoomOfBlocksThatDiedInEachRegion() {
    ssd.start();
    Awaitility.await().until(ssd::hasFreeRoom);
    int offset = 0;
    for (; ssd.hasFreeRoom(); offset++) {
      for (int file = 0; file < 10; file++) {
        put("old " + file, offset, Source.PREFETCH);
      }
    }
    for (int file = 0; file < 6; file++) {
      cache.evictFile(file("old " + file));
    }
    assertThat(ssd.hasFreeRoom()).isFalse();

    for (int file = 0; file < 3; file++) {
      for (int block = 0; block < offset; block++) {
        assertThat(put("new " + file, block, Source.PREFETCH).isPresent())
            .as("new %s @ %s", file, block)
            .isTrue();
      }
    }
    assertThat(ssd.stats().events().refusals()).isEmpty();
  }

  @Test
  void theyAreRefusedWhereMostBlocksLive() {
    ssd.start();
    Awaitility.await().until(ssd::hasFreeRoom);
    for (long offset = 0; ssd.hasFreeRoom(); offset++) {
      put("old", offset, Source.PREFETCH);
    }
    // The first ones fit into the top, and what is left of a region.
    for (long offset = 0; offset < 2_000; offset++) {
      put("new", offset, Source.PREFETCH);
    }
    assertThat(ssd.usage(file("old")).blocks()).isGreaterThan(2_500);
    assertThat(ssd.usage(file("new")).blocks()).isLessThan(200);
  }

  @Test
  void whatIsReadNeverWaits() {
    ssd.start();
    Awaitility.await().until(ssd::hasFreeRoom);
    device.stall();
    // Each of the refused ones would wait for a second.
    for (long offset = 0; offset < 10_000; offset++) {
      put(offset, Source.READ);
    }
    assertThat(ssd.stats().events().refusals()).containsKey(PutOutcome.BUSY);
  }
}
