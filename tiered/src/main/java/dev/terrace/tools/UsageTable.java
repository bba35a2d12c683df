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
package dev.terrace.tools;

import dev.terrace.hbase.settings.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of blocks and bytes by name, as Markdown: names to the left, figures to the right. */
final class UsageTable {

  private record Row(String name, String blocks, String payload) {}

  private final List<Row> rows = new ArrayList<>();

  /** An empty table of types, or of files. */
  UsageTable(String nameOfNames) {
    rows.add(new Row(nameOfNames, "blocks", "payload"));
  }

  void add(String name, long blocks, long payloadBytes) {
    rows.add(
        new Row(name, String.format(Locale.ROOT, "%,d", blocks), ByteSize.readable(payloadBytes)));
  }

  /** The table, each line with a line feed. */
  @Override
  public String toString() {
    int names = width(rows.stream().map(Row::name).toList());
    int blocks = width(rows.stream().map(Row::blocks).toList());
    int payloads = width(rows.stream().map(Row::payload).toList());
    String format = "| %-" + names + "s | %" + blocks + "s | %" + payloads + "s |\n";
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      text.append(String.format(Locale.ROOT, format, row.name, row.blocks, row.payload));
      if (i == 0) {
        text.append("| " + "-".repeat(names) + " | ")
            .append("-".repeat(blocks) + ":| ")
            .append("-".repeat(payloads) + ":|\n");
      }
    }
    return text.toString();
  }

  private static int width(List<String> cells) {
    return cells.stream().mapToInt(String::length).max().orElse(1);
  }
}
