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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * Lines over a common axis, told apart by colour, by dashes and by the shape of their points; names
 * stand above the plot.
 */
public final class LineChart implements Chart {

  private static final int PLOT_PIXELS = 260;
  private static final int LEGEND_LINE_PIXELS = 20;

  /** In parts of the axis, so that labels do not touch each other on the smallest phones. */
  private static final double LEAST_TICK_DISTANCE = 0.11;

  private static final int LEGEND_TEXT_PIXELS = 46;
  private static final int UNIT_PIXELS = 26;
  private static final int AXIS_PIXELS = 46;

  /** The labels of the vertical axis lie to the left of the picture, in its margin. */
  private static final int MARGIN_PIXELS = 56;

  private static final int STANDALONE_WIDTH_PIXELS = 860;
  private static final int STANDALONE_TITLE_PIXELS = 44;

  /** Points closer than this to each other would hide the line. */
  private static final int MOST_SHAPES = 24;

  private static final List<String> SHAPES =
      List.of(
          "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
          "M-4,-4h8v8h-8z",
          "M0,-5l5,9h-10z",
          "M0,-5.5l5.5,5.5l-5.5,5.5l-5.5,-5.5z",
          "M0,5l5,-9h-10z",
          "M-5,-2h3v-3h4v3h3v4h-3v3h-4v-3h-3z");

  private final String title;
  private final Axis xAxis;
  private final Axis yAxis;
  private final List<Line> lines = new ArrayList<>();

  /**
   * An axis of a line chart.
   *
   * @param unit what it counts, for people
   * @param start where it starts at the latest; NaN for a round number below the least value
   * @param ticks the values that it marks, on a logarithmic scale; empty for a linear one
   * @param format writes a value, short
   */
  public record Axis(String unit, double start, List<Double> ticks, DoubleFunction<String> format) {
    /** Copies the list. */
    public Axis {
      ticks = List.copyOf(ticks);
    }
  }

  /** One place of a line. */
  public record Point(double x, double y) {}

  private record Line(String name, List<Point> points) {

    List<String> nameLines() {
      double room = TextWidth.NARROWEST_PIXELS - LEGEND_TEXT_PIXELS;
      return TextWidth.lines(name, Bar.FONT_PIXELS, room);
    }
  }

  /** A chart without lines. */
  public LineChart(String title, Axis xAxis, Axis yAxis) {
    this.title = title;
    this.xAxis = xAxis;
    this.yAxis = yAxis;
  }

  /**
   * Adds a line; the first one is drawn bold.
   *
   * @param points at least one, in ascending order of x
   */
  public LineChart line(String name, List<Point> points) {
    if (points.isEmpty()) {
      throw new IllegalArgumentException("line '" + name + "' has no points");
    }
    lines.add(new Line(name, List.copyOf(points)));
    return this;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String description() {
    return yAxis.unit()
        + " over "
        + xAxis.unit()
        + ". "
        + lines.stream().map(this::inWords).collect(Collectors.joining("; "))
        + ".";
  }

  private String inWords(Line line) {
    Point first = line.points().get(0);
    Point last = line.points().get(line.points().size() - 1);
    return String.format(
        Locale.ROOT,
        "%s from %s to %s",
        line.name(),
        yAxis.format().apply(first.y()),
        yAxis.format().apply(last.y()));
  }

  @Override
  public int marks() {
    return lines.stream().mapToInt(line -> line.points().size()).sum();
  }

  private int heightPixels() {
    return topPixels() + PLOT_PIXELS + AXIS_PIXELS;
  }

  private int topPixels() {
    return legendLines(lines.size()) * LEGEND_LINE_PIXELS + UNIT_PIXELS;
  }

  /** The lines of text that the first so many names take. */
  private int legendLines(int names) {
    return lines.stream().limit(names).mapToInt(line -> line.nameLines().size()).sum();
  }

  private Scale scale(Axis axis, boolean isVertical) {
    if (!axis.ticks().isEmpty()) {
      return Scale.logarithmic(axis.ticks());
    }
    double least = Double.MAX_VALUE;
    double most = -Double.MAX_VALUE;
    for (Line line : lines) {
      for (Point point : line.points()) {
        double value = isVertical ? point.y() : point.x();
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    return Scale.linear(Double.isNaN(axis.start()) ? least : Math.min(axis.start(), least), most);
  }

  /** The chart as a file of its own, with its title and on white. */
  public String standalone() {
    int height = heightPixels() + STANDALONE_TITLE_PIXELS;
    Markup markup = new Markup();
    markup.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "width",
        Integer.toString(STANDALONE_WIDTH_PIXELS),
        "height",
        Integer.toString(height));
    markup.style(Chart.styleSheet());
    markup.empty("rect", "class", "paper", "width", "100%", "height", "100%");
    markup.element("text", title, "class", "heading", "x", "16", "y", "28");
    markup.open(
        "svg",
        "x",
        Integer.toString(MARGIN_PIXELS + 8),
        "y",
        Integer.toString(STANDALONE_TITLE_PIXELS),
        "width",
        Integer.toString(STANDALONE_WIDTH_PIXELS - MARGIN_PIXELS - 32),
        "height",
        Integer.toString(heightPixels()),
        "overflow",
        "visible");
    draw(markup, "chart");
    return markup.close().close().line().finish();
  }

  @Override
  public void draw(Markup markup, String id) {
    markup.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "class",
        "chart lines",
        "role",
        "img",
        "aria-labelledby",
        id + "-title " + id + "-text",
        "width",
        "100%",
        "height",
        Integer.toString(heightPixels()),
        "overflow",
        "visible");
    markup.element("title", title, "id", id + "-title");
    markup.element("desc", description(), "id", id + "-text").line();
    Scale x = scale(xAxis, false);
    Scale y = scale(yAxis, true);
    for (int index = 0; index < lines.size(); index++) {
      drawLegend(markup, index);
    }
    drawVerticalAxis(markup, y);
    drawHorizontalAxis(markup, x);
    // The last is on top, and that is to be the first.
    for (int index = lines.size() - 1; index >= 0; index--) {
      drawLine(markup, index, x, y);
    }
    markup.close().line();
  }

  private void drawLegend(Markup markup, int index) {
    int middle = legendLines(index) * LEGEND_LINE_PIXELS + LEGEND_LINE_PIXELS / 2;
    int left = 2 - MARGIN_PIXELS;
    markup.empty(
        "line",
        "class",
        "line line" + style(index),
        "x1",
        Integer.toString(left),
        "y1",
        Integer.toString(middle),
        "x2",
        Integer.toString(left + 36),
        "y2",
        Integer.toString(middle));
    markup.empty(
        "path",
        "class",
        "shape shape" + style(index),
        "d",
        SHAPES.get(style(index)),
        "transform",
        "translate(" + (left + 18) + "," + middle + ")");
    int y = middle + 5;
    for (String line : lines.get(index).nameLines()) {
      markup.element(
          "text",
          line,
          "class",
          "name",
          "x",
          Integer.toString(left + LEGEND_TEXT_PIXELS),
          "y",
          Integer.toString(y));
      y += LEGEND_LINE_PIXELS;
    }
    markup.line();
  }

  private static int style(int index) {
    return index % SHAPES.size();
  }

  private void drawVerticalAxis(Markup markup, Scale scale) {
    markup.element(
        "text",
        yAxis.unit(),
        "class",
        "unit",
        "x",
        Integer.toString(-MARGIN_PIXELS + 2),
        "y",
        Integer.toString(topPixels() - 12));
    for (double tick : scale.ticks()) {
      double y = topPixels() + PLOT_PIXELS * (1 - scale.share(tick));
      String text = SvgText.pixels(y);
      markup.empty("line", "class", "grid", "x1", "0", "y1", text, "x2", "100%", "y2", text);
      markup.element(
          "text",
          yAxis.format().apply(tick),
          "class",
          "tick",
          "x",
          "-8",
          "y",
          SvgText.pixels(y + 4),
          "text-anchor",
          "end");
    }
    markup.line();
  }

  private void drawHorizontalAxis(Markup markup, Scale scale) {
    int bottom = topPixels() + PLOT_PIXELS;
    List<Double> labelled = scale.ticksApart(LEAST_TICK_DISTANCE);
    for (double tick : scale.ticks()) {
      String x = SvgText.percent(scale.share(tick));
      markup.empty(
          "line",
          "class",
          "grid",
          "x1",
          x,
          "y1",
          Integer.toString(bottom),
          "x2",
          x,
          "y2",
          Integer.toString(bottom + 5));
      if (labelled.contains(tick)) {
        markup.element(
            "text",
            xAxis.format().apply(tick),
            "class",
            "tick",
            "x",
            x,
            "y",
            Integer.toString(bottom + 19),
            "text-anchor",
            SvgText.anchor(scale.share(tick)));
      }
    }
    markup.element(
        "text",
        xAxis.unit(),
        "class",
        "unit",
        "x",
        Integer.toString(2 - MARGIN_PIXELS),
        "y",
        Integer.toString(bottom + AXIS_PIXELS - 8));
    markup.line();
  }

  private void drawLine(Markup markup, int index, Scale x, Scale y) {
    List<Point> points = lines.get(index).points();
    StringBuilder places = new StringBuilder();
    for (Point point : points) {
      places.append(
          String.format(
              Locale.ROOT,
              "%.2f,%.2f ",
              1000 * x.share(point.x()),
              PLOT_PIXELS * (1 - y.share(point.y()))));
    }
    markup.open(
        "svg",
        "y",
        Integer.toString(topPixels()),
        "width",
        "100%",
        "height",
        Integer.toString(PLOT_PIXELS),
        "viewBox",
        "0 0 1000 " + PLOT_PIXELS,
        "preserveAspectRatio",
        "none",
        "overflow",
        "visible");
    markup.empty(
        "polyline", "class", "mark line line" + style(index), "points", places.toString().strip());
    markup.close();
    if (points.size() <= MOST_SHAPES) {
      points.forEach(point -> drawShape(markup, index, x.share(point.x()), y.share(point.y())));
    }
    markup.line();
  }

  private void drawShape(Markup markup, int index, double x, double y) {
    markup.open(
        "svg",
        "x",
        SvgText.percent(x),
        "y",
        SvgText.pixels(topPixels() + PLOT_PIXELS * (1 - y)),
        "overflow",
        "visible");
    markup.empty("path", "class", "shape shape" + style(index), "d", SHAPES.get(style(index)));
    markup.close();
  }
}
