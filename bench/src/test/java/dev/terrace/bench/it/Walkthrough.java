// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The steps of a document: its blocks of console output and XML, in their order, what they show,
 * and a shell to follow them in.
 */
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
  private static final String ANY = "...";

  private static final Pattern FIGURE =
      Pattern.compile(
          "(?<!is \\d{0,9})(\\d[\\d.,:]*\\d( [KMGT]?B| %)?|[1-9] ([KMGT]?B|%))|(no|\\d+) warnings?");

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

  /**
   * Compares what a document shows with what a command printed. Numbers of several digits, sizes
   * and shares are alike, but for what something "is", and so are numbers of warnings, which depend
   * on the machine. {@code ...} stands for any text in its line, and on a line of its own for any
   * lines.
   */
  static boolean isShown(String shown, String output) {
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

  /** A bash that runs one command after another, as a person has it. */
  static final class Shell implements AutoCloseable {

    private static final String END = "--- the command has ended ---";

    private final Process bash;
    private final BufferedWriter in;
    private final BufferedReader out;

    /** Starts it in a folder, with the Java of this process. */
    Shell(Path folder) throws IOException {
      ProcessBuilder builder = new ProcessBuilder("bash").directory(folder.toFile());
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      bash = builder.redirectErrorStream(true).start();
      in = bash.outputWriter();
      out = bash.inputReader();
    }

    /** Runs a command to its end, and returns all that it printed, as lines with their ends. */
    String run(String command) throws IOException {
      in.write("{ " + command + "\n} < /dev/null\necho '" + END + "'\n");
      in.flush();
      StringBuilder printed = new StringBuilder();
      while (true) {
        String line = out.readLine();
        if (line == null) {
          throw new EOFException("bash ended at " + command + ": " + printed);
        }
        if (line.equals(END)) {
          return printed.toString();
        }
        printed.append(line).append('\n');
      }
    }

    @Override
    public void close() {
      bash.destroyForcibly();
    }
  }
}
