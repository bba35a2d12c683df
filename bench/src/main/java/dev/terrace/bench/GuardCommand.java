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
package dev.terrace.bench;

import static java.util.stream.Collectors.toCollection;

import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Progress;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultFiles;
import dev.terrace.bench.report.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code terrace bench guard}: runs the other benchmarks shortly, and fails on a missed promise.
 */
@Command(
    name = "guard",
    mixinStandardHelpOptions = true,
    description =
        "Short runs of the other benchmarks: what Terrace promises, met or missed. Exits with 1"
            + " when something is missed. For a machine that does nothing else.")
public final class GuardCommand extends Benchmark {

  private static final String PARTS_FOLDER = "guard";

  /**
   * One of the benchmarks, run shortly.
   *
   * @param name the command, below {@code bench}
   * @param promises how many promises such a run can be held to
   * @param options what makes it short
   */
  record Step(String name, int promises, List<String> options) {
    Step(String name, int promises, String... options) {
      this(name, promises, List.of(options));
    }

    private String command() {
      return "bin/terrace bench " + name + " " + String.join(" ", options);
    }

    /** Its promises, and a missed one more if they are fewer than they should be. */
    List<Target> checked(List<Target> targets) {
      List<Target> checked = new ArrayList<>();
      targets.forEach(each -> checked.add(new Target(each.met(), name + ": " + each.text())));
      if (targets.size() < promises) {
        checked.add(
            Target.of(
                false, "%s: %d promises checked, at least %d", name, targets.size(), promises));
      }
      return checked;
    }
  }

  /** All promises, in a few minutes. */
  private static final List<Step> STEPS =
      List.of(
          new Step(
              "hit",
              8,
              "--caches=floor,lru,bucket-offheap,terrace",
              "--threads=1,2",
              "--forks=3",
              "--warmups=4",
              "--iterations=3",
              "--time=500",
              "--no-latency"),
          new Step(
              "hit",
              4,
              "--caches=bucket-pmem,terrace-pmem,bucket-file,terrace-ssd,terrace-ssd-noverify",
              "--threads=1",
              "--forks=3",
              "--warmups=6",
              "--iterations=3",
              "--time=500",
              "--no-latency"),
          new Step("put", 2, "--forks=1", "--caches=terrace"),
          new Step("churn", 3, "--seconds=15"),
          new Step("memory", 11, "--only-terrace"),
          new Step("pause", 2, "--only-stalled", "--seconds=3"));

  @Spec private CommandSpec spec;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "BENCH",
      description = "hit, put, churn, memory, pause (default: all).")
  private Set<String> only = Set.of();

  GuardCommand() {
    super("The guard", "Short runs of the other benchmarks: what Terrace promises, met or missed.");
  }

  /** A missed promise is a failure here, whether that is asked for or not. */
  @Override
  protected boolean isChecked() {
    return true;
  }

  @Override
  protected void checkOptions() {
    Set<String> known = STEPS.stream().map(Step::name).collect(toCollection(LinkedHashSet::new));
    require(
        known.containsAll(only),
        "--only=" + String.join(",", only) + ": known are " + String.join(", ", known));
  }

  @Override
  protected void measure(Result result) throws IOException {
    List<Step> steps =
        STEPS.stream().filter(step -> only.isEmpty() || only.contains(step.name())).toList();
    Path folder = output().file(name()).resolveSibling(PARTS_FOLDER);
    long start = System.nanoTime();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      print("%n[%d/%d] %s", i + 1, steps.size(), step.command());
      result.addTargets(run(step, folder.resolve((i + 1) + "-" + step.name() + ".json")));
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    result.setting("seconds", Math.round(seconds));
    print(
        "%n%d of %d promises met, in %s",
        result.targets().stream().filter(Target::met).count(),
        result.targets().size(),
        Progress.inWords(seconds));
  }

  /** A step that fails, or writes no results, is held to nothing, which is a missed promise. */
  private List<Target> run(Step step, Path part) throws IOException {
    Files.deleteIfExists(part);
    List<String> arguments = new ArrayList<>(List.of(step.name(), "--json=" + part));
    arguments.addAll(step.options());
    // A new instance of all commands, so that no option is left from the step before.
    CommandLine bench =
        new CommandLine(new BenchCommand())
            .setOut(spec.commandLine().getOut())
            .setErr(spec.commandLine().getErr())
            .setExecutionExceptionHandler(spec.commandLine().getExecutionExceptionHandler());
    int exitValue = bench.execute(arguments.toArray(String[]::new));
    if (exitValue != 0 || !Files.exists(part)) {
      spec.commandLine().getErr().printf("%s failed with %d%n", step.command(), exitValue);
      return step.checked(List.of());
    }
    return step.checked(ResultFiles.read(part).targets());
  }
}
