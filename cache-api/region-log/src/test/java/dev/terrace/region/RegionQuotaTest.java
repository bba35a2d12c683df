// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import dev.terrace.api.TestFiles;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that keep a part of a tier of regions, and files that get no more than a part. */
class RegionQuotaTest {

  private static final int REGION_BYTES = 64 << 10;
  private static final int REGIONS = 128;
  private static final long CAPACITY_BYTES = (long) REGIONS * REGION_BYTES;
  private static final int BLOCK = 5_000;
  private static final int ALL = (int) (CAPACITY_BYTES / BLOCK);

  /** The blocks in a tenth of the tier. */
  private static final int ROOM = (int) (CAPACITY_BYTES / 10 / BLOCK);

  private final LeaseLedger ledger = LeaseLedger.counting();
  private final SimulatedDisk disk = new SimulatedDisk(REGIONS, REGION_BYTES);
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks special;
  private NumberedBlocks others;

  private void open(boolean mapped) {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(new SimulatedDevice(disk, mapped, 1)),
            RegionConfig.named("test", FILES),
            path -> Runnable::run,
            System::nanoTime);
    tier.start();
    special = new NumberedBlocks(tier, "special", BLOCK);
    others = new NumberedBlocks(tier, "others", BLOCK);
  }

  @AfterEach
  void close() {
    tier.close();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  private Quota divide(double least, double most) {
    Quota quota = new Quota(least, most);
    TestFiles.setQuotas(tier, file -> file.equals("special") ? quota : Quota.NONE);
    return quota;
  }

  private void flood(int from, int count) {
    for (int i = from; i < from + count; i++) {
      assertThat(others.put(i)).as("put %d", i).isEqualTo(PutOutcome.STORED);
    }
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void pinnedBlocksSurviveAFlood(boolean mapped) {
    open(mapped);
    Quota quota = divide(0.5, 1);
    int pinned = (int) (0.45 * ALL);
    assertThat(special.putAll(0, pinned)).isEqualTo(pinned);
    flood(0, 5 * ALL);
    assertThat(special.readAll(0, pinned)).isEqualTo(pinned);
    assertThat(tier.stats().writes().rewrittenBytes())
        .as("regions of pinned blocks alone are passed over")
        .isLessThan(CAPACITY_BYTES / 2);

    TestFiles.setQuotas(tier, file -> Quota.NONE);
    assertThat(quota.bytes()).isZero();
    flood(5 * ALL, 3 * ALL);
    assertThat(special.readAll(0, pinned)).as("no longer pinned").isZero();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void newQuotasVisitOnlyBlocksOfFilesAboveThem(boolean mapped) {
    open(mapped);
    assertThat(special.putAll(0, 10)).isEqualTo(10);
    int few = ALL / 5;
    flood(0, few);
    garbageOfNewQuotas();
    long withFew = garbageOfNewQuotas();
    flood(few, 3 * few);

    assertThat(garbageOfNewQuotas())
        .as("bytes of garbage with four times the blocks, and %d with one", withFew)
        .isLessThan(withFew + 3L * few);
    assertThat(special.readAll(0, 10)).isEqualTo(10);
    assertThat(others.readAll(0, 4 * few)).isEqualTo(4 * few);
  }

  /** A visited block costs an object. */
  private long garbageOfNewQuotas() {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    long before = threads.getCurrentThreadAllocatedBytes();
    divide(0.1, 0.5);
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void pinnedBlocksAmongOthersAreWrittenAnew(boolean mapped) {
    open(mapped);
    divide(0.3, 1);
    int pinned = (int) (0.25 * ALL);
    for (int i = 0; i < pinned; i++) {
      assertThat(special.put(i)).isEqualTo(PutOutcome.STORED);
      flood(2 * i, 2);
    }
    flood(2 * pinned, 3 * ALL);
    assertThat(special.readAll(0, pinned)).isEqualTo(pinned);
    assertThat(tier.stats().writes().rewrittenBytes()).isPositive();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void whatIsAboveThePinLeaves(boolean mapped) {
    open(mapped);
    Quota quota = divide(0.2, 1);
    assertThat(special.putAll(0, (int) (0.9 * ALL))).isEqualTo((int) (0.9 * ALL));
    flood(0, 4 * ALL);
    assertThat(quota.bytes()).isBetween(CAPACITY_BYTES / 5 - BLOCK, CAPACITY_BYTES / 4);
  }

  @Tag("long")
  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void pinsOfAlmostEverythingLeaveTheTierWorking(boolean mapped) {
    open(mapped);
    divide(0.99, 1);
    special.putAll(0, 2 * ALL);
    flood(0, 2 * ALL);
    assertThat(special.readAll(0, 2 * ALL)).isPositive();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aFullShareFollowsTheHeat(boolean mapped) {
    open(mapped);
    followHeat(divide(0, 0.1));

    tier.close();
    open(mapped);
    assertThat(special.readAll(0, 10 * ROOM)).as("after a restart").isGreaterThan(ROOM / 2);
    followHeat(divide(0, 0.1));
  }

  /** Others are in half of the tier; the rest is free. */
  private void followHeat(Quota quota) {
    for (int i = 0; i < ALL / 2; i++) {
      others.put(i);
    }
    for (int hot = 0; hot < 10 * ROOM; hot += ROOM) {
      int misses = 0;
      for (int round = 0; round < 12; round++) {
        misses = 0;
        for (int i = hot; i < hot + ROOM * 9 / 10; i++) {
          if (!special.read(i)) {
            misses++;
            assertThat(special.put(i)).isIn(PutOutcome.STORED, PutOutcome.NOT_ADMITTED);
          }
          assertThat(quota.bytes()).isLessThanOrEqualTo(CAPACITY_BYTES / 10);
        }
      }
      assertThat(misses).as("misses of the hot blocks from %d on", hot).isLessThan(ROOM / 10);
    }
    assertThat(others.readAll(0, ALL / 2)).isEqualTo(ALL / 2);
    assertThat(tier.stats().events().refusals()).doesNotContainKey(PutOutcome.ABOVE_MAX);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aBlockThatIsNotReadLeavesBlocksThatAre(boolean mapped) {
    open(mapped);
    Quota quota = divide(0, 0.1);
    assertThat(special.putAll(0, ROOM)).isEqualTo(ROOM);
    assertThat(special.readAll(0, ROOM)).isEqualTo(ROOM);

    assertThat(special.put(ROOM)).isEqualTo(PutOutcome.NOT_ADMITTED);
    assertThat(quota.refused()).isOne();
    assertThat(special.readAll(0, ROOM)).isEqualTo(ROOM);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aShareOfNothingTakesNothing(boolean mapped) {
    open(mapped);
    Quota quota = divide(0, 0);
    assertThat(special.put(0)).isEqualTo(PutOutcome.ABOVE_MAX);
    assertThat(quota.refused()).isOne();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aPartMakesRoomInItsWholeButNotInWhatIsKept(boolean mapped) {
    open(mapped);
    Quota whole = new Quota(0, 0.2);
    Quota part = new Quota(0.1, 0.15, whole);
    TestFiles.setQuotas(
        tier, file -> file.equals("special") ? part : file.equals("others") ? whole : Quota.NONE);

    special.putAll(0, ROOM / 2);
    flood(0, ALL);
    assertThat(whole.bytes()).isBetween(CAPACITY_BYTES / 5 - BLOCK, CAPACITY_BYTES / 5);
    assertThat(special.readAll(0, ROOM / 2)).as("kept").isEqualTo(ROOM / 2);

    special.putAll(ROOM, ALL);
    assertThat(whole.bytes()).isLessThanOrEqualTo(CAPACITY_BYTES / 5);
    assertThat(part.bytes()).isBetween(CAPACITY_BYTES / 10, CAPACITY_BYTES * 15 / 100);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aLowerLimitEvictsTheColdest(boolean mapped) {
    open(mapped);
    assertThat(special.putAll(0, 5 * ROOM)).isEqualTo(5 * ROOM);
    assertThat(special.readAll(ROOM, ROOM * 3 / 2)).isEqualTo(ROOM / 2);
    Quota quota = divide(0, 0.1);
    assertThat(quota.bytes()).isBetween(CAPACITY_BYTES / 10 - BLOCK, CAPACITY_BYTES / 10);
    assertThat(tier.stats().events().evictions().get(EvictionCause.RESIZE)).isPositive();
    assertThat(special.readAll(ROOM, ROOM * 3 / 2)).as("what was read").isGreaterThan(ROOM * 2 / 5);
  }
}
