// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;

/** A bash that runs one command after another, as a person has it. */
final class Shell implements AutoCloseable {

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
