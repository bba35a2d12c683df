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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Hit ratios over cache sizes: sizes on a logarithmic axis, a line for each cache. */
public final class HitRatioChart {

  private HitRatioChart() {}

  /**
   * Draws them.
   *
   * @param sizesPercent sizes in percent of all blocks, ascending, at least two
   * @param ratios by cache, from 0 to 1, one for each size; the first line is drawn bold
   * @throws IllegalArgumentException if a cache has more or fewer ratios than there are sizes
   */
  public static LineChart of(
      String title, List<Double> sizesPercent, Map<String, double[]> ratios) {
    LineChart chart =
        new LineChart(
            title,
            new LineChart.Axis(
                "size of the cache, % of the trace's blocks",
                Double.NaN, sizesPercent, HitRatioChart::sizeText),
            new LineChart.Axis(
                "hit ratio, % of all accesses",
                startOfAxis(ratios),
                List.of(),
                ratio -> String.format(Locale.ROOT, "%.0f %%", 100 * ratio)));
    ratios.forEach((cache, values) -> chart.line(cache, points(sizesPercent, values)));
    return chart;
  }

  /** Lines that lie close can be told apart when the axis does not start at zero. */
  private static double startOfAxis(Map<String, double[]> ratios) {
    double least = ratios.values().stream().flatMapToDouble(Arrays::stream).min().orElse(0);
    return Math.min(0.9, Math.floor(least * 10) / 10);
  }

  private static List<LineChart.Point> points(List<Double> sizesPercent, double[] ratios) {
    if (ratios.length != sizesPercent.size()) {
      throw new IllegalArgumentException(
          "ratios=" + ratios.length + ", must be " + sizesPercent.size());
    }
    List<LineChart.Point> points = new ArrayList<>();
    for (int i = 0; i < ratios.length; i++) {
      points.add(new LineChart.Point(sizesPercent.get(i), ratios[i]));
    }
    return points;
  }

  private static String sizeText(double percent) {
    return percent == Math.rint(percent) ? String.valueOf((long) percent) : String.valueOf(percent);
  }
}
