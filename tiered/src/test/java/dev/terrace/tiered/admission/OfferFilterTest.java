// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OfferFilterTest {

  private static final int KEYS = 1_000;

  private final OfferFilter filter = new OfferFilter();

  private boolean offer(long keyHash, OfferFilter.Rule rule, int frequency) {
    return filter.admits(keyHash, rule, frequency, KEYS);
  }

  @Test
  void anOfferIsEvidenceForTheNextOneUnderAnyRule() {
    assertThat(offer(1, OfferFilter.Rule.SEEN, 0)).isFalse();
    assertThat(offer(1, OfferFilter.Rule.SEEN, 0)).isTrue();
    assertThat(offer(2, OfferFilter.Rule.ALL, 0)).isTrue();
    assertThat(offer(2, OfferFilter.Rule.SEEN, 0)).isTrue();
    assertThat(offer(3, OfferFilter.Rule.FREQUENT, 0)).isFalse();
    assertThat(offer(3, OfferFilter.Rule.SEEN, 0)).isTrue();
  }

  @Test
  void aKeyMustBeMoreFrequentThanThoseThatLeave() {
    for (int i = 0; i < 1_000; i++) {
      filter.evicted(5);
    }
    assertThat(offer(1, OfferFilter.Rule.FREQUENT, 4)).isFalse();
    assertThat(offer(1, OfferFilter.Rule.FREQUENT, 6)).isTrue();
  }

  @Test
  void fewAreOneInEightOfThoseSeen() {
    int admitted = 0;
    for (int i = 0; i < 800; i++) {
      offer(1, OfferFilter.Rule.SEEN, 0);
      admitted += offer(1, OfferFilter.Rule.FEW, 0) ? 1 : 0;
    }
    assertThat(admitted).isBetween(80, 120);
  }

  private boolean isFrequent(int frequency) {
    return offer(1, OfferFilter.Rule.FREQUENT, frequency);
  }

  private void evicted(int frequency, int times) {
    for (int i = 0; i < times; i++) {
      filter.evicted(frequency);
    }
  }

  @Test
  void isPassedByAnythingThatOccurredBeforeSomethingLeft() {
    assertThat(isFrequent(0)).isFalse();
    assertThat(isFrequent(1)).isTrue();
  }

  @Test
  void isPassedByWhatOccurredMoreOftenThanWhatLeaves() {
    evicted(3, 2_000);

    assertThat(isFrequent(2)).isFalse();
    assertThat(isFrequent(4)).isTrue();
  }

  @Test
  void followsWhatLeavesNow() {
    evicted(9, 2_000);
    evicted(1, 2_000);

    assertThat(isFrequent(2)).isTrue();

    evicted(5, 2_000);

    assertThat(isFrequent(2)).isFalse();
  }

  @Test
  void fewThatLeaveHardlyMoveIt() {
    evicted(1, 2_000);
    evicted(15, 3);

    assertThat(isFrequent(2)).isTrue();
  }
}
