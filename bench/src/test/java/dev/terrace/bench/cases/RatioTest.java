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
package dev.terrace.bench.cases;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RatioTest {

  private final Measure fast = Runs.measure("fast", 1_000, 600, 900);
  private final Measure slow = Runs.measure("slow", 20, 10, 10);

  @Test
  void eachRoundIsComparedWithItself() {
    Ratio ratio = Ratio.times("fast over slow", fast, slow);

    assertThat(ratio.values().median()).isEqualTo(60);
    assertThat(ratio.values().min()).isEqualTo(50);
    assertThat(ratio.values().max()).isEqualTo(90);
    assertThat(ratio.inWords(60)).isEqualTo("60.0 ×");
  }

  @Test
  void percentAreAHundredTimesThat() {
    Ratio ratio = Ratio.percent("slow of fast", slow, fast);

    assertThat(ratio.values().max()).isEqualTo(2);
    assertThat(ratio.inWords(2)).isEqualTo("2.0 %");
  }

  @Test
  void theMedianMustReachTheTarget() {
    Ratio ratio = Ratio.times("fast over slow", fast, slow);

    assertThat(ratio.atLeast(60).target().orElseThrow().met()).isTrue();
    assertThat(ratio.atLeast(61).target().orElseThrow().met()).isFalse();
    assertThat(ratio.target()).isEmpty();
  }

  @Test
  void aLimitIsAlsoMetByWhatMakesUpForIt() {
    Ratio seconds = Ratio.of("seconds", 6, "s");

    assertThat(seconds.atMost(5, false, "x").target().orElseThrow().met()).isFalse();
    assertThat(seconds.atMost(5, true, "x").target().orElseThrow().met()).isTrue();
    assertThat(seconds.atMost(6, false, "x").target().orElseThrow().met()).isTrue();
  }
}
