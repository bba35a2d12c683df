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
package dev.terrace.bench.report.page;

import dev.terrace.bench.report.Markup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A table: the first columns are text, the others figures. */
public final class Table implements Part {

  private final String caption;
  private final int textColumns;
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * An empty table.
   *
   * @param textColumns how many columns are text
   * @param header the names of all columns
   */
  public Table(String caption, int textColumns, List<String> header) {
    this.caption = caption;
    this.textColumns = textColumns;
    this.header = List.copyOf(header);
  }

  /** Adds a row; throws IllegalArgumentException unless it has a cell for each column. */
  public Table row(List<String> cells) {
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException(
          "cells=" + cells.size() + ", must be " + header.size() + ": " + cells);
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  /** The same without the columns of figures that have none; these are told by a hyphen. */
  public Table withoutEmptyColumns() {
    List<Integer> kept = new ArrayList<>();
    for (int column = 0; column < header.size(); column++) {
      int index = column;
      if (column < textColumns || rows.stream().anyMatch(row -> !row.get(index).equals("-"))) {
        kept.add(column);
      }
    }
    Table table = new Table(caption, textColumns, kept.stream().map(header::get).toList());
    rows.forEach(row -> table.row(kept.stream().map(row::get).toList()));
    return table;
  }

  /** The names of the columns. */
  public List<String> header() {
    return header;
  }

  /** The rows so far. */
  public List<List<String>> rows() {
    return Collections.unmodifiableList(rows);
  }

  @Override
  public void html(Markup markup, String id) {
    // A table that is wider than the page is scrolled, also by keys, and the page is not.
    String captionId = id + "-caption";
    markup.element("p", caption, "class", "caption", "id", captionId);
    markup.open(
        "div", "class", "scroll", "tabindex", "0", "role", "region", "aria-labelledby", captionId);
    markup.open("table", "aria-labelledby", captionId);
    markup.open("thead").open("tr");
    for (int column = 0; column < header.size(); column++) {
      markup.element("th", header.get(column), "scope", "col", "class", cssClass(column));
    }
    markup.close().close().line().open("tbody");
    for (List<String> row : rows) {
      markup.open("tr");
      markup.element("th", row.get(0), "scope", "row", "class", cssClass(0));
      for (int column = 1; column < row.size(); column++) {
        markup.element("td", row.get(column), "class", cssClass(column));
      }
      markup.close().line();
    }
    markup.close().close().close().line();
  }

  private String cssClass(int column) {
    return column < textColumns ? "text" : "number";
  }

  @Override
  public void markdown(MarkdownText text) {
    text.paragraph(caption + ":").table(textColumns, header, rows);
  }
}
