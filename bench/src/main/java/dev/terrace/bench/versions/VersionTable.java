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
package dev.terrace.bench.versions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** The table of a document between two marks. A row that is there stays until it is run again. */
final class VersionTable {

  static final String BEGIN = "<!-- rows of bin/terrace versions -->";
  static final String END = "<!-- end of rows -->";

  private static final int KEY_CELLS = 3;

  private final Path document;

  VersionTable(Path document) {
    this.document = document;
  }

  /** Adds the row of a combination, or puts it in the place of its older one. */
  void put(Combination combination, List<String> results, String day) throws IOException {
    List<String> lines = Files.readAllLines(document);
    int begin = lines.indexOf(BEGIN);
    int end = lines.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException(document + " has no lines '" + BEGIN + "' and '" + END + "'");
    }
    // Below the mark: an empty line, the head of the table, and the line under it.
    int first = begin + 4;
    TreeMap<String, String> rows = new TreeMap<>(Comparator.naturalOrder());
    for (String row : lines.subList(first, end)) {
      if (row.startsWith("|")) {
        rows.put(key(row), row);
      }
    }
    String row = row(combination, results, day);
    rows.put(key(row), row);
    List<String> written = new ArrayList<>(lines.subList(0, first));
    written.addAll(rows.values());
    written.add("");
    written.addAll(lines.subList(end, lines.size()));
    Files.writeString(document, String.join("\n", written) + "\n");
  }

  private static String row(Combination combination, List<String> results, String day) {
    List<String> cells = new ArrayList<>();
    cells.add(combination.hbase());
    cells.add(combination.hadoop().isEmpty() ? "its own" : combination.hadoop());
    cells.add(Integer.toString(combination.java()));
    cells.addAll(results);
    cells.add(day);
    return "| " + String.join(" | ", cells) + " |";
  }

  /** Returns the cells that tell a row from others. */
  private static String key(String row) {
    return String.join("|", List.of(row.split("\\|", -1)).subList(1, 1 + KEY_CELLS));
  }
}
