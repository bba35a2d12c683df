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

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** A line for each name in a table, over the figures of one of its columns. */
final class Lines {

  private static final int HEIGHT_PIXELS = 380;

  /** Colours that those who are colour-blind tell apart; Terrace's comes first. */
  private static final List<Color> COLOURS =
      List.of(
          new Color(0x1f6fd0),
          new Color(0xd1570b),
          new Color(0x1a7f37),
          new Color(0x8250df),
          new Color(0x9a6700),
          new Color(0x57606a));

  private final Table table;
  private final Table.Chart chart;
  private final Column x;
  private final Column y;

  Lines(Table table, Table.Chart chart) {
    this.table = table;
    this.chart = chart;
    this.x = table.column(chart.columns().get(0));
    this.y = table.column(chart.columns().get(1));
  }

  Picture picture() {
    Map<String, XYSeries> lines = new LinkedHashMap<>();
    for (Table.Row row : table.rows()) {
      lines
          .computeIfAbsent(table.name(row), name -> new XYSeries(name, false))
          .add(value(row, x), value(row, y));
    }
    XYSeriesCollection points = new XYSeriesCollection();
    lines.values().forEach(points::addSeries);
    XYPlot plot = new XYPlot(points, axis(x), axis(y), renderer(lines.size()));
    plot.setDomainGridlinePaint(Picture.GRID);
    plot.setRangeGridlinePaint(Picture.GRID);
    return new Picture("", description(lines), plot, HEIGHT_PIXELS);
  }

  private static double value(Table.Row row, Column column) {
    return Table.figure(row, column).map(cell -> cell.figure().median()).orElse(Double.NaN);
  }

  private ValueAxis axis(Column column) {
    double most = table.rows().stream().mapToDouble(row -> value(row, column)).max().orElse(1);
    return Picture.axis(column, most);
  }

  private static XYLineAndShapeRenderer renderer(int lines) {
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, false);
    for (int line = 0; line < lines; line++) {
      renderer.setSeriesPaint(line, COLOURS.get(line % COLOURS.size()));
      renderer.setSeriesStroke(line, new BasicStroke(line == 0 ? 2.5f : 1.5f));
    }
    return renderer;
  }

  private String description(Map<String, XYSeries> lines) {
    return chart.title()
        + ": "
        + lines.values().stream()
            .map(
                line ->
                    String.format(
                        Locale.ROOT,
                        "%s from %s to %s",
                        line.getKey(),
                        y.unit().format(line.getMinY()),
                        y.unit().format(line.getMaxY())))
            .collect(Collectors.joining(", "));
  }
}
