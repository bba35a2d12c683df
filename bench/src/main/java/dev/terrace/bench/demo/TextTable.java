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
package dev.terrace.bench.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table in plain text: the first column starts at the left, the others end at the right. */
final class TextTable {

  private static final String GAP = "   ";

  private final List<String[]> rows = new ArrayList<>();

  TextTable(String... headings) {
    rows.add(headings.clone());
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has not as many cells as there are headings
   */
  TextTable row(String... cells) {
    int columns = rows.get(0).length;
    if (cells.length != columns) {
      throw new IllegalArgumentException(cells.length + " cells for " + columns + " columns");
    }
    rows.add(cells.clone());
    return this;
  }

  /** Returns the lines, the headings underlined. */
  @Override
  public String toString() {
    int[] widths = new int[rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      lines.add(line(row, widths));
    }
    lines.add(1, "-".repeat(Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1)));
    return String.join("\n", lines);
  }

  private static String line(String[] cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      String padding = " ".repeat(widths[i] - cells[i].length());
      line.append(i == 0 ? "" : GAP).append(i == 0 ? cells[i] + padding : padding + cells[i]);
    }
    return line.toString().stripTrailing();
  }
}
