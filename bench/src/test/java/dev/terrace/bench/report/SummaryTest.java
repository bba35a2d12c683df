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
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SummaryTest {

  @Test
  void takesTheMiddleOfAnOddNumber() {
    assertThat(Summary.of(9, 1, 2)).isEqualTo(new Summary(2, 1, 9, 3));
  }

  @Test
  void takesTheMeanOfTheMiddleTwoOfAnEvenNumber() {
    assertThat(Summary.of(4, 1, 2, 100)).isEqualTo(new Summary(3, 1, 100, 4));
  }

  @Test
  void givesHalfTheRangeInPercentOfTheMedian() {
    assertThat(Summary.of(9, 10, 12).spreadText()).isEqualTo("15 %");
    assertThat(Summary.of(5).spreadText()).isEqualTo("-");
    assertThat(Summary.of(0, 0, 1).spreadText()).isEqualTo("0 %");
  }

  @Test
  void refusesNothing() {
    assertThatThrownBy(() -> Summary.of(List.of())).hasMessage("no measurements");
  }
}
