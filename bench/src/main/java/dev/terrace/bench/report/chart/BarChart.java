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
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * Horizontal bars in groups, with whiskers from the least to the greatest measurement. Each bar has
 * its name and figure above it, so that it needs no legend and fits a phone. Where the values lie
 * far apart the axis is logarithmic; then dots take the place of bars, since lengths would mislead.
 */
public final class BarChart implements Chart {

  /** From this ratio of the greatest to the least value on, the axis is logarithmic. */
  private static final double LOGARITHMIC_RATIO = 20;

  private static final double LINE_PIXELS = Bar.LINE_PIXELS;

  /** Bold letters are as wide as those of a somewhat larger font. */
  private static final double BOLD_PIXELS = 14.5;

  private static final double HEADING_GAP_PIXELS = 4;
  private static final double GROUP_GAP_PIXELS = 12;
  private static final double TICK_PIXELS = 24;

  private final String title;
  private final String unit;
  private final DoubleFunction<String> format;
  private final List<Group> groups = new ArrayList<>();

  private record Group(String name, List<Bar> bars) {

    List<String> heading() {
      return name.isEmpty()
          ? List.of()
          : TextWidth.lines(name, BOLD_PIXELS, TextWidth.NARROWEST_PIXELS);
    }

    double heightPixels() {
      double gap = name.isEmpty() ? 0 : HEADING_GAP_PIXELS;
      double headingPixels = heading().size() * LINE_PIXELS + gap;
      double barPixels = bars.stream().mapToDouble(Bar::heightPixels).sum();
      return headingPixels + barPixels + GROUP_GAP_PIXELS;
    }
  }

  /**
   * A chart without bars.
   *
   * @param unit what the axis counts, for people
   * @param format writes a value of the axis, short
   */
  public BarChart(String title, String unit, DoubleFunction<String> format) {
    this.title = title;
    this.unit = unit;
    this.format = format;
  }

  /** Starts a group of bars; without a name there is no heading. */
  public BarChart group(String name) {
    groups.add(new Group(name, new ArrayList<>()));
    return this;
  }

  /** Adds a bar to the last group; its figure is the median, and half the range in percent. */
  public BarChart bar(String name, Look look, Summary value) {
    String spread =
        value.count() > 1 ? String.format(Locale.ROOT, " ± %.0f %%", value.spreadPercent()) : "";
    return add(new Bar(name, look, value, false, format.apply(value.median()) + spread));
  }

  /** Adds a bar that reaches from one value to another. */
  public BarChart range(String name, Look look, double low, double high) {
    Summary value = low == high ? Summary.of(low) : Summary.of(low, high);
    String figure =
        low == high ? format.apply(low) : format.apply(low) + " to " + format.apply(high);
    return add(new Bar(name, look, value, low != high, figure));
  }

  private BarChart add(Bar bar) {
    if (groups.isEmpty()) {
      group("");
    }
    groups.get(groups.size() - 1).bars().add(bar);
    return this;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String description() {
    String bars =
        groups.stream()
            .map(
                group ->
                    (group.name().isEmpty() ? "" : group.name() + ": ")
                        + group.bars().stream()
                            .map(bar -> bar.name() + " " + bar.figure())
                            .collect(Collectors.joining(", ")))
            .collect(Collectors.joining("; "));
    return "In " + axisText() + ". " + bars + ".";
  }

  @Override
  public int marks() {
    return groups.stream().mapToInt(group -> group.bars().size()).sum();
  }

  private String axisText() {
    return scale().isLogarithmic() ? unit + ", each line ten times the last" : unit;
  }

  private List<String> axisLines() {
    return TextWidth.lines(axisText(), Bar.FONT_PIXELS, TextWidth.NARROWEST_PIXELS);
  }

  private Scale scale() {
    double least = Double.MAX_VALUE;
    double most = 0;
    for (Group group : groups) {
      for (Bar bar : group.bars()) {
        least = Math.min(least, bar.value().min());
        most = Math.max(most, bar.value().max());
      }
    }
    return least > 0 && most / least > LOGARITHMIC_RATIO
        ? Scale.logarithmic(least, most)
        : Scale.linear(0, most);
  }

  @Override
  public void draw(Markup markup, String id) {
    Scale scale = scale();
    double bodyPixels = groups.stream().mapToDouble(Group::heightPixels).sum();
    markup.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "class",
        "chart bars",
        "role",
        "img",
        "aria-labelledby",
        id + "-title " + id + "-text",
        "width",
        "100%",
        "height",
        SvgText.pixels(bodyPixels + TICK_PIXELS + (axisLines().size() + 0.2) * LINE_PIXELS));
    markup.element("title", title, "id", id + "-title");
    markup.element("desc", description(), "id", id + "-text").line();
    drawAxis(markup, scale, bodyPixels);
    double y = 0;
    for (Group group : groups) {
      drawGroup(markup, scale, group, y);
      y += group.heightPixels();
    }
    markup.close().line();
  }

  private void drawAxis(Markup markup, Scale scale, double bodyPixels) {
    for (double tick : scale.ticks()) {
      double share = scale.placeOfMark(tick);
      String x = SvgText.percent(share);
      markup.empty(
          "line", "class", "grid", "x1", x, "y1", "0", "x2", x, "y2", SvgText.pixels(bodyPixels));
      markup.element(
          "text",
          format.apply(tick),
          "class",
          "tick",
          "x",
          x,
          "y",
          SvgText.pixels(bodyPixels + LINE_PIXELS - 2),
          "text-anchor",
          SvgText.anchor(share));
    }
    double y = bodyPixels + TICK_PIXELS;
    for (String line : axisLines()) {
      y += LINE_PIXELS;
      markup.element("text", line, "class", "unit", "x", "0", "y", SvgText.pixels(y - 4));
    }
    markup.line();
  }

  private static void drawGroup(Markup markup, Scale scale, Group group, double top) {
    double y = top;
    for (String line : group.heading()) {
      y += LINE_PIXELS;
      markup.element("text", line, "class", "group", "x", "0", "y", SvgText.pixels(y - 4));
    }
    y += group.name().isEmpty() ? 0 : HEADING_GAP_PIXELS;
    for (Bar bar : group.bars()) {
      bar.draw(markup, scale, y);
      y += bar.heightPixels();
    }
  }
}
