// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.policy.FrequencySketch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SmallTierTest {

  private final FrequencySketch frequencies = new FrequencySketch();
  private final RuleTrial.SmallTier tier = new RuleTrial.SmallTier(3, frequencies);
  private final List<Long> left = new ArrayList<>();

  @BeforeEach
  void fill() {
    frequencies.ensureKeys(16);
    for (long key = 1; key <= 3; key++) {
      assertThat(offer(key, OfferFilter.Rule.FREQUENT)).as("there is room").isTrue();
    }
  }

  private boolean offer(long key, OfferFilter.Rule rule) {
    return tier.offered(key, rule, left::add);
  }

  @Test
  void whatCameFirstLeavesFirst() {
    assertThat(offer(4, OfferFilter.Rule.ALL)).isTrue();
    assertThat(offer(5, OfferFilter.Rule.ALL)).isTrue();

    assertThat(left).containsExactly(1L, 2L);
    assertThat(tier.holds(2)).isFalse();
    assertThat(tier.holds(3)).isTrue();
  }

  @Test
  void whatTheRuleDoesNotTakeStaysOutside() {
    assertThat(offer(4, OfferFilter.Rule.SEEN)).isFalse();
    assertThat(left).isEmpty();
    assertThat(offer(4, OfferFilter.Rule.SEEN)).as("seen before").isTrue();

    assertThat(offer(5, OfferFilter.Rule.FREQUENT)).isFalse();
    frequencies.add(5, 2);
    assertThat(offer(5, OfferFilter.Rule.FREQUENT)).isTrue();
  }

  @Test
  void aKeyThatWasHitAndIsBackGetsAnotherRound() {
    assertThat(tier.requested(1)).isTrue();
    assertThat(tier.leftHighest(1)).isTrue();

    offer(4, OfferFilter.Rule.ALL);
    offer(5, OfferFilter.Rule.ALL);
    assertThat(left).containsExactly(2L, 3L);
    offer(6, OfferFilter.Rule.ALL);
    assertThat(left).as("one round for one hit").containsExactly(2L, 3L, 1L);
  }

  @Test
  void aKeyThatIsAboveGivesItsPlaceUpAndGoesNoFurtherDown() {
    tier.requested(1);

    offer(4, OfferFilter.Rule.ALL);

    assertThat(tier.holds(1)).isFalse();
    assertThat(tier.leftHighest(1)).isFalse();
    assertThat(left).isEmpty();
  }

  @Test
  void aSmallerTierHoldsFewer() {
    tier.capacity(2);

    offer(4, OfferFilter.Rule.ALL);

    assertThat(left).containsExactly(1L, 2L);
    assertThat(tier.requested(2)).isFalse();
  }
}
