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
package dev.terrace.tools.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables that hbase-env.sh sets. The script is read and not run: each line with an
 * assignment counts, the later one wins, and what a command would print stays as it is written.
 */
final class EnvScript {

  private static final Pattern ASSIGNMENT =
      Pattern.compile("[\\s;]*(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)=");
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:([A-Za-z_]\\w*)|\\{([A-Za-z_]\\w*)(?::?-([^}]*))?\\})");

  private final Map<String, String> values = new HashMap<>();

  private EnvScript() {}

  /** Reads a script; an absent one sets nothing. */
  static EnvScript read(Path file) throws UnreadableConfException {
    try {
      return Files.exists(file)
          ? of(Files.readString(file, StandardCharsets.UTF_8))
          : new EnvScript();
    } catch (IOException e) {
      throw new UnreadableConfException(file + " cannot be read: " + e, e);
    }
  }

  static EnvScript of(String script) {
    EnvScript read = new EnvScript();
    String whole = script.replace("\\\n", " ");
    whole.lines().forEach(read::readLine);
    return read;
  }

  /** A line may have several assignments. */
  private void readLine(String line) {
    String rest = line;
    for (Matcher matcher = ASSIGNMENT.matcher(rest);
        matcher.lookingAt();
        matcher = ASSIGNMENT.matcher(rest)) {
      StringBuilder word = new StringBuilder();
      int end = readWord(rest, matcher.end(), word);
      values.put(matcher.group(1), word.toString());
      rest = rest.substring(end);
    }
  }

  /**
   * Adds a word without its quotes and with its variables replaced.
   *
   * @return where it ends
   */
  private int readWord(String text, int from, StringBuilder word) {
    int at = from;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c) || c == ';') {
        break;
      }
      boolean quoted = c == '"' || c == '\'';
      int end = quoted ? endOfQuote(text, at) : endOfPlain(text, at);
      String part = text.substring(quoted ? at + 1 : at, end);
      word.append(c == '\'' ? part : replaced(part));
      at = Math.min(text.length(), quoted ? end + 1 : end);
    }
    return at;
  }

  private static int endOfQuote(String text, int from) {
    int end = text.indexOf(text.charAt(from), from + 1);
    return end < 0 ? text.length() : end;
  }

  private static int endOfPlain(String text, int from) {
    int end = from;
    int depth = 0;
    while (end < text.length()) {
      char c = text.charAt(end);
      // A command, $(...), may have blanks in it.
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth <= 0 && (Character.isWhitespace(c) || "\"';".indexOf(c) >= 0)) {
        break;
      }
      end++;
    }
    return end;
  }

  private String replaced(String text) {
    return VARIABLE
        .matcher(text)
        .replaceAll(
            match -> {
              String name = match.group(1) == null ? match.group(2) : match.group(1);
              String otherwise = match.group(3) == null ? "" : match.group(3);
              return Matcher.quoteReplacement(values.getOrDefault(name, otherwise));
            });
  }

  /** The value of a variable, unless it is empty. */
  Optional<String> get(String name) {
    return Optional.ofNullable(values.get(name)).map(String::strip).filter(v -> !v.isEmpty());
  }
}
