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

import java.util.List;
import java.util.Locale;

/** Writes headings, paragraphs and tables as HTML, with all text escaped. Used by one thread. */
final class Html {

  private static final int FIGURE_HEIGHT = 100;

  private final StringBuilder out = new StringBuilder();

  /** A text that is safe between tags, and in an attribute with quotation marks. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Begins a section, which ends where the next one begins. */
  Html section(String title) {
    out.append("<h2>").append(escape(title)).append("</h2>\n");
    return this;
  }

  Html paragraph(String text) {
    out.append("<p>").append(escape(text)).append("</p>\n");
    return this;
  }

  /** A text whose line breaks and columns stay as they are. */
  Html preformatted(String text) {
    out.append("<pre>").append(escape(text)).append("</pre>\n");
    return this;
  }

  /**
   * A form with one line to type, which asks this very page.
   *
   * @param name of the parameter
   */
  Html question(String label, String name, String value) {
    out.append("<form method=\"get\"><label>").append(escape(label)).append(" <input name=\"");
    out.append(escape(name)).append("\" size=\"40\" value=\"").append(escape(value));
    out.append("\"></label> <button>Ask</button></form>\n");
    return this;
  }

  /**
   * A line over time with a caption.
   *
   * @param values from 0 at the bottom to 1 at the top, the oldest first; NaN where there is none
   * @param width how many values fit; fewer stand to the right
   */
  Html figure(String caption, List<Double> values, int width) {
    out.append("<figure><figcaption>").append(escape(caption)).append("</figcaption>\n");
    svg(caption, values, width);
    out.append("</figure>\n");
    return this;
  }

  private void svg(String description, List<Double> values, int width) {
    out.append("<svg role=\"img\" preserveAspectRatio=\"none\" viewBox=\"0 0 ")
        .append(width)
        .append(' ')
        .append(FIGURE_HEIGHT)
        .append("\" aria-label=\"")
        .append(escape(description))
        .append("\"><path class=\"half\" d=\"M0 50H")
        .append(width)
        .append("\"/><path class=\"line\" d=\"");
    boolean drawing = false;
    for (int i = 0; i < values.size(); i++) {
      double value = values.get(i);
      if (Double.isNaN(value)) {
        drawing = false;
        continue;
      }
      double y = FIGURE_HEIGHT * (1 - Math.min(Math.max(value, 0), 1));
      int x = width - values.size() + i;
      out.append(String.format(Locale.ROOT, "%c%d %.1f", drawing ? 'L' : 'M', x, y));
      drawing = true;
    }
    out.append("\"/></svg>");
  }

  /**
   * Adds a table: figures stand to the right, but for those of the first column.
   *
   * @param rows as many cells each as there are titles; without rows it says that there is nothing
   */
  Html table(List<String> titles, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return paragraph("Nothing so far.");
    }
    out.append("<div class=\"table-responsive\"><table class=\"table table-striped\">\n<tr>");
    titles.forEach(title -> cell("th", title));
    out.append("</tr>\n");
    for (List<String> row : rows) {
      out.append("<tr>");
      row.forEach(text -> cell("td", text));
      out.append("</tr>\n");
    }
    out.append("</table></div>\n");
    return this;
  }

  private void cell(String tag, String text) {
    out.append('<').append(tag).append('>').append(escape(text));
    out.append("</").append(tag).append('>');
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
