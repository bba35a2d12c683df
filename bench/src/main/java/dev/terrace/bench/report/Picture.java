// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import dev.terrace.bench.report.Column.Unit;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.ui.RectangleInsets;
import org.w3c.dom.Document;

/**
 * A chart of a table's figures as SVG.
 *
 * @param heading what sets it apart from the others of the same chart; may be empty
 * @param description the figures in words, for those who do not see it
 */
public record Picture(String heading, String description, Plot plot, int heightPixels) {

  static final int WIDTH_PIXELS = 720;
  static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
  private static final Font TITLE_FONT = new Font(Font.SANS_SERIF, Font.BOLD, 14);
  static final Color INK = new Color(0x1f2328);
  static final Color GRID = new Color(0xd0d7de);

  /** Of pixels; more are not seen, and make large files. */
  private static final int DECIMALS = 1;

  private static final Pattern NO_DEFINITIONS =
      Pattern.compile("<!----><defs id=\"genericDefs\"\\s*/>");

  static {
    // A chart needs fonts, and no screen.
    System.setProperty("java.awt.headless", "true");
  }

  private static final int TITLE_PIXELS = 30;

  /** A file that stands in a dark page is dark, too, where the reader's system prefers that. */
  private static final String DARK =
      "<style>@media (prefers-color-scheme: dark) {"
          + " svg { filter: invert(0.9) hue-rotate(180deg) } }</style>";

  /** The pictures that a chart consists of. */
  static List<Picture> of(Table table, Table.Chart chart) {
    return switch (chart.kind()) {
      case BARS -> new Bars(table, chart).pictures();
      case LINES -> List.of(new Lines(table, chart).picture());
    };
  }

  /**
   * Draws it for a page.
   *
   * @param idPrefix starts all identifiers in it, and so must be the page's only one
   */
  String svg(String idPrefix) {
    return svg(idPrefix, null, heightPixels);
  }

  /** Draws it with a title, to be shown alone. */
  String file(String title) {
    String svg = svg("", title, heightPixels + TITLE_PIXELS);
    int afterRoot = svg.indexOf('>') + 1;
    return svg.substring(0, afterRoot) + DARK + svg.substring(afterRoot) + "\n";
  }

  private String svg(String idPrefix, String title, int height) {
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(newDocument());
    context.setComment("");
    context.setPrecision(DECIMALS);
    context.setIDGenerator(
        new SVGIDGenerator() {
          @Override
          public String generateID(String name) {
            return idPrefix + super.generateID(name);
          }
        });
    SVGGraphics2D canvas = new SVGGraphics2D(context, false);
    canvas.setSVGCanvasSize(new Dimension(WIDTH_PIXELS, height));
    // The last figure of an axis reaches beyond its end.
    plot.setInsets(new RectangleInsets(4, 8, 4, 40));
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlineVisible(false);
    JFreeChart chart =
        new JFreeChart(title, TITLE_FONT, plot, plot.getLegendItems().getItemCount() > 0);
    chart.setBackgroundPaint(Color.WHITE);
    if (title != null) {
      chart.getTitle().setMargin(6, 0, 6, 0);
    }
    if (chart.getLegend() != null) {
      chart.getLegend().setItemFont(FONT);
      chart.getLegend().setFrame(BlockBorder.NONE);
    }
    chart.draw(canvas, new Rectangle2D.Double(0, 0, WIDTH_PIXELS, height));
    StringWriter svg = new StringWriter();
    try {
      canvas.stream(svg, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Without the head of a file and an empty element of the same name in each; as wide as there is
    // room.
    String text = NO_DEFINITIONS.matcher(svg.toString()).replaceFirst("");
    String size = "viewBox=\"0 0 " + WIDTH_PIXELS + " " + height + "\" ";
    return "<svg " + size + text.substring(text.indexOf("<svg") + "<svg ".length());
  }

  private static Document newDocument() {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument("http://www.w3.org/2000/svg", "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("this JDK makes no XML documents", e);
    }
  }

  /** An axis from 0 to a value. */
  static ValueAxis axis(Column column, double most) {
    NumberAxis axis = new NumberAxis(column.axis());
    axis.setNumberFormatOverride(new Format(column.unit()));
    axis.setRange(0, most > 0 ? most * 1.05 : 1);
    axis.setTickLabelFont(FONT);
    axis.setLabelFont(FONT);
    axis.setTickLabelPaint(INK);
    axis.setLabelPaint(INK);
    return axis;
  }

  /** Writes the figures of an axis. */
  private static final class Format extends NumberFormat {

    private static final long serialVersionUID = 1;
    private final Unit unit;

    Format(Unit unit) {
      this.unit = unit;
    }

    @Override
    public StringBuffer format(double number, StringBuffer to, FieldPosition position) {
      return to.append(unit.format(number));
    }

    @Override
    public StringBuffer format(long number, StringBuffer to, FieldPosition position) {
      return format((double) number, to, position);
    }

    @Override
    public Number parse(String source, ParsePosition position) {
      throw new UnsupportedOperationException("axes are not read");
    }
  }

  /** The charts of a table in a file of their own. */
  public static final class SvgFile {

    private static final String NONE = "no chart that is one picture";

    private SvgFile() {}

    /** Draws the chart of a table that has one picture. */
    public static void write(Table table, Path file) throws IOException {
      Files.writeString(file, drawn(table).orElseThrow(() -> new IOException(NONE)));
    }

    /** Draws the first chart that has one picture. */
    static void writeFirst(List<Result> results, Path file) throws IOException {
      Files.writeString(
          file,
          results.stream()
              .flatMap(result -> result.tables().stream())
              .flatMap(table -> drawn(table).stream())
              .findFirst()
              .orElseThrow(() -> new IOException(NONE)));
    }

    private static Optional<String> drawn(Table table) {
      return table.charts().stream()
          .map(chart -> Map.entry(chart.title(), Picture.of(table, chart)))
          .filter(chart -> chart.getValue().size() == 1)
          .findFirst()
          .map(chart -> chart.getValue().get(0).file(chart.getKey()));
    }
  }
}
