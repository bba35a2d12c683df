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
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Progress;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultFiles;
import dev.terrace.bench.report.ResultOptions;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private ResultOptions output = new ResultOptions();

  @Override
  public Integer call() throws IOException {
    List<GuardStep> steps = steps();
    PrintWriter out = spec.commandLine().getOut();
    Machine machine = new Machine();
    ResultOptions.printHead(machine, out);
    Path file = output.file("guard.json");
    long start = System.nanoTime();
    List<Guarded> guarded = new ArrayList<>();
    for (GuardStep step : steps) {
      out.printf("%n[%d/%d] %s%n", guarded.size() + 1, steps.size(), step.command());
      out.flush();
      guarded.add(run(step, partFile(file, guarded.size() + 1, step)));
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    out.println();
    Table table = table(guarded);
    ResultText.print(List.of(table), out);
    List<Target> all = guarded.stream().flatMap(step -> step.checked().stream()).toList();
    long missed = all.stream().filter(target -> !target.met()).count();
    out.printf(
        "%d of %d promises met, in %s%n", all.size() - missed, all.size(), Progress.inWords(took));
    machine.busyWarning().ifPresent(warning -> out.printf("%s%n", warning));
    output.write(
        new Result(
                "guard",
                "The guard (bench guard)",
                "Short runs of the other benchmarks: what Terrace promises, met or missed.",
                machine,
                spec.commandLine())
            .setting("seconds", took.toSeconds())
            .add(table),
        out);
    return missed == 0 ? 0 : 1;
  }

  /** One line a promise. */
  static Table table(List<Guarded> steps) {
    Table table =
        new Table(
            "Promises",
            Column.text("bench"),
            Column.text("figure"),
            Column.text("promise"),
            Column.text("verdict"));
    for (Guarded step : steps) {
      for (Target target : step.checked()) {
        table.row(
            Look.TERRACE,
            step.step().name(),
            target.figure(),
            target.bound(),
            target.met() ? "met" : "MISSED");
      }
    }
    return table;
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
    return new Guarded(step, ResultFiles.read(part).targets());
  }
}
