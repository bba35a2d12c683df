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
package dev.terrace.bench.replay;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws hit ratios over cache sizes as SVG: sizes on a logarithmic axis, a line for each cache. */
final class HitRatioPlot {

  private static final int WIDTH = 860;
  private static final int HEIGHT = 480;
  private static final int LEFT = 64;
  private static final int RIGHT = 210;
  private static final int TOP = 44;
  private static final int BOTTOM = 56;
  private static final int GRID_LINES = 5;
  private static final List<String> COLORS =
      List.of("#c0392b", "#2471a3", "#229954", "#b9770e", "#7d3c98", "#566573");

  private final String title;
  private final double[] sizes;
  private final Map<String, double[]> lines = new LinkedHashMap<>();

  /**
   * A plot without lines.
   *
   * @param sizes in percent of the trace's blocks, ascending, at least two
   */
  HitRatioPlot(String title, double[] sizes) {
    this.title = title;
    this.sizes = sizes.clone();
  }

  /** Adds a line: a hit ratio from 0 to 1 for each size. The first line is drawn bold. */
  void add(String name, double[] ratios) {
    if (ratios.length != sizes.length) {
      throw new IllegalArgumentException("ratios=" + ratios.length + ", must be " + sizes.length);
    }
    lines.put(name, ratios.clone());
  }

  /** The whole picture. */
  String svg() {
    StringBuilder svg = new StringBuilder();
    append(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">",
        WIDTH,
        HEIGHT,
        WIDTH,
        HEIGHT);
    append(svg, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
    append(svg, "<text x=\"%d\" y=\"24\" font-size=\"16\">%s</text>", LEFT, escaped(title));
    double lowest = lowestOfAxis();
    appendGrid(svg, lowest);
    appendSizes(svg);
    int index = 0;
    for (Map.Entry<String, double[]> line : lines.entrySet()) {
      appendLine(svg, line.getKey(), line.getValue(), lowest, index++);
    }
    return svg.append("</svg>\n").toString();
  }

  /** The axis starts at a multiple of a tenth, so that lines which lie close can be told apart. */
  private double lowestOfAxis() {
    double lowest = 1;
    for (double[] ratios : lines.values()) {
      for (double ratio : ratios) {
        lowest = Math.min(lowest, ratio);
      }
    }
    return Math.min(0.9, Math.floor(lowest * 10) / 10);
  }

  private void appendGrid(StringBuilder svg, double lowest) {
    for (int line = 0; line <= GRID_LINES; line++) {
      double ratio = lowest + (1 - lowest) * line / GRID_LINES;
      double y = y(ratio, lowest);
      append(
          svg,
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>",
          LEFT,
          y,
          WIDTH - RIGHT,
          y);
      append(
          svg,
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f %%</text>",
          LEFT - 8,
          y + 4,
          100 * ratio);
    }
  }

  private void appendSizes(StringBuilder svg) {
    for (double size : sizes) {
      append(
          svg,
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
          x(size),
          HEIGHT - BOTTOM + 20,
          size == Math.rint(size) ? String.valueOf((long) size) : String.valueOf(size));
    }
    append(
        svg,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">size, %% of the trace's blocks</text>",
        (LEFT + WIDTH - RIGHT) / 2,
        HEIGHT - BOTTOM + 42);
  }

  private void appendLine(
      StringBuilder svg, String name, double[] ratios, double lowest, int index) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < sizes.length; i++) {
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(sizes[i]), y(ratios[i], lowest)));
    }
    String color = COLORS.get(index % COLORS.size());
    double width = index == 0 ? 3 : 1.5;
    append(
        svg,
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"/>",
        points.toString().strip(),
        color,
        width);
    int legendX = WIDTH - RIGHT + 20;
    int legendY = TOP + 12 + 22 * index;
    append(
        svg,
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"%.1f\"/>",
        legendX,
        legendY,
        legendX + 24,
        legendY,
        color,
        width);
    append(svg, "<text x=\"%d\" y=\"%d\">%s</text>", legendX + 32, legendY + 4, escaped(name));
  }

  private double x(double size) {
    double share =
        (Math.log(size) - Math.log(sizes[0]))
            / (Math.log(sizes[sizes.length - 1]) - Math.log(sizes[0]));
    return LEFT + share * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double ratio, double lowest) {
    return TOP + (1 - ratio) / (1 - lowest) * (HEIGHT - TOP - BOTTOM);
  }

  private static void append(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
