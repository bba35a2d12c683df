// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.LoadFigures.LoadOutcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WarmRestartCaseTest {

  private static List<LoadOutcome.SeriesPoint> series(double... rates) {
    List<LoadOutcome.SeriesPoint> points = new ArrayList<>();
    for (int i = 0; i < rates.length; i++) {
      points.add(new LoadOutcome.SeriesPoint((i + 1) / 2.0, rates[i]));
    }
    return points;
  }

  @Test
  void theEndOfTheFirstIntervalThatReachesIt() {
    assertThat(WarmRestartCase.secondsTo(series(10, 50, 90, 100, 95), 90, 2)).hasValue(1.5);
    assertThat(WarmRestartCase.secondsTo(series(95, 95), 90, 2)).hasValue(0.5);
  }

  @Test
  void oneLuckyIntervalDoesNotCount() {
    assertThat(WarmRestartCase.secondsTo(series(10, 120, 20, 90, 100), 90, 2)).hasValue(2.0);
  }

  @Test
  void oneUnluckyIntervalAfterItDoes() {
    assertThat(WarmRestartCase.secondsTo(series(95, 85, 100, 95), 90, 4)).hasValue(0.5);
  }

  @Test
  void nothingWhenItIsNotReachedOrNotLongEnough() {
    assertThat(WarmRestartCase.secondsTo(series(10, 20, 30), 90, 2)).isEmpty();
    assertThat(WarmRestartCase.secondsTo(series(10, 20, 95), 90, 2)).isEmpty();
    assertThat(WarmRestartCase.secondsTo(List.of(), 90, 2)).isEmpty();
  }
}
