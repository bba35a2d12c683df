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

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/**
 * A few measurements of the same thing, most robustly summed up.
 *
 * @param median the middle one, or the mean of the middle two
 * @param min the least
 * @param max the greatest
 * @param count how many there are
 */
public record Summary(double median, double min, double max, int count) {

  /**
   * Sums measurements up.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Summary of(Collection<Double> measurements) {
    if (measurements.isEmpty()) {
      throw new IllegalArgumentException("no measurements");
    }
    double[] sorted = measurements.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Summary(median, sorted[0], sorted[sorted.length - 1], sorted.length);
  }

  /** Sums measurements up. */
  public static Summary of(double... measurements) {
    return of(Arrays.stream(measurements).boxed().toList());
  }

  /** Half the range in percent of the median as a table has it; a single figure has none. */
  public String spreadText() {
    double percent = median == 0 ? 0 : 100 * (max - min) / 2 / Math.abs(median);
    return count <= 1 ? Table.NONE : String.format(Locale.ROOT, "%.0f %%", percent);
  }
}
