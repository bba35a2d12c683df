// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The commands in documents, against picocli's model of them. */
class DocumentedCommandsTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** In backticks a command may go over several lines, elsewhere it ends with its line. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(`?)(?:bin/terrace|java -jar terrace-tools-VERSION\\.jar) (?=[a-z])"
              + "((?:(?<=`bin/terrace |`java -jar terrace-tools-VERSION\\.jar )[^`]+|[^`\\n]+))");

  private static final Pattern END = Pattern.compile("[#|;<>]");

  private static List<Path> documents() throws IOException {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all.filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !ROOT.relativize(file).toString().matches("(.*/)?(target|\\.[^/]+)/.*"))
          .toList();
    }
  }

  private static String wrong(MatchResult command) {
    CommandLine line = TerraceCli.commandLine();
    String[] words = END.split(command.group(2), 2)[0].strip().split("\\s+");
    boolean mayDescend = true;
    for (String word : words) {
      CommandLine next = mayDescend ? line.getSubcommands().get(word) : null;
      mayDescend = next != null;
      line = next == null ? line : next;
      String option = word.replaceFirst("^\\[", "").replaceFirst("[=\\]].*", "");
      if (option.startsWith("--") && line.getCommandSpec().findOption(option) == null) {
        return String.join(" ", words) + ": no option " + option;
      }
    }
    boolean isCommand = line.getSubcommands().isEmpty() || words.length == 1;
    return line.getParent() != null && isCommand ? "" : String.join(" ", words);
  }

  @Test
  void existWithTheirOptions() throws IOException {
    List<String> wrong = new ArrayList<>();
    int found = 0;
    for (Path document : documents()) {
      for (MatchResult command : COMMAND.matcher(Files.readString(document)).results().toList()) {
        found++;
        String problem = wrong(command);
        if (!problem.isEmpty()) {
          wrong.add(ROOT.relativize(document) + ": " + problem);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(found).isGreaterThan(30);
  }
}
