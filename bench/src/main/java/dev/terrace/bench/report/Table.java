// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import dev.terrace.bench.report.Column.Look;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;

/**
 * Figures with all that is needed to show them: what each column counts, which system a row
 * describes, and which charts to draw. The last text column names what is compared, such as a
 * cache; those before it name the conditions.
 *
 * @param notes sentences that stand below it
 */
public record Table(
    String title, List<String> notes, List<Column> columns, List<Row> rows, List<Chart> charts) {

  /** Stands where nothing was measured. */
  static final String NONE = "-";

  /** A table that can grow; what a file leaves out is empty. */
  public Table {
    title = title == null ? "" : title;
    notes = new ArrayList<>(notes == null ? List.of() : notes);
    columns = columns == null ? List.of() : columns;
    rows = new ArrayList<>(rows == null ? List.of() : rows);
    charts = new ArrayList<>(charts == null ? List.of() : charts);
  }

  /**
   * The figures of one system.
   *
   * @param look the kind of system
   * @param cells a string, a number or a {@link Summary} as JSON, by column key; without those that
   *     were not measured
   */
  record Row(Look look, Map<String, JsonElement> cells) {}

  /**
   * A picture of some columns.
   *
   * @param columns the keys of the drawn columns; for lines, the time axis first and then those
   *     over it
   */
  record Chart(Kind kind, String title, List<String> columns) {}

  /** How figures are drawn. */
  enum Kind {
    BARS,
    /** A line for each name, and no table. */
    LINES
  }

  public Table(String title, Column... columns) {
    this(title, null, List.of(columns), null, null);
  }

  /** A table without rows, and with the columns of these lists. */
  @SafeVarargs
  public static Table of(String title, List<Column>... columns) {
    List<Column> all = new ArrayList<>();
    for (List<Column> some : columns) {
      all.addAll(some);
    }
    return new Table(title, null, all, null, null);
  }

  /** Adds a sentence below the table. */
  public Table note(String note) {
    notes.add(note);
    return this;
  }

  /**
   * Adds a row.
   *
   * @param parts values, and lists of them, one for each column: a string, a number or a {@link
   *     Summary}, possibly in an {@code Optional}; null, NaN or empty where nothing was measured
   * @throws IllegalArgumentException unless there is one for each column
   */
  public Table row(Look look, Object... parts) {
    List<Object> values = new ArrayList<>();
    for (Object part : parts) {
      values.addAll(part instanceof List<?> list ? list : Collections.singletonList(part));
    }
    if (values.size() != columns.size()) {
      throw new IllegalArgumentException(
          title + ": values=" + values.size() + ", must be " + columns.size());
    }
    Map<String, JsonElement> cells = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      String key = columns.get(i).key();
      cell(values.get(i)).ifPresent(cell -> cells.put(key, cell));
    }
    rows.add(new Row(look, cells));
    return this;
  }

  private static Optional<JsonElement> cell(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.flatMap(Table::cell);
    }
    if (value instanceof Number number) {
      return cell(Summary.of(number.doubleValue()));
    }
    if (!(value instanceof Summary figure)) {
      return Optional.ofNullable(value).map(text -> new JsonPrimitive(text.toString()));
    }
    if (Double.isNaN(figure.median())) {
      return Optional.empty();
    }
    boolean isOne = figure.count() == 1;
    return Optional.of(isOne ? new JsonPrimitive(figure.median()) : Result.GSON.toJsonTree(figure));
  }

  public Table bars(String chartTitle, String... keys) {
    charts.add(new Chart(Kind.BARS, chartTitle, List.of(keys)));
    return this;
  }

  /**
   * Draws lines instead of the table, for a table with too many points to read.
   *
   * @param ys columns that are drawn one below the other, each with its own axis
   */
  public Table lines(String chartTitle, String x, String... ys) {
    charts.add(
        new Chart(Kind.LINES, chartTitle, Stream.concat(Stream.of(x), Stream.of(ys)).toList()));
    return this;
  }

  /** Whether the table is shown, and not its charts alone. */
  boolean isShown() {
    return !rows.isEmpty() && charts.stream().noneMatch(chart -> chart.kind() == Kind.LINES);
  }

  Column column(String key) {
    return columns.stream().filter(each -> each.key().equals(key)).findFirst().orElseThrow();
  }

  String name(Row row) {
    List<String> texts = texts(row);
    return texts.isEmpty() ? "" : texts.get(texts.size() - 1);
  }

  String conditions(Row row) {
    List<String> texts = texts(row);
    return texts.stream()
        .limit(Math.max(0, texts.size() - 1))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private List<String> texts(Row row) {
    return columns.stream()
        .filter(Column::isText)
        .map(column -> cell(row, column).map(JsonElement::getAsString).orElse(""))
        .toList();
  }

  private static Optional<JsonElement> cell(Row row, Column column) {
    return Optional.ofNullable(row.cells().get(column.key())).filter(cell -> !cell.isJsonNull());
  }

  static Optional<Summary> figure(Row row, Column column) {
    return cell(row, column)
        .map(
            cell ->
                cell.isJsonPrimitive()
                    ? Summary.of(cell.getAsDouble())
                    : Result.GSON.fromJson(cell, Summary.class));
  }

  /** The columns shown: of the figures only those that have values, some with a spread. */
  List<Shown> shown() {
    List<Shown> shown = new ArrayList<>();
    for (Column column : columns) {
      List<Summary> figures =
          column.isText()
              ? List.of()
              : rows.stream().flatMap(row -> figure(row, column).stream()).toList();
      if (column.isText() || !figures.isEmpty()) {
        shown.add(new Shown(column.title(), column, false));
      }
      if (rows.stream().anyMatch(row -> row.look() != Look.PUBLISHED && count(row, column) > 1)) {
        shown.add(new Shown("±", column, true));
      }
    }
    return shown;
  }

  private static int count(Row row, Column column) {
    return column.isText() ? 0 : figure(row, column).map(Summary::count).orElse(0);
  }

  /** A column as shown: its medians, or the spread of its figures around them. */
  record Shown(String header, Column column, boolean isSpread) {

    boolean isText() {
      return column.isText();
    }

    String text(Row row) {
      if (cell(row, column).isEmpty()) {
        return NONE;
      }
      if (column.isText()) {
        return row.cells().get(column.key()).getAsString();
      }
      Summary figure = figure(row, column).orElseThrow();
      if (row.look() == Look.PUBLISHED && figure.count() > 1) {
        return isSpread ? NONE : range(figure);
      }
      return isSpread ? figure.spreadText() : column.unit().format(figure.median());
    }

    private String range(Summary figure) {
      return column.unit().format(figure.min()) + " to " + column.unit().format(figure.max());
    }
  }
}
