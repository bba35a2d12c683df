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

import dev.terrace.bench.report.TextTable;
import java.util.List;
import java.util.regex.Pattern;

/** Markdown: text that says what it says, whatever characters it is made of. */
final class MarkdownText {

  private static final Pattern SPECIAL = Pattern.compile("([\\\\`*_<>|#\\[\\]])");
  private static final Pattern BREAKS = Pattern.compile("\\s*[\\r\\n]+\\s*");

  private final StringBuilder out = new StringBuilder();

  MarkdownText heading(int level, String text) {
    out.append("#".repeat(level)).append(' ').append(escaped(text)).append("\n\n");
    return this;
  }

  MarkdownText paragraph(String text) {
    out.append(escaped(text)).append("\n\n");
    return this;
  }

  /** Adds what was typed, and nothing in it is special. */
  MarkdownText code(String text) {
    out.append("```\n").append(text.replace("```", "'''")).append("\n```\n\n");
    return this;
  }

  MarkdownText bullets(List<String> items) {
    items.forEach(item -> out.append("- ").append(escaped(item)).append('\n'));
    out.append('\n');
    return this;
  }

  MarkdownText table(int textColumns, List<String> header, List<List<String>> rows) {
    TextTable table = new TextTable(textColumns, escaped(header));
    rows.forEach(row -> table.add(escaped(row)));
    out.append(table).append('\n');
    return this;
  }

  private static String[] escaped(List<String> cells) {
    return cells.stream().map(MarkdownText::escaped).toArray(String[]::new);
  }

  /** A text on one line. */
  static String escaped(String text) {
    return SPECIAL.matcher(BREAKS.matcher(text).replaceAll(" ")).replaceAll("\\\\$1");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
