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

  private final LeaseLedger ledger = LeaseLedger.counting();
  private RegionTier<CountedBlock> tier;
  private NumberedBlocks special;
  private NumberedBlocks others;

  private void open(boolean mapped) {
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(ledger),
            List.of(new SimulatedDevice(new SimulatedDisk(REGIONS, REGION_BYTES), mapped, 1)),
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
  void limitedFilesAreRefusedUntilSomeOfThemLeft(boolean mapped) {
    open(mapped);
    divide(0, 0.1);
    assertThat(special.putAll(0, ALL)).isEqualTo((int) (CAPACITY_BYTES / 10 / BLOCK));
    assertThat(special.put(ALL)).isEqualTo(PutOutcome.ABOVE_MAX);
    assertThat(tier.evict(file("special"), 3, 3)).isOne();
    assertThat(special.put(ALL)).isEqualTo(PutOutcome.STORED);
    flood(0, 2 * ALL);
    assertThat(special.put(ALL + 1)).as("after reclaims").isEqualTo(PutOutcome.STORED);

    divide(0, 1);
    special.putAll(2 * ALL, 3 * ALL);
    Quota quota = divide(0, 0.1);
    assertThat(quota.bytes()).isBetween(CAPACITY_BYTES / 10 - BLOCK, CAPACITY_BYTES / 10);
    assertThat(tier.stats().events().evictions().get(EvictionCause.RESIZE)).isPositive();
  }
}
