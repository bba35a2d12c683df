// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.Source;
import dev.terrace.tiered.HeapTier;
import dev.terrace.tiered.admission.AdmissionPolicy.Verdict;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReuseAdmissionTest {

  private static final int BLOCKS = 1_000;

  private final HeapTier tier = new HeapTier("ssd");

  /** As of one file's keys, but the same in every process. */
  private static final long FILE = "file".hashCode() * 0x9E3779B97F4A7C15L;

  private static long hash(long key) {
    return BlockKey.hash(FILE ^ key << 16);
  }

  private ReuseAdmission admission(boolean endurance) {
    return new ReuseAdmission(
        tier, new RuleChoice(List.of(tier), endurance, RuleTrial.KEYS), true, null);
  }

  private ReuseAdmission full(boolean endurance) {
    BlockTraits data = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
    for (int i = 0; i < BLOCKS; i++) {
      tier.put(file("resident"), i, "block", data, 0);
    }
    tier.full(true);
    return admission(endurance);
  }

  private static Verdict offer(ReuseAdmission admission, long key) {
    return admission.offer(hash(key), 1, Source.DEMOTION, false);
  }

  /** Blocks are read again not long after they left the tier above, most of them once. */
  private static void recency(ReuseAdmission admission, int rounds) {
    SplittableRandom random = new SplittableRandom(1);
    for (long key = 0; key < rounds; key++) {
      admission.evictedAbove(hash(key));
      offer(admission, key);
      admission.requested(hash(key - random.nextInt(BLOCKS / 2)));
    }
  }

  @ParameterizedTest
  @EnumSource(value = Source.class, mode = EnumSource.Mode.EXCLUDE, names = "SAFEKEEPING")
  void freeRoomTakesEverything(Source source) {
    ReuseAdmission admission = admission(true);
    for (int key = 0; key < 1_000; key++) {
      assertThat(admission.offer(hash(key), 1, source, false)).isEqualTo(Verdict.ADMIT);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Source.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SAFEKEEPING", "LAST", "REWRITTEN"})
  void aFullTierTakesWhatIsOfferedAgain(Source source) {
    ReuseAdmission admission = full(false);
    int mistakes = 0;
    for (int key = 0; key < 200; key++) {
      mistakes += admission.offer(hash(key), 1, source, false) == Verdict.ADMIT ? 1 : 0;
    }
    assertThat(mistakes).isLessThan(10);
    for (int key = 0; key < 200; key++) {
      assertThat(admission.offer(hash(key), 1, source, false)).isEqualTo(Verdict.ADMIT);
    }
  }

  @Test
  void whatWasOfferedLongAgoIsForgotten() {
    ReuseAdmission admission = full(false);
    for (int key = 0; key < 10 * BLOCKS; key++) {
      offer(admission, key);
    }
    int known = 0;
    for (int key = 0; key < 100; key++) {
      known += offer(admission, key) == Verdict.ADMIT ? 1 : 0;
    }
    assertThat(known).isLessThan(20);
  }

  @Test
  void aRecencyWorkloadMakesItTakeAllButWhatNobodyReadYet() {
    ReuseAdmission admission = full(false);
    assertThat(offer(admission, -1)).isEqualTo(Verdict.NOT_ADMITTED);
    recency(admission, 20 * BLOCKS);
    for (int key = 0; key < 100; key++) {
      assertThat(offer(admission, 1_000_000 + key)).isEqualTo(Verdict.ADMIT);
    }
    int ahead = 0;
    for (int key = 0; key < 100; key++) {
      ahead +=
          admission.offer(hash(2_000_000 + key), 1, Source.PREFETCH, false) == Verdict.ADMIT
              ? 1
              : 0;
    }
    assertThat(ahead).isLessThan(20);
  }

  @Test
  void aScanMakesItDemandingAgain() {
    ReuseAdmission admission = full(false);
    recency(admission, 20 * BLOCKS);
    for (int key = 0; key < 50 * BLOCKS; key++) {
      long scanned = 10_000_000L + key;
      admission.requested(hash(scanned));
      admission.evictedAbove(hash(scanned));
    }
    int taken = 0;
    for (int key = 0; key < 100; key++) {
      taken += offer(admission, 1_000_000 + key) == Verdict.ADMIT ? 1 : 0;
    }
    assertThat(taken).isLessThan(20);
  }

  @Test
  void whereSomeKeysArePopularItTakesWhatIsMoreSoThanWhatLeaves() {
    ReuseAdmission admission = full(false);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 100 * BLOCKS; i++) {
      long key = (long) Math.pow(20 * BLOCKS, random.nextDouble());
      admission.requested(hash(key));
      admission.evictedAbove(hash(key));
      offer(admission, key);
    }
    for (int i = 0; i < 5; i++) {
      admission.evictedAbove(hash(-1));
      admission.evictedAbove(hash(-2));
    }
    for (int i = 0; i < 1_000; i++) {
      admission.evicted(hash(-1));
    }
    assertThat(offer(admission, -2))
        .as("as frequent as what leaves")
        .isEqualTo(Verdict.NOT_ADMITTED);
    for (int i = 0; i < 5; i++) {
      admission.evictedAbove(hash(-2));
    }
    assertThat(offer(admission, -2)).as("more frequent").isEqualTo(Verdict.ADMIT);
  }

  @Test
  void enduranceAsksForMore() {
    ReuseAdmission hits = full(false);
    ReuseAdmission endurance = admission(true);
    for (ReuseAdmission admission : new ReuseAdmission[] {hits, endurance}) {
      for (int i = 0; i < 64; i++) {
        offer(admission, -5_000_000 - i);
      }
      for (long key = 0; key < 20 * BLOCKS; key++) {
        admission.evictedAbove(hash(key));
        // One lookup in 25 would be a hit if everything were taken.
        admission.requested(hash(key % 25 == 0 ? key - 10 : -1_000 - key));
      }
    }
    int taken = 0;
    for (int key = 0; key < 100; key++) {
      assertThat(offer(hits, 1_000_000 + key)).isEqualTo(Verdict.ADMIT);
      taken += offer(endurance, 1_000_000 + key) == Verdict.ADMIT ? 1 : 0;
    }
    assertThat(taken).isLessThan(20);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void anyHashIsRightBeforeTheTierIsFull(long keyHash) {
    ReuseAdmission admission = admission(false);
    admission.requested(keyHash);
    admission.evictedAbove(keyHash);
    assertThat(admission.offer(keyHash, 1, Source.READ, false)).isEqualTo(Verdict.ADMIT);
  }

  @Test
  void aFullTierWithoutBlocksIsNoReasonToFail() {
    tier.full(true);
    ReuseAdmission admission = admission(false);
    assertThat(offer(admission, 1)).isEqualTo(Verdict.NOT_ADMITTED);
    admission.requested(0);
    admission.evictedAbove(0);
    assertThat(offer(admission, 1)).isEqualTo(Verdict.ADMIT);
  }

  @Test
  void whatWouldBeWorthItIsRefusedOverTheBudget() {
    AtomicLong now = new AtomicLong();
    int limit = 8 << 20;
    RuleChoice choice = new RuleChoice(List.of(tier), false, RuleTrial.KEYS);
    ReuseAdmission admission =
        new ReuseAdmission(tier, choice, true, new ReuseAdmission.WriteBudget(limit, now::get));
    int block = 1 << 20;
    int admitted = 0;
    for (int second = 0; second <= 10; second++) {
      for (int i = 0; i < 100; i++) {
        Verdict verdict = admission.offer(hash(1_000L * second + i), block, Source.DEMOTION, false);
        assertThat(verdict).isIn(Verdict.ADMIT, Verdict.OVER_BUDGET);
        admitted += verdict == Verdict.ADMIT ? 1 : 0;
      }
      now.addAndGet(1_000_000_000L);
    }
    assertThat(admitted)
        .as("blocks of 1 MB, 8 at first and 8 in each of ten seconds")
        .isEqualTo(88);
    assertThat(admission.offer(hash(-8), 16 * block, Source.SAFEKEEPING, false))
        .isEqualTo(Verdict.OVER_BUDGET);
    assertThat(admission.offer(hash(-8), 16 * block, Source.LAST, false))
        .as("there is no later chance")
        .isEqualTo(Verdict.ADMIT);
    tier.full(true);
    assertThat(admission.offer(hash(-7), block, Source.DEMOTION, false))
        .as("not worth it, whatever the budget")
        .isEqualTo(Verdict.NOT_ADMITTED);
  }

  @ParameterizedTest
  @EnumSource(
      value = Source.class,
      names = {"SAFEKEEPING", "LAST", "REWRITTEN"})
  void whatIsKeptSafeOrRewrittenNeedsNoEvidenceAndIsNone(Source source) {
    ReuseAdmission admission = full(false);
    assertThat(offer(admission, 1)).isEqualTo(Verdict.NOT_ADMITTED);
    assertThat(admission.offer(hash(2), 1, source, false)).isEqualTo(Verdict.ADMIT);
    assertThat(offer(admission, 2))
        .as("offered for the first time")
        .isEqualTo(Verdict.NOT_ADMITTED);
  }

  @Test
  void theRuleIsTriedWithAsManyBlocksAsTheTierHolds() {
    // By its bytes it should hold half as many again, and then this loop would fit.
    tier.capacityBytes(BLOCKS * 3 / 2);
    RuleChoice choice = new RuleChoice(List.of(tier), false, RuleTrial.KEYS);
    ReuseAdmission admission = new ReuseAdmission(tier, choice, true, null);
    loop(admission, 0, BLOCKS, BLOCKS * 5 / 4);
    full(false);
    loop(admission, BLOCKS, 60 * BLOCKS, BLOCKS * 5 / 4);
    assertThat(choice.rule())
        .as("a loop that does not fit")
        .isIn(OfferFilter.Rule.FEW, OfferFilter.Rule.FREQUENT);
  }

  @Test
  void aTierThatIsNotRecoveredYetIsNotTakenForASmallOne() {
    tier.capacityBytes(BLOCKS);
    tier.full(true);
    RuleChoice choice = new RuleChoice(List.of(tier), false, RuleTrial.KEYS);
    loop(new ReuseAdmission(tier, choice, true, null), 0, 60 * BLOCKS, 40);
    assertThat(choice.rule()).as("a loop that will fit").isEqualTo(OfferFilter.Rule.SEEN);
  }

  private static void loop(ReuseAdmission admission, int from, int to, int keys) {
    for (int i = from; i < to; i++) {
      long key = i % keys;
      admission.requested(hash(key));
      admission.evictedAbove(hash(key));
      offer(admission, key);
    }
  }

  @Test
  void twoLowerTiersGoByOneRule() {
    HeapTier second = new HeapTier("second");
    RuleChoice choice = new RuleChoice(List.of(tier, second), false, RuleTrial.KEYS);
    full(false);
    second.full(true);
    ReuseAdmission first = new ReuseAdmission(tier, choice, true, null);
    ReuseAdmission below = new ReuseAdmission(second, choice, false, null);
    recency(first, 20 * BLOCKS);
    assertThat(choice.rule()).isEqualTo(OfferFilter.Rule.ALL);
    assertThat(offer(below, 1_000_000)).isEqualTo(Verdict.ADMIT);
    // What the lower one hears is not counted twice.
    for (long key = 0; key < 20 * BLOCKS; key++) {
      below.evictedAbove(hash(key));
      below.requested(hash(-key));
    }
    assertThat(choice.rule()).isEqualTo(OfferFilter.Rule.ALL);
  }
}
