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

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes HTML and SVG that is well-formed XML too. All text and all attribute values are escaped,
 * so that nothing that was measured or read from a file can become an element. Used by one thread.
 */
public final class Markup {

  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * Starts an element.
   *
   * @param attributes names and values in turns
   * @throws IllegalArgumentException if a name has no value
   */
  public Markup open(String element, String... attributes) {
    tag(element, attributes);
    out.append('>');
    open.push(element);
    return this;
  }

  /** Ends the element that was started last; throws NoSuchElementException if there is none. */
  public Markup close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** Adds an element without contents. */
  public Markup empty(String element, String... attributes) {
    tag(element, attributes);
    out.append("/>");
    return this;
  }

  /** Adds an element that holds a text. */
  public Markup element(String element, String text, String... attributes) {
    return open(element, attributes).text(text).close();
  }

  /** Adds a text. */
  public Markup text(String text) {
    escape(text);
    return this;
  }

  /** Adds a line feed, for those who read the source. */
  public Markup line() {
    out.append('\n');
    return this;
  }

  /**
   * Adds a style sheet of this project, as it is.
   *
   * @throws IllegalArgumentException if it holds a character that would have to be escaped
   */
  public Markup style(String css) {
    if (css.contains("<") || css.contains("&")) {
      throw new IllegalArgumentException("a style sheet must not hold '<' or '&'");
    }
    open("style");
    out.append(css);
    return close();
  }

  /** Adds a picture as it is, which was made of figures by a library that escapes texts. */
  Markup svg(String svg) {
    out.append(svg);
    return this;
  }

  /**
   * What was written.
   *
   * @throws IllegalStateException if an element was not ended
   */
  public String finish() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return out.toString();
  }

  private void tag(String element, String... attributes) {
    if (attributes.length % 2 != 0) {
      throw new IllegalArgumentException("element=" + element + ": an attribute has no value");
    }
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(attributes[i + 1]);
      out.append('"');
    }
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(isWritable(c) ? c : '\uFFFD');
      }
    }
  }

  /** XML has no control characters, not even escaped ones. */
  private static boolean isWritable(char c) {
    return (c >= ' ' && c < '\uFFFE') || c == '\n' || c == '\t';
  }
}
