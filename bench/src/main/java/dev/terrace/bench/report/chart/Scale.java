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

import java.util.ArrayList;
import java.util.List;

/**
 * Where values lie on an axis: 0 at its start, 1 at its end.
 *
 * @param isLogarithmic whether equal distances are equal ratios
 * @param from the value at the start
 * @param to the value at the end
 * @param ticks the values to be marked, ascending
 */
record Scale(boolean isLogarithmic, double from, double to, List<Double> ticks) {

  private static final int MOST_STEPS = 5;
  private static final int MOST_DECADES = 5;
  private static final double DOT_ROOM = 0.02;

  Scale {
    ticks = List.copyOf(ticks);
  }

  /** An axis with round ticks, at most six, that holds both values. */
  static Scale linear(double least, double most) {
    double range = most > least ? most - least : 1;
    double step = roundStep(range / MOST_STEPS);
    double from = Math.floor(least / step + 1e-9) * step;
    int steps = (int) Math.max(1, Math.ceil((from + range - from) / step - 1e-9));
    while (from + steps * step < most - 1e-9 * Math.abs(most)) {
      steps++;
    }
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i <= steps; i++) {
      ticks.add(from + i * step);
    }
    return new Scale(false, from, from + steps * step, ticks);
  }

  /** An axis of whole decades, marked at powers of ten; both values are more than zero. */
  static Scale logarithmic(double least, double most) {
    int first = (int) Math.floor(Math.log10(least) + 1e-9);
    int last = (int) Math.max(first + 1.0, Math.ceil(Math.log10(most) - 1e-9));
    int stride = (last - first + MOST_DECADES - 1) / MOST_DECADES;
    List<Double> ticks = new ArrayList<>();
    for (int decade = first; decade <= last; decade += stride) {
      ticks.add(Math.pow(10, decade));
    }
    return new Scale(true, Math.pow(10, first), Math.pow(10, last), ticks);
  }

  /** A logarithmic axis from one value to another, with these ticks. */
  static Scale logarithmic(List<Double> ticks) {
    return new Scale(true, ticks.get(0), ticks.get(ticks.size() - 1), ticks);
  }

  /** The part of the axis before a value, from 0 to 1; values outside lie at the ends. */
  double share(double value) {
    double share =
        isLogarithmic
            ? value <= 0 ? 0 : Math.log(value / from) / Math.log(to / from)
            : (value - from) / (to - from);
    return Math.max(0, Math.min(1, share));
  }

  /**
   * As {@link #share}, but on a logarithmic axis with room at both ends for the dots that lie
   * there; bars start at the edge.
   */
  double placeOfMark(double value) {
    return isLogarithmic ? DOT_ROOM + (1 - 2 * DOT_ROOM) * share(value) : share(value);
  }

  /** The ticks that are so far from each other, in parts of the axis; the last is among them. */
  List<Double> ticksApart(double leastDistance) {
    List<Double> apart = new ArrayList<>();
    double end = 1 + leastDistance;
    for (int index = ticks.size() - 1; index >= 0; index--) {
      if (end - share(ticks.get(index)) >= leastDistance) {
        apart.add(0, ticks.get(index));
        end = share(ticks.get(index));
      }
    }
    return apart;
  }

  private static double roundStep(double step) {
    double decade = Math.pow(10, Math.floor(Math.log10(step)));
    for (double factor : new double[] {1, 2, 2.5, 5}) {
      if (factor * decade >= step * (1 - 1e-9)) {
        return factor * decade;
      }
    }
    return 10 * decade;
  }
}
