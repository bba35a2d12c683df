// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
