// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that prints after its name why it cannot do its work. */
abstract class ToolCommand implements Callable<Integer> {

  @Spec CommandSpec spec;

  /** Does the work, and returns the exit value. The message of an exception is for people. */
  abstract int run(PrintWriter out) throws IOException, InterruptedException;

  @Override
  public final Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try {
      int value = run(out);
      out.flush();
      return value;
    } catch (IOException e) {
      return complain(e.getMessage());
    }
  }

  /** Prints why the work cannot be done. Returns the exit value, as of a wrong option. */
  final int complain(String reason) {
    return complain(spec, reason);
  }

  static int complain(CommandSpec command, String reason) {
    command.commandLine().getErr().println(command.qualifiedName() + ": " + reason);
    return ExitCode.USAGE;
  }
}
