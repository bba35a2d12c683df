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

import java.util.ArrayList;
import java.util.List;

/**
 * A table that reads well on a terminal and is Markdown too: the first columns are text, aligned
 * left, the others figures, aligned right.
 */
public final class TextTable {

  private final int textColumns;
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * An empty table.
   *
   * @param textColumns how many columns are text
   * @param header the names of all columns
   */
  public TextTable(int textColumns, String... header) {
    this.textColumns = textColumns;
    this.header = List.of(header);
  }

  /** Adds a row; throws IllegalArgumentException unless it has a cell for each column. */
  public void add(String... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException(
          "cells=" + cells.length + ", must be " + header.size() + ": " + List.of(cells));
    }
    rows.add(List.of(cells));
  }

  /** The table, each line with a line feed. */
  @Override
  public String toString() {
    int[] widths = new int[header.size()];
    widen(widths, header);
    rows.forEach(row -> widen(widths, row));
    StringBuilder text = new StringBuilder();
    append(text, widths, header);
    appendRule(text, widths);
    rows.forEach(row -> append(text, widths, row));
    return text.toString();
  }

  private static void widen(int[] widths, List<String> cells) {
    for (int column = 0; column < widths.length; column++) {
      widths[column] = Math.max(widths[column], Math.max(3, cells.get(column).length()));
    }
  }

  private void append(StringBuilder text, int[] widths, List<String> cells) {
    text.append('|');
    for (int column = 0; column < widths.length; column++) {
      String cell = cells.get(column);
      String padding = " ".repeat(widths[column] - cell.length());
      text.append(' ').append(column < textColumns ? cell + padding : padding + cell).append(" |");
    }
    text.append('\n');
  }

  private void appendRule(StringBuilder text, int[] widths) {
    text.append('|');
    for (int column = 0; column < widths.length; column++) {
      String dashes = "-".repeat(widths[column]);
      text.append(column < textColumns ? " " + dashes + " |" : " " + dashes + ":|");
    }
    text.append('\n');
  }
}
