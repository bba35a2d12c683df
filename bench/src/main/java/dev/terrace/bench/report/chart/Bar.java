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

import dev.terrace.bench.report.Markup;
import dev.terrace.bench.report.Summary;
import java.util.ArrayList;
import java.util.List;

/**
 * A bar with its name and figure above it.
 *
 * @param value where it ends, and its whiskers
 * @param isRange whether it reaches from the least to the greatest value, and not from zero
 * @param figure its value for people
 */
record Bar(String name, Look look, Summary value, boolean isRange, String figure) {

  static final double FONT_PIXELS = 13;
  static final double LINE_PIXELS = 18;

  private static final double BAR_PIXELS = 12;
  private static final double GAP_PIXELS = 8;

  /** The lines above the bar; the last one has the figure at its end. */
  List<String> lines() {
    double figurePixels = TextWidth.ofText(figure, FONT_PIXELS) + FONT_PIXELS;
    if (TextWidth.ofText(name, FONT_PIXELS) + figurePixels <= TextWidth.NARROWEST_PIXELS) {
      return List.of(name);
    }
    List<String> lines =
        new ArrayList<>(TextWidth.lines(name, FONT_PIXELS, TextWidth.NARROWEST_PIXELS));
    String last = lines.get(lines.size() - 1);
    if (TextWidth.ofText(last, FONT_PIXELS) + figurePixels > TextWidth.NARROWEST_PIXELS) {
      lines.add("");
    }
    return lines;
  }

  double heightPixels() {
    return lines().size() * LINE_PIXELS + BAR_PIXELS + GAP_PIXELS;
  }

  /** Draws it with its upper edge at a place. */
  void draw(Markup markup, Scale scale, double top) {
    double y = top;
    for (String line : lines()) {
      if (!line.isEmpty()) {
        markup.element(
            "text", line, "class", "name", "x", "0", "y", SvgText.pixels(y + LINE_PIXELS - 5));
      }
      y += LINE_PIXELS;
    }
    markup.element(
        "text",
        figure,
        "class",
        "figure",
        "x",
        "100%",
        "y",
        SvgText.pixels(y - 5),
        "text-anchor",
        "end");
    double median = scale.placeOfMark(value.median());
    if (isRange) {
      drawSpan(markup, scale.placeOfMark(value.min()), scale.placeOfMark(value.max()), y);
    } else if (scale.isLogarithmic()) {
      // Whiskers shorter than the dot are to be hidden by it, and not the dot by them.
      drawStem(markup, median, y);
      drawWhiskers(markup, scale, y);
      drawDot(markup, median, y);
    } else {
      drawSpan(markup, 0, median, y);
      drawWhiskers(markup, scale, y);
    }
    markup.line();
  }

  private void drawSpan(Markup markup, double from, double to, double y) {
    // A value of nothing is still to be seen.
    boolean isVisible = to - from > 0.004;
    markup.empty(
        "rect",
        "class",
        "mark " + look.cssClass(),
        "x",
        SvgText.percent(isVisible ? from : Math.min(from, 0.99)),
        "y",
        SvgText.pixels(y),
        "width",
        isVisible ? SvgText.percent(to - from) : "2",
        "height",
        SvgText.pixels(BAR_PIXELS));
  }

  private static void drawStem(Markup markup, double share, double y) {
    String middle = SvgText.pixels(y + BAR_PIXELS / 2);
    markup.empty(
        "line",
        "class",
        "stem",
        "x1",
        "0",
        "y1",
        middle,
        "x2",
        SvgText.percent(share),
        "y2",
        middle);
  }

  private void drawDot(Markup markup, double share, double y) {
    markup.empty(
        "circle",
        "class",
        "mark " + look.cssClass(),
        "cx",
        SvgText.percent(share),
        "cy",
        SvgText.pixels(y + BAR_PIXELS / 2),
        "r",
        SvgText.pixels(BAR_PIXELS / 2));
  }

  private void drawWhiskers(Markup markup, Scale scale, double y) {
    if (value.count() <= 1) {
      return;
    }
    double middle = y + BAR_PIXELS / 2;
    String from = SvgText.percent(scale.placeOfMark(value.min()));
    String to = SvgText.percent(scale.placeOfMark(value.max()));
    // A light line below the dark one makes it visible on the bar too.
    for (String cssClass : List.of("halo", "whisker")) {
      whisker(markup, cssClass, from, to, middle, middle);
      whisker(markup, cssClass, from, from, middle - 4, middle + 4);
      whisker(markup, cssClass, to, to, middle - 4, middle + 4);
    }
  }

  private static void whisker(
      Markup markup, String cssClass, String x1, String x2, double y1, double y2) {
    markup.empty(
        "line",
        "class",
        cssClass,
        "x1",
        x1,
        "y1",
        SvgText.pixels(y1),
        "x2",
        x2,
        "y2",
        SvgText.pixels(y2));
  }
}
