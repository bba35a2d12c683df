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
package dev.terrace.tools;

import picocli.CommandLine;
import picocli.CommandLine.Help;

/** The command line of {@code java -jar} and of {@code bin/terrace}. */
public final class TerraceCommandLine {

  private TerraceCommandLine() {}

  /**
   * A command line that reports a wrong option in one line.
   *
   * @param command an object whose class is annotated as a picocli command
   */
  public static CommandLine of(Object command) {
    CommandLine line = new CommandLine(command);
    // From JDK 22 on picocli takes every output for a terminal.
    line.setColorScheme(
        Help.defaultColorScheme(
            Boolean.getBoolean("terrace.terminal") ? Help.Ansi.AUTO : Help.Ansi.OFF));
    line.setParameterExceptionHandler((exception, words) -> complain(exception));
    return line;
  }

  /** Picocli's own handler prints the whole help after the error. */
  private static int complain(CommandLine.ParameterException exception) {
    CommandLine command = exception.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + exception.getMessage() + " (help: " + name + " --help)");
    return CommandLine.ExitCode.USAGE;
  }
}
