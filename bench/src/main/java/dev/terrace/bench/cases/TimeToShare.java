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

import dev.terrace.bench.load.SeriesPoint;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Finds when a series is back at a part of a former rate: at the end of the first interval that
 * reaches it and from which on the mean of some intervals does so too, so that one lucky interval
 * does not count. Stateless.
 */
final class TimeToShare {

  private TimeToShare() {}

  /**
   * Returns the seconds, or nothing when the series does not come so far.
   *
   * @param points in the order of time
   * @param rate what is to be reached, operations a second
   * @param sustained over how many intervals the mean is taken, the first one included
   */
  static OptionalDouble seconds(List<SeriesPoint> points, double rate, int sustained) {
    for (int i = 0; i + sustained <= points.size(); i++) {
      double mean =
          points.subList(i, i + sustained).stream()
              .mapToDouble(SeriesPoint::operationsPerSecond)
              .average()
              .orElse(0);
      if (points.get(i).operationsPerSecond() >= rate && mean >= rate) {
        return OptionalDouble.of(points.get(i).seconds());
      }
    }
    return OptionalDouble.empty();
  }
}
