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

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The command line that repeats a run, for its report. */
public final class CommandText {

  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./~-]+");

  private CommandText() {}

  /**
   * What was typed, as a shell takes it.
   *
   * @param running the command that runs, below {@code terrace}
   */
  public static String of(CommandLine running) {
    CommandLine root = running;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    List<String> words = new ArrayList<>();
    words.add("bin/terrace");
    if (!root.getCommandName().equals("terrace")) {
      words.add(root.getCommandName());
    }
    ParseResult parsed = root.getParseResult();
    words.addAll(parsed.originalArgs());
    return words.stream().map(CommandText::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
