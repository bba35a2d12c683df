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

import dev.terrace.bench.load.LoadOutcome;
import java.util.List;

/**
 * The gets of a server before, during and after an event. A get that took less time than the
 * store's first byte was a hit, so the hit ratio is never too high. Figures of spans without
 * operations are NaN.
 *
 * @param points intervals in their order
 * @param began when the event was asked for, in the seconds of the points
 * @param ended when it was known to be done
 */
record EventCourse(List<LoadOutcome.SeriesPoint> points, double began, double ended) {

  /** The length of each span that is compared; the one before ends when the event begins. */
  static final double SPAN_SECONDS = 10;

  EventCourse {
    points = List.copyOf(points);
  }

  double seconds() {
    return ended - began;
  }

  /** Returns the hit ratio after the end, as a part of the one before. */
  double hitsAfter() {
    return hitRatio(ended, ended + SPAN_SECONDS) / hitsBefore();
  }

  /**
   * Returns the lowest hit ratio of any such span since the begin, as a part of the one before.
   * Spans in which no get ended do not count: while a region is offline, all clients may wait.
   */
  double lowestHits() {
    double last = points.get(points.size() - 1).seconds();
    return points.stream()
            .mapToDouble(LoadOutcome.SeriesPoint::seconds)
            .filter(from -> from >= began && from + SPAN_SECONDS <= last)
            .map(from -> hitRatio(from, from + SPAN_SECONDS))
            .filter(ratio -> !Double.isNaN(ratio))
            .min()
            .orElse(Double.NaN)
        / hitsBefore();
  }

  /** Returns the gets a second after the end, as a part of those before. */
  double speedAfter() {
    return speed(ended, ended + SPAN_SECONDS) / speed(began - SPAN_SECONDS, began);
  }

  /** Returns the part of hits in the gets before it. */
  double hitsBefore() {
    return hitRatio(began - SPAN_SECONDS, began);
  }

  private double hitRatio(double from, double to) {
    double hits = 0;
    double all = 0;
    for (LoadOutcome.SeriesPoint point : within(from, to)) {
      if (point.operationsPerSecond() > 0) {
        hits += point.operationsPerSecond() * point.quickShare();
        all += point.operationsPerSecond();
      }
    }
    return hits / all;
  }

  private double speed(double from, double to) {
    return within(from, to).stream()
        .mapToDouble(LoadOutcome.SeriesPoint::operationsPerSecond)
        .average()
        .orElse(Double.NaN);
  }

  /** The intervals that ended in a span. */
  private List<LoadOutcome.SeriesPoint> within(double from, double to) {
    return points.stream()
        .filter(point -> point.seconds() > from && point.seconds() <= to)
        .toList();
  }
}
