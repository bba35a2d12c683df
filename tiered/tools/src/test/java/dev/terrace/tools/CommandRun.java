// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs a command in this process, and keeps its output. */
final class CommandRun {

  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  /** Runs a command on a path, and returns its exit value. */
  int run(String command, Object path, Object... options) {
    out = new StringWriter();
    err = new StringWriter();
    CommandLine line = CacheTools.commandLine(new CacheTools());
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    List<String> arguments = new ArrayList<>(List.of(command, path.toString()));
    for (Object option : options) {
      arguments.add(option.toString());
    }
    return line.execute(arguments.toArray(String[]::new));
  }

  /** The standard output of the last run. */
  String out() {
    return out.toString();
  }

  /** The standard error of the last run. */
  String err() {
    return err.toString();
  }
}
