// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table in plain text: names are left-aligned, the figures in the last columns right-aligned. */
public final class TextTable {

  private static final String GAP = "  ";

  private final int names;
  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table whose first columns have names. */
  public TextTable(int names, String... titles) {
    this.names = names;
    rows.add(List.of(titles));
  }

  public void add(String... cells) {
    rows.add(List.of(cells));
  }

  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** The lines, each with a line feed; an empty text without rows. */
  @Override
  public String toString() {
    if (rows.size() == 1) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String blanks = " ".repeat(width(column) - row.get(column).length());
        line.append(column == 0 ? "" : GAP)
            .append(column < names ? row.get(column) + blanks : blanks + row.get(column));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
