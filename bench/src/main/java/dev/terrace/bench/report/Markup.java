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
import org.apache.hbase.thirdparty.com.google.common.escape.Escaper;
import org.apache.hbase.thirdparty.com.google.common.xml.XmlEscapers;

/**
 * Writes HTML that is well-formed XML too. All texts and attribute values are escaped, so that
 * nothing that was measured or read from a file can become an element. Used by one thread.
 */
final class Markup {
  private static final Escaper ESCAPER = XmlEscapers.xmlAttributeEscaper();

  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * Starts an element.
   *
   * @param attributes names and values in turns
   */
  Markup open(String element, String... attributes) {
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      text(attributes[i + 1]).out.append('"');
    }
    out.append('>');
    open.push(element);
    return this;
  }

  /** Ends the element that was started last; throws NoSuchElementException if there is none. */
  Markup close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** Adds an element that holds a text. */
  Markup element(String element, String text, String... attributes) {
    return open(element, attributes).text(text).close();
  }

  /** Adds a text. */
  Markup text(String text) {
    out.append(ESCAPER.escape(text));
    return this;
  }

  /** Adds a line feed, for those who read the source. */
  Markup line() {
    out.append('\n');
    return this;
  }

  /** Adds markup as it is: a style sheet or a picture that was made here. */
  Markup raw(String markup) {
    out.append(markup);
    return this;
  }

  /** The markup that was written. */
  @Override
  public String toString() {
    return out.toString();
  }
}
