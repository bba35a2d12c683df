// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The steps of a document: its blocks of console output and XML, in their order. */
final class Walkthrough {

  /** What a person does next. */
  interface Step {}

  /**
   * A line behind a {@code $}.
   *
   * @param shown what the document shows below it; lines, each with its end
   */
  record Command(String line, String shown) implements Step {}

  /** Properties to add to hbase-site.xml. */
  record Properties(String xml) implements Step {}

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(console|xml)\n(.*?)^```$");
  private static final String PROMPT = "$ ";

  private Walkthrough() {}

  static List<Step> of(Path document) throws IOException {
    Matcher blocks = BLOCK.matcher(Files.readString(document));
    List<Step> steps = new ArrayList<>();
    while (blocks.find()) {
      if (blocks.group(1).equals("xml")) {
        steps.add(new Properties(blocks.group(2)));
      } else {
        steps.addAll(commands(blocks.group(2)));
      }
    }
    return steps;
  }

  private static List<Command> commands(String block) {
    List<Command> commands = new ArrayList<>();
    for (String line : block.lines().toList()) {
      if (line.startsWith(PROMPT)) {
        commands.add(new Command(line.substring(PROMPT.length()), ""));
      } else {
        Command last = commands.remove(commands.size() - 1);
        commands.add(new Command(last.line(), last.shown() + line + "\n"));
      }
    }
    return commands;
  }
}
