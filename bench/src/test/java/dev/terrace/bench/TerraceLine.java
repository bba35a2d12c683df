// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs {@code terrace} with arguments, in this process, and keeps what it says. */
public final class TerraceLine {

  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  /** Runs a command on something, and returns its exit value. */
  public int run(String command, Object first, Object... more) {
    out = new StringWriter();
    err = new StringWriter();
    CommandLine line = Terrace.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    List<String> arguments = new ArrayList<>(List.of(command, first.toString()));
    for (Object each : more) {
      arguments.add(each.toString());
    }
    return line.execute(arguments.toArray(String[]::new));
  }

  /** What the last run wrote to standard output. */
  public String out() {
    return out.toString();
  }

  /** What the last run wrote to standard error. */
  public String err() {
    return err.toString();
  }
}
