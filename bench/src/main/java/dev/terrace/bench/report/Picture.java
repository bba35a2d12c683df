// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import com.samskivert.mustache.Mustache;
import dev.terrace.bench.report.Column.Look;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.common.xml.XmlEscapers;

/**
 * A chart of a table as SVG, from the template {@code chart.svg}: a bar for each figure with the
 * range of its rounds, or a line for each name. All axes start at 0.
 */
public final class Picture {

  private static final int WIDTH_PIXELS = 720;
  private static final int TEXT_PIXELS = 20;
  private static final int BAR_PIXELS = 14;
  private static final int PANEL_PIXELS = 120;

  /** Colours that colour-blind readers can tell apart; Terrace's is the first. */
  private static final List<String> COLOURS =
      List.of("#1f6fd0", "#d1570b", "#1a7f37", "#8250df", "#9a6700", "#57606a");

  private final Table table;
  private final List<Map<String, ?>> texts = new ArrayList<>();
  private final List<Map<String, ?>> bars = new ArrayList<>();
  private final List<Map<String, ?>> lines = new ArrayList<>();
  private double y;

  private Picture(Table table) {
    this.table = table;
  }

  static String svg(Table table, Table.Chart chart) {
    Picture picture = new Picture(table);
    picture.text(chart.title(), "bold", "#1f2328");
    if (chart.kind() == Table.Kind.BARS) {
      picture.drawBars(chart);
    } else {
      picture.drawLines(chart);
    }
    return fill(
        "chart.svg",
        Map.of(
            "height", Math.round(picture.y),
            "texts", picture.texts,
            "bars", picture.bars,
            "lines", picture.lines));
  }

  /** Fills in a template and escapes all values, so no text from a file becomes an element. */
  static String fill(String template, Map<String, ?> values) {
    return Mustache.compiler()
        .withEscaper(XmlEscapers.xmlAttributeEscaper()::escape)
        .emptyStringIsFalse(true)
        .withLoader(Picture::resource)
        .compile(resource(template))
        .execute(values);
  }

  private static Reader resource(String name) {
    return new InputStreamReader(Picture.class.getResourceAsStream(name), StandardCharsets.UTF_8);
  }

  /** Writes the first chart of some tables. */
  public static void write(List<Table> tables, Path file) throws IOException {
    Table drawn =
        tables.stream()
            .filter(table -> !table.charts().isEmpty())
            .findFirst()
            .orElseThrow(() -> new IOException("no chart for " + file));
    Files.writeString(file, svg(drawn, drawn.charts().get(0)));
  }

  private void text(String text, String weight, String colour) {
    y += TEXT_PIXELS;
    texts.add(Map.of("y", y - 5, "text", text, "weight", weight, "colour", colour));
  }

  private record Bar(Table.Row row, Column column, Summary figure) {}

  private void drawBars(Table.Chart chart) {
    Map<String, List<Bar>> groups = new LinkedHashMap<>();
    double most = 0;
    for (Table.Row row : table.rows()) {
      for (String key : chart.columns()) {
        Column column = table.column(key);
        for (Summary figure : Table.figure(row, column).stream().toList()) {
          String title = chart.columns().size() == 1 ? "" : column.title();
          String conditions = table.conditions(row);
          String heading =
              conditions + (conditions.isEmpty() || title.isEmpty() ? "" : ", ") + title;
          Bar bar = new Bar(row, column, figure);
          groups.computeIfAbsent(heading, first -> new ArrayList<>()).add(bar);
          most = Math.max(most, figure.max());
        }
      }
    }
    double pixels = WIDTH_PIXELS / Math.max(most, Double.MIN_NORMAL);
    groups.forEach(
        (heading, ofOne) -> {
          if (!heading.isEmpty()) {
            text(heading, "bold", "#57606a");
          }
          ofOne.forEach(bar -> draw(bar, pixels));
        });
  }

  /** A published range is a bar from its lower to its upper figure. */
  private void draw(Bar bar, double pixels) {
    Look look = bar.row().look();
    Summary figure = bar.figure();
    boolean isRange = look == Look.PUBLISHED && figure.count() > 1;
    boolean hasSpread = !isRange && figure.count() > 1;
    String value = new Table.Shown("", bar.column(), false).text(bar.row());
    String spread = hasSpread ? " ± " + figure.spreadText() : "";
    text(table.name(bar.row()) + ": " + value + spread, "normal", "#1f2328");
    double from = isRange ? figure.min() : 0;
    double to = isRange ? figure.max() : figure.median();
    bars.add(
        Map.of(
            "look", look,
            "x", from * pixels,
            "y", y,
            "width", (to - from) * pixels,
            "height", BAR_PIXELS));
    if (hasSpread) {
      level("#1f2328", figure.min() * pixels, figure.max() * pixels, y + BAR_PIXELS / 2.0);
    }
    y += BAR_PIXELS + 6;
  }

  /** One panel for each column after the time column. */
  private void drawLines(Table.Chart chart) {
    Column x = table.column(chart.columns().get(0));
    double end = most(x);
    List<String> names = table.rows().stream().map(table::name).distinct().toList();
    for (int i = 0; i < names.size(); i++) {
      text(names.get(i), "normal", COLOURS.get(i % COLOURS.size()));
    }
    for (String key : chart.columns().subList(1, chart.columns().size())) {
      Column column = table.column(key);
      double most = most(column);
      text(
          String.format(
              "%s, 0 to %s; %s, 0 to %s",
              column.title(), column.unit().format(most), x.title(), x.unit().format(end)),
          "bold",
          "#57606a");
      double bottom = y + PANEL_PIXELS;
      Map<String, StringBuilder> paths = new LinkedHashMap<>();
      for (Table.Row row : table.rows()) {
        StringBuilder path = paths.computeIfAbsent(table.name(row), name -> new StringBuilder("M"));
        double value = value(row, column);
        boolean isFirst = path.charAt(path.length() - 1) == 'M';
        if (!Double.isNaN(value)) {
          double across = WIDTH_PIXELS * value(row, x) / end;
          path.append(point(isFirst ? "" : "L", across, bottom - PANEL_PIXELS * value / most));
        } else if (!isFirst) {
          path.append('M');
        }
      }
      paths.forEach(
          (name, path) ->
              line(
                  COLOURS.get(names.indexOf(name) % COLOURS.size()),
                  path.toString().replaceFirst("M$", "")));
      level("#d0d7de", 0, WIDTH_PIXELS, bottom);
      y = bottom + 6;
    }
  }

  private double most(Column column) {
    return table.rows().stream()
        .mapToDouble(row -> value(row, column))
        .filter(x -> x > 0)
        .max()
        .orElse(1);
  }

  private static double value(Table.Row row, Column column) {
    return Table.figure(row, column).map(Summary::median).orElse(Double.NaN);
  }

  private void line(String colour, String path) {
    lines.add(Map.of("colour", colour, "path", path));
  }

  private void level(String colour, double fromX, double toX, double level) {
    line(colour, point("M", fromX, level) + point("L", toX, level));
  }

  private static String point(String command, double x, double y) {
    return String.format(Locale.ROOT, "%s%.1f,%.1f", command, x, y);
  }
}
