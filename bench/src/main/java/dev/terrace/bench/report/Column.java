// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import dev.terrace.hbase.settings.ByteSize;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A column of a {@link Table}.
 *
 * @param key its name in JSON
 * @param title its heading
 * @param unit what it counts
 */
public record Column(String key, String title, Unit unit) {

  /** Replaces what a file leaves out with the defaults. */
  public Column {
    title = title == null ? key : title;
    unit = unit == null ? Unit.NUMBER : unit;
  }

  public static Column text(String title) {
    return new Column(title, title, Unit.TEXT);
  }

  public static List<Column> texts(String... titles) {
    return Stream.of(titles).map(Column::text).toList();
  }

  public static Column of(String key, String title, Unit unit) {
    return new Column(key, title, unit);
  }

  boolean isText() {
    return unit == Unit.TEXT;
  }

  /** The unit of a column, which determines the format of its figures. */
  public enum Unit {
    TEXT,
    COUNT,
    /** A number with three significant digits. */
    NUMBER,
    /** A number with k, M or G for thousands, millions, billions. */
    SCALED,
    /** A share from 0 to 1, shown in percent. */
    SHARE,
    /** A share that is counted, not sampled: the same run gives the same figure. */
    EXACT_SHARE,
    /** A ratio of two figures. */
    TIMES,
    /** Bytes, of which there may be less than one. */
    FEW_BYTES,
    BYTES,
    /** Nanoseconds. */
    NANOS,
    /** Milliseconds. */
    MILLIS,
    SECONDS;

    public String format(double figure) {
      return switch (this) {
        case TEXT -> throw new IllegalStateException("a column of texts has no figures");
        case COUNT -> text("%,.0f", figure);
        case NUMBER -> threeDigits(figure);
        case SCALED -> scaled(figure, List.of("", " k", " M", " G"));
        case SHARE -> text("%.1f %%", 100 * figure);
        case EXACT_SHARE -> text("%.2f %%", 100 * figure);
        case TIMES ->
            text(figure < 9.995 ? "%.2f ×" : figure < 99.95 ? "%.1f ×" : "%,.0f ×", figure);
        case FEW_BYTES -> text(figure < 99.95 ? "%.1f" : "%,.0f", figure);
        case BYTES -> ByteSize.readable(Math.round(figure));
        case NANOS ->
            figure < 999.5
                ? text("%.0f ns", figure)
                : scaled(figure, List.of("", " µs", " ms", " s"));
        case MILLIS ->
            figure >= 1000
                ? threeDigits(figure / 1000) + " s"
                : threeDigits(Math.rint(figure * 10) / 10) + " ms";
        case SECONDS -> threeDigits(figure) + " s";
      };
    }

    private static String text(String format, double figure) {
      return String.format(Locale.ROOT, format, figure);
    }

    /** Three significant digits, scaled by thousands, with the name of the scale. */
    private static String scaled(double figure, List<String> names) {
      int thousands = 0;
      double scaled = figure;
      while (Math.abs(scaled) >= 999.5 && thousands < names.size() - 1) {
        scaled /= 1000;
        thousands++;
      }
      return threeDigits(scaled) + names.get(thousands);
    }

    private static String threeDigits(double figure) {
      double absolute = Math.abs(figure);
      boolean isWhole = figure == Math.rint(figure) || absolute >= 99.95;
      return text(
          isWhole ? "%,.0f" : absolute >= 9.995 ? "%.1f" : absolute >= 0.0995 ? "%.2f" : "%.3g",
          figure);
    }
  }

  /** The kind of system that a row describes. */
  public enum Look {
    TERRACE,
    PEER,
    /** A bound that no cache can beat. */
    BOUND,
    PUBLISHED
  }
}
