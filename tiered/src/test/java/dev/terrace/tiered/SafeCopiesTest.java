// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.tiered.admission.AdmissionPolicy;
import dev.terrace.tiered.admission.AdmissionPolicy.Verdict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SafeCopiesTest {

  private static final BlockTraits DATA = new BlockTraits(3, BlockTraits.Residency.ORDINARY);

  private static final long STAYED_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final HeapTier dram = new HeapTier("dram");
  private final HeapTier pmem = new HeapTier("pmem");
  private final HeapTier ssd = new HeapTier("ssd");
  private final LentStrings codec = new LentStrings();
  private Verdict verdict = Verdict.ADMIT;
  private final AdmissionPolicy admission = (keyHash, sizeBytes, source, isFull) -> verdict;
  private final TieredCache<String> cache =
      new TieredCache<>(
          FILES,
          List.of(dram, pmem, ssd),
          codec,
          new Movement(
              Map.of("pmem", admission, "ssd", admission), keyHash -> false, Runnable::run, 100));

  @AfterEach
  void nothingIsLent() {
    // What a lookup hands out is not counted as taken by this codec, but as given back.
    assertThat(codec.lent()).isNotPositive();
  }

  private void fill(int blocks) {
    for (int offset = 0; offset < blocks; offset++) {
      assertThat(dram.put(file("file"), offset, "block", DATA, 0).isPresent()).isTrue();
    }
  }

  @Test
  void whatIsInDramAloneIsCopiedOnce() {
    fill(3);
    ssd.put(file("file"), 1, "block", DATA, 0);

    assertThat(cache.keepSafe(0)).isEqualTo(2);

    assertThat(pmem.contains(file("file"), 0)).isTrue();
    assertThat(pmem.contains(file("file"), 1)).as("is on the SSD").isFalse();
    assertThat(pmem.info(file("file"), 2).orElseThrow().traits()).isEqualTo(DATA);
    assertThat(dram.blockCount()).as("DRAM keeps what it has").isEqualTo(3);
    assertThat(cache.keepSafe(0)).isZero();
  }

  @Test
  void aCopyThatWentOnBeforeItsEvictionWasSeenIsTakenOutThere() {
    fill(1);
    pmem.beforePut(() -> cache.evictFile(file("file")));
    pmem.afterPut(() -> pmem.leave("file", 0, false));
    assertThat(cache.keepSafe(0)).isZero();
    assertThat(cache.moves())
        .contains(new MoveStats("pmem", "ssd", Map.of(MoveOutcome.MOVED, 1L), 5));
    assertThat(cache.contains(file("file"), 0)).isFalse();
  }

  @Test
  void whatCameLaterIsCopiedLater() {
    fill(1);
    assertThat(cache.keepSafe(0)).isEqualTo(1);
    fill(2);
    assertThat(cache.keepSafe(0)).isEqualTo(1);
    assertThat(pmem.contains(file("file"), 1)).isTrue();
  }

  @Test
  void aStepTakesMillisecondsHoweverManyBlocksThereAre() {
    fill(10_000);
    assertThat(cache.keepSafe(0)).isBetween(1, 4_000);
    int copied = Integer.MAX_VALUE;
    while (copied > 0) {
      copied = cache.keepSafe(0);
    }
    assertThat(pmem.blockCount()).isEqualTo(10_000);
  }

  @Test
  void onlyFreeRoomIsUsed() {
    fill(2);
    pmem.full(true);
    assertThat(cache.keepSafe(0)).isEqualTo(2);
    assertThat(ssd.blockCount()).isEqualTo(2);

    fill(4);
    ssd.full(true);
    assertThat(cache.keepSafe(0)).isZero();
    assertThat(pmem.blockCount()).isZero();
  }

  @Test
  void aFullTierThatIsMuchLargerTakesWhatHasStayed() {
    dram.capacityBytes(100);
    pmem.capacityBytes(799);
    ssd.capacityBytes(800);
    pmem.full(true);
    ssd.full(true);
    fill(3);
    pmem.put(file("file"), 1, "block", DATA, 0);

    assertThat(cache.keepSafe(STAYED_NANOS - 1)).as("may leave soon").isZero();
    assertThat(cache.keepSafe(STAYED_NANOS)).isEqualTo(2);
    assertThat(ssd.blockCount()).isEqualTo(2);
    assertThat(ssd.contains(file("file"), 1)).as("is in PMem").isFalse();
    assertThat(cache.keepSafe(2 * STAYED_NANOS)).isZero();
  }

  @Test
  void freeRoomIsTakenFirst() {
    dram.capacityBytes(100);
    pmem.capacityBytes(800);
    pmem.full(true);
    fill(2);
    assertThat(cache.keepSafe(STAYED_NANOS)).isEqualTo(2);
    assertThat(ssd.blockCount()).isEqualTo(2);
    assertThat(pmem.blockCount()).isZero();
  }

  @Test
  void aSpentBudgetHoldsForFullTiersToo() {
    dram.capacityBytes(100);
    ssd.capacityBytes(800);
    pmem.full(true);
    ssd.full(true);
    fill(2);
    verdict = Verdict.OVER_BUDGET;
    assertThat(cache.keepSafe(STAYED_NANOS)).isZero();
    assertThat(ssd.blockCount()).isZero();
    verdict = Verdict.ADMIT;
    assertThat(cache.keepSafe(STAYED_NANOS) + cache.keepSafe(STAYED_NANOS)).isEqualTo(2);
  }

  @Test
  void aBusyTierOrASpentBudgetEndsTheStep() {
    fill(5);
    pmem.refuse(PutOutcome.BUSY);
    pmem.beforePut(() -> pmem.refuse(null));
    assertThat(cache.keepSafe(0)).as("after a tier without room").isEqualTo(5);

    fill(9);
    verdict = Verdict.OVER_BUDGET;
    assertThat(cache.keepSafe(0)).isZero();
    verdict = Verdict.ADMIT;
    int restOfThePass = cache.keepSafe(0);
    assertThat(restOfThePass).isBetween(0, 3);
    assertThat(restOfThePass + cache.keepSafe(0)).as("what was refused, too").isEqualTo(4);
  }

  @Test
  void aPassThatFoundAllBelowIsFollowedByNoneUntilABlockComesOrLeaves() {
    fill(3);
    assertThat(cache.keepSafe(0)).isEqualTo(3);
    cache.keepSafe(0);
    int listings = dram.listings();
    cache.keepSafe(0);
    assertThat(dram.listings()).as("all are below").isEqualTo(listings);

    pmem.evict(file("file"), 1, 1);
    assertThat(cache.keepSafe(0)).as("after one has left the tiers below").isEqualTo(1);
    cache.keepSafe(0);
    fill(4);
    assertThat(cache.keepSafe(0)).as("after one has come").isEqualTo(1);
  }

  @Test
  void whatIsEvictedMeanwhileDoesNotComeBack() {
    fill(1);
    dram.afterGet(() -> cache.evictFile(file("file")));
    assertThat(cache.keepSafe(0)).isZero();
    assertThat(cache.contains(file("file"), 0)).isFalse();
  }

  @Test
  void copiesAreCountedAsMoves() {
    fill(2);
    cache.keepSafe(0);
    assertThat(cache.moves())
        .contains(new MoveStats("dram", "pmem", Map.of(MoveOutcome.MOVED, 2L), 10));
  }

  @Test
  void withoutLowerTiersThereIsNothingToDo() {
    Movement movement = new Movement(Map.of(), keyHash -> false, Runnable::run, 100);
    try (TieredCache<String> alone =
        new TieredCache<>(FILES, List.of(new HeapTier("dram")), codec, movement)) {
      assertThat(alone.keepSafe(0)).isZero();
    }
  }
}
