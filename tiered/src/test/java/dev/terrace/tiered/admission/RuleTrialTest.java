// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import dev.terrace.api.policy.FrequencySketch;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTrialTest {

  private static final int KEYS = 1_024;

  private final FrequencySketch frequencies = new FrequencySketch();

  private RuleTrial trial(boolean sparesWrites) {
    frequencies.ensureKeys(KEYS);
    return new RuleTrial(new long[] {KEYS}, RuleTrial.KEYS, frequencies, sparesWrites);
  }

  /** As of one file's keys, but the same in every process. */
  private static final long FILE = "file".hashCode() * 0x9E3779B97F4A7C15L;

  private static long hash(long key) {
    return BlockKey.hash(FILE ^ key << 16);
  }

  @ParameterizedTest
  @ValueSource(longs = {1_024, 2_000, 4_096, 1_000_000, 1L << 40})
  void theSampleIsAboutAsLargeForAnyTier(long blocks) {
    long sampleMask =
        new RuleTrial(new long[] {blocks}, RuleTrial.KEYS, frequencies, false).sampleMask();
    assertThat(Long.bitCount(sampleMask + 1)).as("low bits").isEqualTo(1);
    assertThat(blocks / (sampleMask + 1)).isBetween(1_024L, 2_047L);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 100, 1_023})
  void ofAFewBlocksAllAreSampled(long blocks) {
    assertThat(new RuleTrial(new long[] {blocks}, RuleTrial.KEYS, frequencies, false).sampleMask())
        .isZero();
  }

  @Test
  void keysThatComeBackOnceAreWorthTakingAll() {
    RuleTrial trial = trial(false);
    SplittableRandom random = new SplittableRandom(1);
    OfferFilter.Rule rule = null;
    for (long key = 0; key < 20 * KEYS; key++) {
      trial.leftHighest(hash(key));
      rule = trial.requested(hash(key - random.nextInt(KEYS / 2)));
    }
    assertThat(rule).isEqualTo(OfferFilter.Rule.ALL);
  }

  @Test
  void popularKeysInAScanAreNot() {
    RuleTrial trial = trial(false);
    SplittableRandom random = new SplittableRandom(2);
    for (long i = 0; i < 40 * KEYS; i++) {
      long popular = -1L - random.nextInt(KEYS / 2);
      trial.leftHighest(hash(i));
      OfferFilter.Rule rule = trial.requested(hash(popular));
      trial.leftHighest(hash(popular));
      assertThat(rule != OfferFilter.Rule.ALL || i < 20 * KEYS).as("at request %d", i).isTrue();
    }
  }

  /** A loop over a third more than there is room for. */
  private static OfferFilter.Rule loop(RuleTrial trial) {
    OfferFilter.Rule rule = null;
    for (long i = 0; i < 60 * KEYS; i++) {
      long key = i % (KEYS * 4 / 3);
      rule = trial.requested(hash(key));
      trial.leftHighest(hash(key));
    }
    return rule;
  }

  @Test
  void ofALoopThatDoesNotFitFewAreTaken() {
    assertThat(loop(trial(false))).isEqualTo(OfferFilter.Rule.FEW);
  }

  @Test
  void theSizeDecides() {
    RuleTrial larger = trial(false);
    larger.resize(new long[] {KEYS * 3 / 2});
    assertThat(loop(larger)).as("the loop fits").isEqualTo(OfferFilter.Rule.SEEN);
    RuleTrial smaller =
        new RuleTrial(new long[] {KEYS * 3 / 2}, RuleTrial.KEYS, frequencies, false);
    smaller.resize(new long[] {KEYS});
    assertThat(loop(smaller)).isEqualTo(OfferFilter.Rule.FEW);
  }

  @Test
  void whatLeavesTheFirstSmallTierMayBeInTheSecond() {
    frequencies.ensureKeys(KEYS);
    RuleTrial one = new RuleTrial(new long[] {KEYS / 2}, RuleTrial.KEYS, frequencies, false);
    RuleTrial two =
        new RuleTrial(new long[] {KEYS / 2, KEYS / 2}, RuleTrial.KEYS, frequencies, false);
    SplittableRandom random = new SplittableRandom(5);
    OfferFilter.Rule ofOne = null;
    OfferFilter.Rule ofTwo = null;
    for (long key = 0; key < 20 * KEYS; key++) {
      // Each comes back once, when more have come in since than the first tier holds.
      long back = hash(key - KEYS * 5 / 8 - random.nextInt(KEYS / 4));
      ofOne = one.requested(back);
      ofTwo = two.requested(back);
      one.leftHighest(hash(key));
      two.leftHighest(hash(key));
    }
    assertThat(ofOne).as("nothing comes back in time").isEqualTo(OfferFilter.Rule.SEEN);
    assertThat(ofTwo).isEqualTo(OfferFilter.Rule.ALL);
  }

  @Test
  void whereWritesAreSparedFewMustBeBeaten() {
    SplittableRandom random = new SplittableRandom(3);
    RuleTrial hits = trial(false);
    RuleTrial endurance = trial(true);
    OfferFilter.Rule first = null;
    OfferFilter.Rule second = null;
    for (long i = 0; i < 40 * KEYS; i++) {
      // All fits, so that all rules have the same hits.
      long key = hash(random.nextInt(KEYS / 2));
      first = hits.requested(key);
      second = endurance.requested(key);
      hits.leftHighest(key);
      endurance.leftHighest(key);
    }
    assertThat(first).isEqualTo(OfferFilter.Rule.SEEN);
    assertThat(second).isEqualTo(OfferFilter.Rule.FEW);
  }

  @Test
  void whereAFewKeysArePopularTheFrequentAreTaken() {
    RuleTrial trial = trial(false);
    SplittableRandom random = new SplittableRandom(4);
    OfferFilter.Rule rule = null;
    for (int i = 0; i < 60 * KEYS; i++) {
      // Zipf's law with an exponent of 0.7: many keys come back at times, few often.
      long key = (long) (4 * KEYS * Math.pow(random.nextDouble(), 1 / 0.3));
      rule = trial.requested(hash(key));
      frequencies.add(hash(key), 1);
      trial.leftHighest(hash(key));
    }
    assertThat(rule).isEqualTo(OfferFilter.Rule.FREQUENT);
  }
}
