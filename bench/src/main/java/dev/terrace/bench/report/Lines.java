// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** A line for each name in a table, over the figures of one or more of its columns. */
final class Lines {

  private static final int HEIGHT_PIXELS = 380;
  private static final int HEIGHT_PIXELS_OF_MANY = 130;

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
  private final List<Column> ys;

  Lines(Table table, Table.Chart chart) {
    this.table = table;
    this.chart = chart;
    this.x = table.column(chart.columns().get(0));
    this.ys = chart.columns().stream().skip(1).map(table::column).toList();
  }

  Picture picture() {
    String description =
        ys.stream()
            .map(this::description)
            .collect(Collectors.joining(", ", chart.title() + ": ", ""));
    if (ys.size() == 1) {
      return new Picture("", description, plot(ys.get(0)), HEIGHT_PIXELS);
    }
    CombinedDomainXYPlot all = new CombinedDomainXYPlot(axis(x));
    for (Column y : ys) {
      XYPlot plot = plot(y);
      // Upright labels have no room on low panels.
      plot.getRangeAxis().setLabelAngle(Math.PI / 2);
      all.add(plot);
    }
    all.setFixedLegendItems(plot(ys.get(0)).getLegendItems());
    return new Picture("", description, all, ys.size() * HEIGHT_PIXELS_OF_MANY);
  }

  private XYPlot plot(Column y) {
    XYSeriesCollection points = new XYSeriesCollection();
    lines(y).values().forEach(points::addSeries);
    XYPlot plot = new XYPlot(points, axis(x), axis(y), renderer(points.getSeriesCount()));
    plot.setBackgroundPaint(Color.WHITE);
    plot.setDomainGridlinePaint(Picture.GRID);
    plot.setRangeGridlinePaint(Picture.GRID);
    return plot;
  }

  private Map<String, XYSeries> lines(Column y) {
    Map<String, XYSeries> lines = new LinkedHashMap<>();
    for (Table.Row row : table.rows()) {
      lines
          .computeIfAbsent(table.name(row), name -> new XYSeries(name, false))
          .add(value(row, x), value(row, y));
    }
    return lines;
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
    renderer.setDrawSeriesLineAsPath(true);
    for (int line = 0; line < lines; line++) {
      renderer.setSeriesPaint(line, COLOURS.get(line % COLOURS.size()));
      renderer.setSeriesStroke(line, new BasicStroke(line == 0 ? 2.5f : 1.5f));
    }
    return renderer;
  }

  private String description(Column y) {
    return lines(y).values().stream()
        .map(
            line ->
                String.format(
                    Locale.ROOT,
                    "%s%s from %s to %s",
                    ys.size() == 1 ? "" : y.title() + " of ",
                    line.getKey(),
                    y.unit().format(line.getMinY()),
                    y.unit().format(line.getMaxY())))
        .collect(Collectors.joining(", "));
  }
}
