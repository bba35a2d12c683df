// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WarmRestartCaseTest {

  @ParameterizedTest
  @CsvSource({
    "10 50 90 100 95, 2, 1.5",
    "95 95, 2, 0.5",
    // One lucky interval does not count, one unlucky one after it does.
    "10 120 20 90 100, 2, 2.0",
    "95 85 100 95, 4, 0.5",
    // Not reached, or not long enough.
    "10 20 30, 2,",
    "10 20 95, 2,",
    "10, 2,"
  })
  void theEndOfTheFirstIntervalThatReachesIt(String rates, int sustained, Double seconds) {
    List<Watch.Point> points = new ArrayList<>();
    for (String rate : rates.split(" ", -1)) {
      double end = (points.size() + 1) / 2.0;
      points.add(new Watch.Point(end, 1, Long.parseLong(rate), Double.NaN, null));
    }
    assertThat(WarmRestartCase.secondsTo(points, 90, sustained))
        .isEqualTo(seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds));
  }
}
