// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.report.Summary.LatencyNanos;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Points are a second long; the event is from second 15 to second 35. */
final class WatchTest {

  private static final Offset<Double> EXACT = within(1e-9);

  private static final LatencyNanos NONE = new LatencyNanos(0, 0, 0, 0, 0);

  private final List<Watch.Point> points = new ArrayList<>();

  @BeforeEach
  void whatIsEarlierThanTenSecondsBeforeDoesNotCount() {
    seconds(5, 70_000, 0.1);
  }

  private void seconds(int count, long speed, double hitRatio) {
    for (int i = 0; i < count; i++) {
      points.add(new Watch.Point(points.size() + 1, 1, speed, hitRatio, NONE));
    }
  }

  private Watch.EventCourse course() {
    return new Watch.EventCourse(points, 15, 35);
  }

  @Test
  void whatComesAfterIsComparedWithWhatWasBefore() {
    seconds(10, 1_000, 0.8);
    seconds(20, 500, 0.4);
    seconds(10, 250, 0.6);
    seconds(10, 9_000, 1);
    assertThat(course().hitsAfter()).isCloseTo(0.75, EXACT);
    assertThat(course().ratios("x", Double.NaN))
        .extracting(ratio -> ratio.name() + " " + ratio.figure())
        .contains("Hits before, of all gets: x 80.0 %", "Time of x 20 s");
  }

  @Test
  void eachGetCountsAlikeInTheHitRatio() {
    seconds(5, 900, 1);
    seconds(5, 100, 0);
    seconds(20, 0, 0);
    seconds(10, 1_000, 0.45);
    assertThat(course().hitsAfter()).isCloseTo(0.5, EXACT);
  }

  /** In seconds: how many, and the hit ratio of their gets; 0 for none. */
  @ParameterizedTest
  @CsvSource({
    "during the event, 10 1 6 0.9 10 0.2 24 0.7, 0.2",
    "whole and not before the event, 5 1e-9 5 1 39 0.5 1 1e-9, 0.9",
    "with gets, 10 1 12 0 20 0.3, 0.3"
  })
  void theLowestSpanIs(String where, String spans, double lowest) {
    String[] words = spans.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      double ratio = Double.parseDouble(words[i + 1]);
      seconds(Integer.parseInt(words[i]), ratio == 0 ? 0 : 1_000, ratio);
    }
    assertThat(course().lowestHits()).as(where).isCloseTo(lowest, within(1e-6));
  }
}
