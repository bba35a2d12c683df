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
package dev.terrace.bench.report;

import dev.terrace.bench.server.HBaseInstall;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The destination of a benchmark's results. */
public final class ResultOptions {

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Where the results go (default: a file in bench/target/reports).")
  private Path json;

  /** Prints the machine, and a warning if others keep it busy. */
  public static void printHead(Machine machine, PrintWriter out) {
    out.println(machine.oneLine());
    machine.busyWarning().ifPresent(out::println);
    out.flush();
  }

  /** Writes a result as JSON. */
  public void write(Result result, PrintWriter out) throws IOException {
    Path file = file(result.name());
    result.write(file);
    out.printf("Written: %s%n", file);
    out.flush();
  }

  /** Sets the file, unless an option names one. */
  public void setDefault(Path file) {
    json = json == null ? file : json;
  }

  /** The file for the results of a command. */
  public Path file(String command) throws IOException {
    return json != null ? json : reports().resolve(command + ".json");
  }

  /** The folder for results. */
  public static Path reports() throws IOException {
    return HBaseInstall.home().resolve("bench/target/reports");
  }
}
