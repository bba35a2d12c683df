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
import java.awt.Paint;
import java.awt.Stroke;
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
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.CategoryItemRenderer;
import org.jfree.chart.renderer.category.IntervalBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultIntervalCategoryDataset;

/**
 * Bars beside one another, with a thin line from the least to the greatest measurement: a picture
 * for each column and each of the table's conditions, all with the same axis.
 */
final class Bars {

  private static final int BAR_PIXELS = 44;
  private static final int AXIS_PIXELS = 60;
  private static final double WHISKER_PIXELS = 3;
  private final Table table;
  private final Table.Chart chart;

  Bars(Table table, Table.Chart chart) {
    this.table = table;
    this.chart = chart;
  }

  /** A bar; those of the same text are told apart by their number. */
  private record Bar(int number, String text, Look look, Summary figure, Column column)
      implements Comparable<Bar> {

    boolean isRange() {
      return look == Look.PUBLISHED && figure.count() > 1;
    }

    /** Where the thin line ends; what is a range has none. */
    double whisker(double end) {
      return isRange() ? figure.median() : end;
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
    Map<String, List<Bar>> groups = groups();
    List<Picture> pictures = new ArrayList<>();
    groups.forEach(
        (heading, bars) ->
            pictures.add(
                new Picture(
                    heading,
                    description(heading, bars),
                    plot(bars, axis(bars.get(0).column(), groups)),
                    bars.size() * BAR_PIXELS + AXIS_PIXELS)));
    return pictures;
  }

  private Map<String, List<Bar>> groups() {
    Map<String, List<Bar>> groups = new LinkedHashMap<>();
    for (Table.Row row : table.rows()) {
      for (String key : chart.columns()) {
        Column column = table.column(key);
        if (Table.figure(row, column).isPresent()) {
          String heading = heading(row, column);
          List<Bar> bars = groups.computeIfAbsent(heading, absent -> new ArrayList<>());
          bars.add(bar(bars.size(), row, column));
        }
      }
    }
    return groups;
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
    boolean isRange = row.look() == Look.PUBLISHED || figure.count() <= 1;
    String text = table.name(row) + "\n" + value + (isRange ? "" : " ± " + figure.spreadText());
    return new Bar(number, text, row.look(), figure, column);
  }

  private String description(String heading, List<Bar> bars) {
    return chart.title()
        + (heading.isEmpty() ? "" : ", " + heading)
        + ": "
        + bars.stream().map(bar -> bar.text().replace("\n", " ")).collect(Collectors.joining(", "));
  }

  private static ValueAxis axis(Column column, Map<String, List<Bar>> groups) {
    List<Summary> figures =
        groups.values().stream().flatMap(List::stream).map(Bar::figure).toList();
    return Picture.axis(column, figures.stream().mapToDouble(Summary::max).max().orElse(1));
  }

  private static CategoryPlot plot(List<Bar> bars, ValueAxis axis) {
    CategoryAxis names = new CategoryAxis();
    names.setTickLabelFont(Picture.FONT);
    names.setTickLabelPaint(Picture.INK);
    names.setMaximumCategoryLabelLines(3);
    names.setMaximumCategoryLabelWidthRatio(0.45f);
    names.setAxisLineVisible(false);
    names.setTickMarksVisible(false);
    CategoryPlot plot = new CategoryPlot(null, names, axis, null);
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlineVisible(false);
    plot.setRangeGridlinePaint(Picture.GRID);
    plot.setRangeGridlineStroke(new BasicStroke(1));
    plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
    addBars(plot, bars);
    addWhiskers(plot, bars);
    plot.setFixedLegendItems(new LegendItemCollection());
    return plot;
  }

  private static void addBars(CategoryPlot plot, List<Bar> bars) {
    double[] from =
        bars.stream().mapToDouble(bar -> bar.isRange() ? bar.figure().min() : 0).toArray();
    double[] to =
        bars.stream()
            .mapToDouble(bar -> bar.isRange() ? bar.figure().max() : bar.figure().median())
            .toArray();
    IntervalBarRenderer renderer =
        new IntervalBarRenderer() {
          private static final long serialVersionUID = 1;

          @Override
          public Paint getItemPaint(int row, int column) {
            return Picture.fill(bars.get(column).look());
          }

          @Override
          public Paint getItemOutlinePaint(int row, int column) {
            return Picture.outline(bars.get(column).look());
          }

          @Override
          public Stroke getItemOutlineStroke(int row, int column) {
            return Picture.outlineStroke(bars.get(column).look());
          }
        };
    plain(renderer);
    renderer.setDrawBarOutline(true);
    renderer.setMaximumBarWidth(0.5 / bars.size());
    add(plot, intervals(bars, from, to), renderer);
  }

  private static void addWhiskers(CategoryPlot plot, List<Bar> bars) {
    double[] from = bars.stream().mapToDouble(bar -> bar.whisker(bar.figure().min())).toArray();
    double[] to = bars.stream().mapToDouble(bar -> bar.whisker(bar.figure().max())).toArray();
    IntervalBarRenderer renderer = new IntervalBarRenderer();
    plain(renderer);
    renderer.setDrawBarOutline(false);
    renderer.setSeriesPaint(0, Picture.INK);
    renderer.setMaximumBarWidth(WHISKER_PIXELS / (bars.size() * BAR_PIXELS));
    if (bars.stream().anyMatch(bar -> bar.figure().min() < bar.figure().max())) {
      add(plot, intervals(bars, from, to), renderer);
    }
  }

  private static DefaultIntervalCategoryDataset intervals(
      List<Bar> bars, double[] from, double[] to) {
    DefaultIntervalCategoryDataset intervals =
        new DefaultIntervalCategoryDataset(new double[][] {from}, new double[][] {to});
    intervals.setCategoryKeys(bars.toArray(Bar[]::new));
    return intervals;
  }

  private static void plain(BarRenderer renderer) {
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
  }

  private static void add(
      CategoryPlot plot, CategoryDataset figures, CategoryItemRenderer renderer) {
    int index = plot.getDataset(0) == null ? 0 : plot.getDatasetCount();
    plot.setDataset(index, figures);
    plot.setRenderer(index, renderer);
  }
}
