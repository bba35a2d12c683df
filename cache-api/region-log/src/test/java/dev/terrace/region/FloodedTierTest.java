// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A full tier gets more blocks than it takes. */
class FloodedTierTest {

  private static final int BLOCK = 5_000;
  private static final int REGION_BYTES = 256 << 10;
  private static final int REGIONS = 32;
  private static final int BLOCKS_OF_TIER = REGIONS * REGION_BYTES / BLOCK;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private RegionTier<CountedBlock> tier;

  @AfterEach
  void close() throws InterruptedException {
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
    worker.shutdown();
    assertThat(worker.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private void open(boolean mapped) {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), mapped, 1)),
            RegionConfig.named("flooded", FILES),
            path -> worker,
            System::nanoTime);
    tier.start();
    await().until(tier::hasFreeRoom);
  }

  /** Puts that wait for room, of blocks that nobody reads. */
  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void whatIsReadStays(boolean mapped) {
    open(mapped);
    int hotBlocks = BLOCKS_OF_TIER / 5;
    NumberedBlocks hot = new NumberedBlocks(tier, "hot", BLOCK);
    for (int number = 0; number < hotBlocks; number++) {
      assertThat(hot.put(number, Patience.LIMIT)).isEqualTo(PutOutcome.STORED);
    }
    NumberedBlocks flood = new NumberedBlocks(tier, "flood", BLOCK);

    for (int number = 0; number < 4 * BLOCKS_OF_TIER; number++) {
      for (int each = number % 10; each < hotBlocks; each += 10) {
        tier.touch(file("hot"), each);
      }
      assertThat(flood.put(number, Patience.LIMIT)).isEqualTo(PutOutcome.STORED);
    }

    assertThat(hot.readAll(0, hotBlocks)).isGreaterThan(hotBlocks * 6 / 10);
  }

  /** All blocks are read, and puts do not wait: most of a device's writes are for those. */
  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void putsThatAreRefusedComeBeforeRewriting(boolean mapped) {
    open(mapped);
    NumberedBlocks blocks = new NumberedBlocks(tier, "hot", BLOCK);
    for (int number = 0; number < 4 * BLOCKS_OF_TIER; number++) {
      PutOutcome outcome = blocks.put(number);
      for (; outcome == PutOutcome.BUSY; outcome = blocks.put(number)) {
        Thread.onSpinWait();
      }
      assertThat(outcome).isEqualTo(PutOutcome.STORED);
      for (int each = number % 10; each <= number; each += 10) {
        tier.touch(file("hot"), each);
      }
    }

    assertThat(blocks.refused(PutOutcome.BUSY)).isPositive();
    TierStats.Writes writes = tier.stats().writes();
    assertThat(writes.rewrittenBytes()).isLessThan(writes.putBytes());
  }
}
