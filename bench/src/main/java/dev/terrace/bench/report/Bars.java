// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import dev.terrace.bench.report.Column.Look;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Paint;
import java.awt.Stroke;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.chart.renderer.category.IntervalBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.text.TextBlock;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultIntervalCategoryDataset;

/**
 * Bars beside one another, with a thin line from the least to the greatest measurement: a picture
 * for each column and each of the table's conditions, all with the same axis.
 */
final class Bars {

  private static final int BAR_PIXELS = 44;
  private static final int AXIS_PIXELS = 60;
  private static final Stroke DASHED =
      new BasicStroke(
          1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {4, 3}, 0);

  private final Table table;
  private final Table.Chart chart;

  Bars(Table table, Table.Chart chart) {
    this.table = table;
    this.chart = chart;
  }

  /** A bar; those of the same text are told apart by their number. */
  private record Bar(int number, String text, Look look, Summary figure, Column column)
      implements Comparable<Bar> {

    /** A published range is a bar from its least to its greatest figure. */
    boolean isRange() {
      return look == Look.PUBLISHED && figure.count() > 1;
    }

    double start() {
      return isRange() ? figure.min() : 0;
    }

    double end() {
      return isRange() ? figure.max() : figure.median();
    }

    @Override
    public int compareTo(Bar other) {
      return Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  List<Picture> pictures() {
    Map<String, List<Bar>> groups = new LinkedHashMap<>();
    for (Table.Row row : table.rows()) {
      for (String key : chart.columns()) {
        Column column = table.column(key);
        if (Table.figure(row, column).isPresent()) {
          List<Bar> bars = groups.computeIfAbsent(heading(row, column), all -> new ArrayList<>());
          bars.add(bar(bars.size(), row, column));
        }
      }
    }
    double most =
        groups.values().stream()
            .flatMap(List::stream)
            .mapToDouble(bar -> bar.figure().max())
            .max()
            .orElse(1);
    List<Picture> pictures = new ArrayList<>();
    groups.forEach(
        (heading, bars) ->
            pictures.add(
                new Picture(
                    heading,
                    description(heading, bars),
                    plot(bars, Picture.axis(bars.get(0).column(), most)),
                    bars.size() * BAR_PIXELS + AXIS_PIXELS)));
    return pictures;
  }

  private String heading(Table.Row row, Column column) {
    String conditions = table.conditions(row);
    if (chart.columns().size() == 1) {
      return conditions;
    }
    return conditions.isEmpty() ? column.title() : conditions + ", " + column.title();
  }

  private Bar bar(int number, Table.Row row, Column column) {
    Summary figure = Table.figure(row, column).orElseThrow().figure();
    String value = new Table.Shown("", column, Column.Spread.NOTHING).text(row);
    boolean hasSpread = row.look() != Look.PUBLISHED && figure.count() > 1;
    String text = table.name(row) + "\n" + value + (hasSpread ? " ± " + figure.spreadText() : "");
    return new Bar(number, text, row.look(), figure, column);
  }

  private String description(String heading, List<Bar> bars) {
    return chart.title()
        + (heading.isEmpty() ? "" : ", " + heading)
        + ": "
        + bars.stream().map(bar -> bar.text().replace("\n", " ")).collect(Collectors.joining(", "));
  }

  private static CategoryPlot plot(List<Bar> bars, ValueAxis axis) {
    CategoryAxis names = new Names();
    names.setTickLabelFont(Picture.FONT);
    names.setTickLabelPaint(Picture.INK);
    names.setMaximumCategoryLabelLines(3);
    names.setMaximumCategoryLabelWidthRatio(0.45f);
    names.setAxisLineVisible(false);
    names.setTickMarksVisible(false);
    // A reader's font may be wider than the one that was measured.
    names.setCategoryLabelPositionOffset(10);
    double[] starts = bars.stream().mapToDouble(Bar::start).toArray();
    double[] ends = bars.stream().mapToDouble(Bar::end).toArray();
    DefaultIntervalCategoryDataset figures =
        new DefaultIntervalCategoryDataset(new double[][] {starts}, new double[][] {ends});
    figures.setCategoryKeys(bars.toArray(Bar[]::new));
    CategoryPlot plot = new CategoryPlot(figures, names, axis, new Renderer(bars));
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
    plot.setRangeGridlinePaint(Picture.GRID);
    plot.setRangeGridlineStroke(new BasicStroke(1));
    plot.setFixedLegendItems(new LegendItemCollection());
    return plot;
  }

  /** Has the lines of a name end at its bar. */
  private static final class Names extends CategoryAxis {

    private static final long serialVersionUID = 1;

    @Override
    @SuppressWarnings("rawtypes") // As in the class above.
    protected TextBlock createLabel(
        Comparable category, float width, RectangleEdge edge, Graphics2D canvas) {
      TextBlock label = super.createLabel(category, width, edge, canvas);
      label.setLineAlignment(HorizontalAlignment.RIGHT);
      return label;
    }
  }

  /** Draws each bar in its look, and on it the range of its measurements. */
  private static final class Renderer extends IntervalBarRenderer {

    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // Nothing writes charts as Java objects.
    private final List<Bar> bars;

    Renderer(List<Bar> bars) {
      this.bars = bars;
      setBarPainter(new StandardBarPainter());
      setShadowVisible(false);
      setDrawBarOutline(true);
      setMaximumBarWidth(0.5 / bars.size());
    }

    @Override
    public Paint getItemPaint(int row, int column) {
      return switch (bars.get(column).look()) {
        case TERRACE -> new Color(0x1f6fd0);
        case PEER -> new Color(0x8b949e);
        case BOUND -> Color.WHITE;
        case PUBLISHED -> new Color(0xe3b341);
      };
    }

    @Override
    public Paint getItemOutlinePaint(int row, int column) {
      return isBound(column) ? new Color(0x57606a) : getItemPaint(row, column);
    }

    @Override
    public Stroke getItemOutlineStroke(int row, int column) {
      return isBound(column) ? DASHED : new BasicStroke(1);
    }

    private boolean isBound(int column) {
      return bars.get(column).look() == Look.BOUND;
    }

    @Override
    public void drawItem(
        Graphics2D canvas,
        CategoryItemRendererState state,
        Rectangle2D area,
        CategoryPlot plot,
        CategoryAxis names,
        ValueAxis axis,
        CategoryDataset figures,
        int row,
        int column,
        int pass) {
      super.drawItem(canvas, state, area, plot, names, axis, figures, row, column, pass);
      Bar bar = bars.get(column);
      if (!bar.isRange() && bar.figure().min() < bar.figure().max()) {
        double y = names.getCategoryMiddle(column, bars.size(), area, plot.getDomainAxisEdge());
        double from = axis.valueToJava2D(bar.figure().min(), area, plot.getRangeAxisEdge());
        double to = axis.valueToJava2D(bar.figure().max(), area, plot.getRangeAxisEdge());
        canvas.setPaint(Picture.INK);
        canvas.setStroke(new BasicStroke(3));
        canvas.draw(new Line2D.Double(from, y, to, y));
      }
    }
  }
}
