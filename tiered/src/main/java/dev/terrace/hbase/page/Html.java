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
package dev.terrace.hbase.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes HTML, with all text escaped. Used by one thread. */
final class Html {

  private static final String STYLE = resource("page.css");

  private final StringBuilder out = new StringBuilder();

  private static String resource(String name) {
    try (InputStream in = Html.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + name, e);
    }
  }

  /** A whole page of some contents. */
  static String page(String title, Html contents) {
    return new Html()
        .add(
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>%s</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link href="/static/favicon.ico" rel="icon">
            <style>""",
            title)
        .append(STYLE)
        .append("</style></head><body>\n")
        .append(contents.out)
        .append("</body></html>\n")
        .toString();
  }

  /** A text that is safe between tags, and in an attribute with quotation marks. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  private Html append(CharSequence html) {
    out.append(html);
    return this;
  }

  /**
   * Adds markup.
   *
   * @param markup with {@code %s} for each text
   * @param texts are escaped
   */
  Html add(String markup, Object... texts) {
    return append(
        String.format(
            Locale.ROOT, markup, Stream.of(texts).map(text -> escape(text.toString())).toArray()));
  }

  /**
   * Adds a table: figures stand to the right, but for those of the first column. On a narrow screen
   * each row is a list, for which the table carries its titles.
   *
   * @param rows as many cells each as there are titles; without rows it says that there is nothing
   */
  Html table(List<String> titles, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return add("<p>Nothing so far.</p>\n");
    }
    add("<table class=\"rows\" style=\"");
    for (int column = 1; column < titles.size(); column++) {
      add("--c%s:'%s';", column + 1, titles.get(column));
    }
    add("\">\n<thead>");
    row("th", titles);
    add("</thead><tbody>\n");
    rows.forEach(row -> row("td", row));
    return add("</tbody></table>\n");
  }

  private void row(String tag, List<String> cells) {
    out.append("<tr>");
    for (String cell : cells) {
      out.append('<').append(tag).append('>').append(escape(cell));
      out.append("</").append(tag).append('>');
    }
    out.append("</tr>\n");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
