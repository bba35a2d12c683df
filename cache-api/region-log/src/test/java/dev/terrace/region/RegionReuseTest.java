// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which regions are used again, and when. */
class RegionReuseTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int BLOCK = 10_000;
  private static final int A_REGION = 6;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private SimulatedDisk disk;
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;

  private void open(int regions, boolean mapped) {
    disk = new SimulatedDisk(regions, REGION_BYTES);
    tier = newTier(new SimulatedDevice(disk, mapped, 1), ledger);
    blocks = new NumberedBlocks(tier, "file", BLOCK);
  }

  private static RegionTier<CountedBlock> newTier(SimulatedDevice device, LeaseLedger ledger) {
    RegionTier<CountedBlock> made =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(device),
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            System::nanoTime);
    made.start();
    return made;
  }

  @AfterEach
  void close() throws InterruptedException {
    close(tier);
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private static void close(RegionTier<CountedBlock> closed) throws InterruptedException {
    closed.close();
    assertThat(closed.awaitReleased(Duration.ZERO)).isTrue();
  }

  private long evicted(EvictionCause cause) {
    return tier.stats().events().evictions().getOrDefault(cause, 0L);
  }

  /** How many of some blocks a restart would find if the process were killed now. */
  private int foundAfterAKill(int from, int to) throws InterruptedException {
    LeaseLedger restartLedger = LeaseLedger.counting();
    RegionTier<CountedBlock> restarted =
        newTier(new SimulatedDevice(disk.copy(), false, 2), restartLedger);
    int found = new NumberedBlocks(restarted, "file", BLOCK).readAll(from, to);
    close(restarted);
    restartLedger.assertAllReleased();
    return found;
  }

  @Test
  void whatIsWrittenAnewIsNeverInMemoryAlone() throws InterruptedException {
    open(8, false);
    assertThat(blocks.putAll(0, 5 * A_REGION)).isEqualTo(5 * A_REGION);
    int hot = 4;
    for (int i = 100; i < 200; i++) {
      assertThat(blocks.readAll(0, hot)).isEqualTo(hot);
      assertThat(blocks.put(i)).isEqualTo(PutOutcome.STORED);
      assertThat(foundAfterAKill(0, hot)).as("after put %d", i).isEqualTo(hot);
    }
    assertThat(evicted(EvictionCause.SIZE)).as("there were reclaims").isGreaterThan(50);
  }

  @Test
  void aTierOfHotBlocksGoesOnTakingNewOnes() {
    open(5, false);
    for (int i = 0; i < 500; i++) {
      assertThat(blocks.put(i)).as("put %d", i).isEqualTo(PutOutcome.STORED);
      blocks.readAll(Math.max(0, i - 30), i + 1);
    }
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aFullTierOfFewRegionsHasNoFreeRoom(boolean mapped) {
    open(5, mapped);
    assertThat(tier.hasFreeRoom()).isTrue();
    int put = 0;
    while (tier.hasFreeRoom()) {
      assertThat(blocks.put(put++)).isEqualTo(PutOutcome.STORED);
    }
    assertThat(evicted(EvictionCause.SIZE)).as("nothing left for what came").isZero();
    assertThat(put).isGreaterThan(2 * A_REGION);
    for (int i = put; i < 300; i++) {
      assertThat(blocks.put(i)).isEqualTo(PutOutcome.STORED);
      blocks.readAll(i - 10, i);
      assertThat(tier.hasFreeRoom()).as("after put %d", i).isFalse();
    }
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void regionsOfFilesThatAreGoneAreUsedFirst(boolean mapped) {
    open(16, mapped);
    NumberedBlocks compacted = new NumberedBlocks(tier, "compacted", BLOCK);
    assertThat(compacted.putAll(0, 8 * A_REGION)).isEqualTo(8 * A_REGION);
    int kept = 6 * A_REGION;
    assertThat(blocks.putAll(0, kept)).isEqualTo(kept);
    assertThat(tier.hasFreeRoom()).isFalse();
    tier.evict(file("compacted"), Long.MIN_VALUE, Long.MAX_VALUE);
    tier.tick();
    assertThat(tier.hasFreeRoom()).isTrue();
    assertThat(blocks.putAll(100, 100 + 8 * A_REGION)).isEqualTo(8 * A_REGION);
    assertThat(evicted(EvictionCause.SIZE)).isZero();
    assertThat(blocks.readAll(0, kept)).isEqualTo(kept);
  }

  @Test
  void leasesOnSomeRegionsLeaveTheOthersInUse() {
    open(16, true);
    assertThat(blocks.putAll(0, 13 * A_REGION)).isEqualTo(13 * A_REGION);
    List<CountedBlock> held = new ArrayList<>();
    for (int i = 0; i < 7 * A_REGION; i += A_REGION) {
      held.add(blocks.hold(i));
    }
    for (int i = 1000; i < 1600; i++) {
      assertThat(blocks.put(i)).as("put %d", i).isEqualTo(PutOutcome.STORED);
    }
    for (int i = 0; i < held.size(); i++) {
      blocks.check(i * A_REGION, held.get(i));
      held.get(i).release();
    }
  }
}
