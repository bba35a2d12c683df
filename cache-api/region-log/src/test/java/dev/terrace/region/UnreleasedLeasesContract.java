// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.region.device.Device;
import dev.terrace.region.read.PinnedRegions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a tier of memory loses to blocks that are not released. */
public abstract class UnreleasedLeasesContract {

  protected static final int REGIONS = 16;
  protected static final int REGION_BYTES = 64 << 10;
  private static final int BLOCK = 10_000;
  private static final int A_REGION = 6;

  /** More than these may not wait. */
  private static final int MAX_WAITING = REGIONS / PinnedRegions.REGIONS_PER_WAITING;

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final AtomicLong now = new AtomicLong(1);
  private final Map<Integer, CountedBlock> held = new LinkedHashMap<>();
  private final Queue<Runnable> resting = new ArrayDeque<>();
  private boolean workerRests;
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks blocks;
  private int next;

  /** A mapped device of {@link #REGIONS} times {@link #REGION_BYTES}. */
  protected abstract List<? extends Device> devices() throws IOException;

  @BeforeEach
  void open() throws IOException {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            devices(),
            RegionConfig.named("test", FILES),
            path -> this::run,
            now::get);
    tier.start();
    blocks = new NumberedBlocks(tier, "file", BLOCK);
  }

  @AfterEach
  void close() throws InterruptedException {
    release();
    tier.close();
    assertThat(tier.awaitReleased(Duration.ZERO)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
    assertThat(tier.stats().leases().bytes()).isZero();
  }

  private void run(Runnable task) {
    resting.add(task);
    while (!workerRests && !resting.isEmpty()) {
      resting.remove().run();
    }
  }

  private void release() {
    held.values().forEach(CountedBlock::release);
    held.clear();
  }

  /** Puts as many blocks as some regions take, reads each, and reports how many were stored. */
  private int churn(int regions) {
    int stored = 0;
    for (int i = regions * A_REGION; i > 0; i--) {
      stored += blocks.put(next) == PutOutcome.STORED ? 1 : 0;
      blocks.read(next++);
      held.forEach(blocks::check);
    }
    return stored;
  }

  /** Leaks one block of each of the regions that are filled first, and fills the others. */
  private void leakInFirst(int regions) {
    for (; next < (REGIONS - 2) * A_REGION; next++) {
      assertThat(blocks.put(next)).isEqualTo(PutOutcome.STORED);
      if (next % A_REGION == 0 && next / A_REGION < regions) {
        held.put(next, blocks.hold(next));
      } else {
        blocks.read(next);
      }
    }
    assertThat(held).hasSize(regions).doesNotContainValue(null);
  }

  private void passSeconds(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now.addAndGet(Duration.ofSeconds(1).toNanos());
      tier.tick();
    }
  }

  @Test
  void blocksThatReadersHaveReleasedKeepNothing() {
    assertThat(churn(100)).isEqualTo(100 * A_REGION);
    assertThat(tier.stats().space().blocks()).isGreaterThanOrEqualTo((REGIONS - 3) * A_REGION);
    assertThat(tier.stats().leases().bytes()).isZero();
  }

  @Test
  void anUnreleasedBlockCostsNeitherPutsNorTheOtherBlocksOfItsRegion() {
    leakInFirst(12);
    assertThat(churn(100)).as("stored").isEqualTo(100 * A_REGION);
    assertThat(blocks.readAll(0, 12 * A_REGION)).as("of their regions").isEqualTo(12 * A_REGION);
    assertThat(tier.stats().leases().bytes()).as("no region is empty and held").isZero();
    assertThat(tier.stats().space().blocks()).isGreaterThanOrEqualTo((REGIONS - 3) * A_REGION);
  }

  @Test
  void theFiguresTellWhatWaitsAndForHowLong() {
    leakInFirst(MAX_WAITING);
    churn(20);
    passSeconds(4);
    assertThat(tier.stats().leases().waitingRegions()).as("not for long yet").isZero();
    assertThat(tier.stats().leases().longestWaitNanos()).isZero();
    passSeconds(3);
    assertThat(tier.stats().leases().waitingRegions()).isEqualTo(MAX_WAITING);
    assertThat(tier.stats().leases().longestWaitNanos()).isEqualTo(Duration.ofSeconds(7).toNanos());
    assertHitsAreShared(next - 1);
    release();
    passSeconds(1);
    assertThat(tier.stats().leases().waitingRegions()).isZero();
    assertThat(tier.stats().leases().longestWaitNanos()).isZero();
    churn(20);
    assertThat(blocks.readAll(0, A_REGION)).as("they are reclaimed again").isZero();
  }

  @Test
  void hitsAreCopiesWhileTooManyRegionsWait() {
    leakInFirst(MAX_WAITING + 1);
    churn(20);
    passSeconds(6);
    assertThat(tier.stats().leases().waitingRegions()).isEqualTo(MAX_WAITING + 1);

    int copies = 0;
    for (int i = 0; i < next; i++) {
      CountedBlock copy = held.containsKey(i) ? null : blocks.hold(i);
      if (copy != null) {
        held.put(i, copy);
        copies++;
      }
    }
    assertThat(copies).as("blocks of all regions").isGreaterThan((REGIONS - 4) * A_REGION);
    assertThat(tier.stats().leases().bytes())
        .isBetween((long) copies * BLOCK, copies * (BLOCK + 1000L));
    assertThat(churn(20)).as("copies hold no region").isEqualTo(20 * A_REGION);
    assertThat(tier.stats().leases().waitingRegions()).isEqualTo(MAX_WAITING + 1);

    release();
    assertThat(tier.stats().leases().bytes()).isZero();
    passSeconds(1);
    assertHitsAreShared(next - 1);
  }

  private void assertHitsAreShared(int number) {
    CountedBlock one = blocks.hold(number);
    CountedBlock other = blocks.hold(number);
    assertThat(other).isSameAs(one);
    one.release();
    other.release();
  }

  @Test
  void aRegionOfADeletedFileWaitsForItsReadersToo() {
    leakInFirst(1);
    tier.evict(file("file"), Long.MIN_VALUE, Long.MAX_VALUE);
    churn(20);
    assertThat(tier.stats().leases().bytes()).isEqualTo(REGION_BYTES);
    passSeconds(6);
    assertThat(tier.stats().leases().waitingRegions()).isOne();
    release();
    passSeconds(1);
    assertThat(tier.stats().leases().waitingRegions()).isZero();
  }

  @Test
  void unreleasedBlocksInAllRegionsLeaveSomeForNewOnes() {
    leakInFirst(REGIONS - 2);
    int old = next;
    int stored = 0;
    for (int i = 0; i < 100 * A_REGION; i++) {
      stored += blocks.put(next) == PutOutcome.STORED ? 1 : 0;
      held.put(next, blocks.hold(next));
      held.values().removeIf(Objects::isNull);
      next++;
    }
    assertThat(stored).as("though none of them is released").isEqualTo(100 * A_REGION);
    assertThat(blocks.readAll(0, old)).as("and those before stay").isEqualTo(old);
    assertThat(held).hasSize(REGIONS - 2 + stored);
    held.forEach(blocks::check);
    passSeconds(6);
    assertThat(tier.stats().leases().waitingRegions()).isBetween(REGIONS - 2, REGIONS - 1);
    release();
    passSeconds(1);
    assertThat(tier.stats().leases().waitingRegions()).isZero();
    assertThat(churn(100)).isEqualTo(100 * A_REGION);
  }

  @Test
  void unreleasedBlocksInAllSealedRegionsLeaveTheOpenOneForNewOnes() {
    leakInFirst(REGIONS - 2);
    workerRests = true;
    while (blocks.put(next) == PutOutcome.STORED) {
      if (next < (REGIONS - 1) * A_REGION) {
        held.put(next, blocks.hold(next));
      }
      next++;
    }
    workerRests = false;
    resting.remove().run();
    passSeconds(1);
    assertThat(churn(100))
        .as("stored, all but the one that finds the region full")
        .isGreaterThanOrEqualTo(100 * (A_REGION - 1));
    held.forEach(blocks::check);
    release();
    passSeconds(6);
    assertThat(tier.stats().leases().waitingRegions()).isZero();
    assertThat(churn(100)).isEqualTo(100 * A_REGION);
    assertHitsAreShared(next - 1);
  }
}
