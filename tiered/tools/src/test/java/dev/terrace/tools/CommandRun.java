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
    CommandLine line = CacheTools.commandLine(CacheTools.command());
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
