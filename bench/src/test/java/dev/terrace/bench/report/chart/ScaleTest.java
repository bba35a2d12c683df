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
package dev.terrace.bench.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ScaleTest {

  @ParameterizedTest
  @ValueSource(doubles = {0, 1e-9, 0.03, 0.65, 1, 7, 99.9, 100, 101, 12_345, 3.3e7})
  void linearAxesHaveFewRoundTicksAndHoldAll(double most) {
    Scale scale = Scale.linear(0, most);

    assertThat(scale.from()).isZero();
    assertThat(scale.to()).isGreaterThanOrEqualTo(most);
    assertThat(scale.ticks()).hasSizeBetween(2, 7).isSorted();
    assertThat(scale.share(most)).isBetween(0.0, 1.0);
    assertThat(scale.share(scale.to())).isEqualTo(1);
  }

  @Test
  void linearAxisOfSharesEndsAtOne() {
    assertThat(Scale.linear(0, 0.9665).to()).isCloseTo(1, within(1e-9));
    assertThat(Scale.linear(0, 1).to()).isCloseTo(1, within(1e-9));
  }

  @Test
  void equalRatiosAreEqualDistancesOnALogarithmicAxis() {
    Scale scale = Scale.logarithmic(3, 4000);

    assertThat(scale.ticks()).containsExactly(1.0, 10.0, 100.0, 1000.0, 10_000.0);
    assertThat(scale.share(100)).isCloseTo(0.5, within(1e-9));
    assertThat(scale.placeOfMark(1)).isPositive();
    assertThat(scale.placeOfMark(10_000)).isLessThan(1);
  }

  @Test
  void manyDecadesHaveFewTicks() {
    assertThat(Scale.logarithmic(1e-6, 1e9).ticks()).hasSizeLessThan(8);
  }

  @Test
  void leavesOutTicksThatWouldTouch() {
    Scale scale = Scale.logarithmic(List.of(1.0, 2.0, 50.0, 75.0));

    assertThat(scale.ticksApart(0.11)).containsExactly(1.0, 2.0, 75.0);
  }
}
