// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import java.util.regex.Pattern;

/**
 * Compares what a document shows with what a command printed. Numbers of several digits, sizes and
 * shares are alike, but for what something "is", and so are numbers of warnings, which depend on
 * the machine. {@code ...} stands for any text in its line, and on a line of its own for any lines.
 */
final class ShownOutput {

  private static final String ANY = "...";

  private static final Pattern FIGURE =
      Pattern.compile(
          "(?<!is \\d{0,9})(\\d[\\d.,:]*\\d( [KMGT]?B| %)?|[1-9] ([KMGT]?B|%))|(no|\\d+) warnings?");

  private ShownOutput() {}

  /** Whether the output is the one that is shown. */
  static boolean matches(String shown, String output) {
    StringBuilder pattern = new StringBuilder();
    for (String line : masked(shown).lines().toList()) {
      if (line.equals(ANY)) {
        pattern.append("(.*\n)*?");
      } else {
        pattern.append(Pattern.quote(line).replace(ANY, "\\E.*\\Q")).append('\n');
      }
    }
    return Pattern.matches(pattern.toString(), masked(output));
  }

  private static String masked(String text) {
    return FIGURE
        .matcher(text)
        .replaceAll("#")
        .replaceAll("hostname=\"[^\"]*\"", "hostname=\"\"")
        .replaceAll("-{2,}", "--")
        .replaceAll("[ \t]+", " ")
        .replaceAll("(?m) $", "");
  }
}
