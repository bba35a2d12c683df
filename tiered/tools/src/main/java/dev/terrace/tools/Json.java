// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes objects, arrays, strings and numbers as JSON. The drop-in jar has no library for it. */
final class Json {

  private final StringBuilder text = new StringBuilder();

  private Json() {}

  /**
   * Writes an object, indented by two spaces a level.
   *
   * @param object its values are strings, numbers, lists, and maps with strings as keys
   */
  static String of(Map<String, ?> object) {
    Json json = new Json();
    json.value(object, "\n");
    return json.text.toString();
  }

  private void value(Object value, String lineStart) {
    if (value instanceof Map<?, ?> map) {
      Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
      all('{', '}', lineStart, entries, this::entry);
    } else if (value instanceof List<?> list) {
      all('[', ']', lineStart, list.iterator(), this::value);
    } else if (value instanceof Integer
        || value instanceof Long
        || (value instanceof Double number && Double.isFinite(number))) {
      text.append(value);
    } else if (value instanceof String string) {
      string(string);
    } else {
      throw new IllegalArgumentException("not a JSON value: " + value);
    }
  }

  private void entry(Map.Entry<?, ?> entry, String lineStart) {
    string((String) entry.getKey());
    text.append(": ");
    value(entry.getValue(), lineStart);
  }

  @FunctionalInterface
  private interface Element<T> {
    void write(T element, String lineStart);
  }

  private <T> void all(
      char open, char close, String lineStart, Iterator<? extends T> elements, Element<T> element) {
    text.append(open);
    boolean empty = !elements.hasNext();
    while (elements.hasNext()) {
      String inner = lineStart + "  ";
      text.append(inner);
      element.write(elements.next(), inner);
      text.append(elements.hasNext() ? "," : "");
    }
    text.append(empty ? "" : lineStart).append(close);
  }

  private void string(String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
