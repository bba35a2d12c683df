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

/** What the benchmarks have in common: a head, tables and promises at the end, and JSON. */
public final class ResultOptions {

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Where the results go (default: a file in bench/target/reports).")
  private Path json;

  /** Prints the machine, and a warning if others keep it busy. */
  public static void printHead(Machine machine, PrintWriter out) {
    out.printf("%s%n", machine.oneLine());
    machine.busyWarning().ifPresent(warning -> out.printf("%s%n", warning));
    out.flush();
  }

  /**
   * Prints a result and writes it.
   *
   * @return whether there are promises and all of them are met
   */
  public boolean finish(Result result, PrintWriter out) throws IOException {
    return finish(result, file(result.name() + ".json"), out);
  }

  /** Prints a result and writes it into a file. */
  public boolean finish(Result result, Path file, PrintWriter out) throws IOException {
    out.println();
    ResultText.print(result, out);
    write(result, file, out);
    return Target.areMet(result.targets());
  }

  /** Writes a result as JSON. */
  public void write(Result result, PrintWriter out) throws IOException {
    write(result, file(result.name() + ".json"), out);
  }

  private static void write(Result result, Path file, PrintWriter out) throws IOException {
    result.write(file);
    out.printf("Written: %s%n", file);
    out.flush();
  }

  /**
   * Where results go.
   *
   * @param usualName of the file in the folder of reports, where no other is told
   */
  public Path file(String usualName) throws IOException {
    return json != null
        ? json
        : HBaseInstall.home().resolve("bench/target/reports").resolve(usualName);
  }
}
