// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** Why a command cannot do its work. */
final class Complaint {

  private Complaint() {}

  /** Prints a reason after the command's name. Returns the exit value, as of a wrong option. */
  static int print(CommandSpec command, String reason) {
    command.commandLine().getErr().println(command.qualifiedName() + ": " + reason);
    return ExitCode.USAGE;
  }
}
