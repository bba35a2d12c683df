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
package dev.terrace.bench.guard;

import dev.terrace.bench.BenchCommand;
import dev.terrace.bench.hbase.HBaseInstall;
import dev.terrace.bench.report.CommandText;
import dev.terrace.bench.report.JsonReport;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Progress;
import dev.terrace.bench.report.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code terrace bench guard}: runs the other benchmarks shortly, and fails on a missed promise.
 */
@Command(
    name = "guard",
    mixinStandardHelpOptions = true,
    description =
        "Short runs of the other benchmarks: what Terrace promises, met or missed. Exits with 1 when"
            + " something is missed. For a machine that does nothing else.")
public final class GuardCommand implements Callable<Integer> {

  private static final String PARTS_FOLDER = "guard";

  @Spec private CommandSpec spec;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "BENCH",
      description = "hit, put, churn, memory, pause (default: all).")
  private Set<String> only = Set.of();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "Where the results go (default: bench/target/reports/guard.json). Those of each benchmark"
              + " go to a folder guard beside it.")
  private Path json;

  @Override
  public Integer call() throws IOException {
    List<GuardStep> steps = steps();
    PrintWriter out = spec.commandLine().getOut();
    Machine machine = new Machine();
    Optional<String> busy = machine.busyWarning();
    out.printf("%s%n", machine.oneLine());
    busy.ifPresent(warning -> out.printf("%s%n", warning));
    Path file =
        json != null ? json : HBaseInstall.home().resolve("bench/target/reports/guard.json");
    long start = System.nanoTime();
    List<Guarded> guarded = new ArrayList<>();
    for (GuardStep step : steps) {
      out.printf("%n[%d/%d] %s%n", guarded.size() + 1, steps.size(), step.command());
      out.flush();
      guarded.add(run(step, partFile(file, guarded.size() + 1, step)));
    }
    GuardReport report = new GuardReport(guarded);
    out.printf("%n%s%n", report.table());
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    out.printf(
        "%d of %d promises met, in %s%n",
        report.checked() - report.missed(), report.checked(), Progress.inWords(took));
    busy.ifPresent(warning -> out.printf("%s%n", warning));
    write(report, took, machine, file);
    return report.missed() == 0 ? 0 : 1;
  }

  private List<GuardStep> steps() {
    Set<String> unknown = new TreeSet<>(only);
    GuardStep.ALL.forEach(step -> unknown.remove(step.name()));
    if (!unknown.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--only=" + String.join(",", unknown) + ": known are " + names(GuardStep.ALL));
    }
    return GuardStep.ALL.stream()
        .filter(step -> only.isEmpty() || only.contains(step.name()))
        .toList();
  }

  private static String names(List<GuardStep> steps) {
    return steps.stream().map(GuardStep::name).distinct().collect(Collectors.joining(", "));
  }

  private static Path partFile(Path file, int number, GuardStep step) {
    return file.resolveSibling(PARTS_FOLDER).resolve(number + "-" + step.name() + ".json");
  }

  /** A step that fails, or writes no results, is held to nothing, which is a missed promise. */
  private Guarded run(GuardStep step, Path part) throws IOException {
    Files.deleteIfExists(part);
    List<String> arguments = new ArrayList<>(step.arguments());
    arguments.add("--json=" + part);
    // A new instance of all commands, so that no option is left from the step before.
    CommandLine bench = new CommandLine(new BenchCommand());
    bench.setOut(spec.commandLine().getOut());
    bench.setErr(spec.commandLine().getErr());
    int exitValue = bench.execute(arguments.toArray(String[]::new));
    if (exitValue != 0 || !Files.exists(part)) {
      spec.commandLine().getErr().printf("%s failed with %d%n", step.command(), exitValue);
      return new Guarded(step, List.of());
    }
    JsonObject report = JsonParser.parseString(Files.readString(part)).getAsJsonObject();
    return new Guarded(step, List.of(new Gson().fromJson(report.get("targets"), Target[].class)));
  }

  private void write(GuardReport report, Duration took, Machine machine, Path file)
      throws IOException {
    Map<String, Object> settings =
        Map.of("command", CommandText.of(spec.commandLine()), "seconds", took.toSeconds());
    JsonReport jsonReport = new JsonReport("guard", Instant.now(), machine, settings);
    jsonReport.add("promises", report.rows());
    jsonReport.write(file);
    spec.commandLine().getOut().printf("Written: %s%n", file);
    spec.commandLine().getOut().flush();
  }
}
