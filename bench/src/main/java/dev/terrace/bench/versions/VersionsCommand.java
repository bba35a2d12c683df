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
package dev.terrace.bench.versions;

import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code terrace versions}: runs demo, drop-in tests and a short fire over each HBase on each Java,
 * and writes the table in {@code docs/versions.md}.
 *
 * <p>Ends with 1 when one of them failed; the others are run all the same.
 */
@Command(
    name = "versions",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Runs the demo, the drop-in tests and a short fire over each version of HBase on each Java,"
            + " and writes the table of docs/versions.md. Downloads those versions, and takes ten"
            + " minutes for each.")
public final class VersionsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--java",
      paramLabel = "DIRECTORY",
      description = "home of a JDK or JRE, several times for several (the one that runs this)")
  private List<Path> javas = List.of(Path.of(System.getProperty("java.home")));

  @Option(
      names = "--hbase",
      paramLabel = "VERSION",
      description = "only this version, several times for several (all)")
  private List<String> only = List.of();

  @Override
  public Integer call() throws IOException {
    Path home = HBaseInstall.home().toAbsolutePath();
    VersionTable table = new VersionTable(home.resolve("docs/versions.md"));
    List<Combination> all = combinations();
    List<String> failures = new ArrayList<>();
    for (Combination combination : all) {
      try {
        List<String> results =
            new Trial(home, home.resolve("bench/target/versions"), combination).run();
        table.put(combination, results, LocalDate.now(ZoneOffset.UTC).toString());
        tell(combination + ": " + String.join("; ", results));
      } catch (RunFailure e) {
        failures.add(e.getMessage());
        tell(e.getMessage());
      }
    }
    if (!failures.isEmpty()) {
      throw new RunFailure(
          failures.size() + " of " + all.size() + " failed: " + String.join("; ", failures));
    }
    return CommandLine.ExitCode.OK;
  }

  private List<Combination> combinations() throws IOException {
    List<Combination> all = new ArrayList<>();
    for (Path java : javas) {
      for (Combination combination : Combination.of(java)) {
        if (only.isEmpty() || only.contains(combination.hbase())) {
          all.add(combination);
        }
      }
    }
    if (all.isEmpty()) {
      throw new RunFailure("there is no version of --hbase " + String.join(", ", only));
    }
    return all;
  }

  private void tell(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
