// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.tiered.admission.OfferFilter.FrequencyBar;
import org.junit.jupiter.api.Test;

class FrequencyBarTest {

  private final FrequencyBar bar = new FrequencyBar();

  private void evicted(int frequency, int times) {
    for (int i = 0; i < times; i++) {
      bar.evicted(frequency);
    }
  }

  @Test
  void isPassedByAnythingThatOccurredBeforeSomethingLeft() {
    assertThat(bar.isBelow(0)).isFalse();
    assertThat(bar.isBelow(1)).isTrue();
  }

  @Test
  void isPassedByWhatOccurredMoreOftenThanWhatLeaves() {
    evicted(3, 2_000);

    assertThat(bar.isBelow(2)).isFalse();
    assertThat(bar.isBelow(4)).isTrue();
  }

  @Test
  void followsWhatLeavesNow() {
    evicted(9, 2_000);
    evicted(1, 2_000);

    assertThat(bar.isBelow(2)).isTrue();

    evicted(5, 2_000);

    assertThat(bar.isBelow(2)).isFalse();
  }

  @Test
  void fewThatLeaveHardlyMoveIt() {
    evicted(1, 2_000);
    evicted(15, 3);

    assertThat(bar.isBelow(2)).isTrue();
  }
}
