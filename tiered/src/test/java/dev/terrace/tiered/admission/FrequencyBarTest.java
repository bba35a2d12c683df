/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
