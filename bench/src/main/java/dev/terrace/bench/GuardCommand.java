// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import static java.util.stream.Collectors.toCollection;

import dev.terrace.bench.jmh.HitCommand;
import dev.terrace.bench.jmh.PutCommand;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.promises.Churn;
import dev.terrace.bench.promises.Memory;
import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Benchmark.Progress;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "guard",
    mixinStandardHelpOptions = true,
    description =
        "Short runs of hit and put, and of churn and memory: what Terrace promises, met or"
            + " missed. Exits with 1 when something is missed. For a machine that does nothing"
            + " else.")
public final class GuardCommand extends Benchmark {

  /** Measures, prints its steps, and adds figures and promises to the result. */
  @FunctionalInterface
  interface Part {

    void measure(Result result, Consumer<String> console) throws IOException, InterruptedException;
  }

  /**
   * A part of the guard, in a short run.
   *
   * @param promises how many promises such a run checks
   */
  record Step(String name, int promises, Part part) {

    /** Prefixes each promise with this name, and adds a missed one if too few were checked. */
    void check(List<Target> targets) {
      targets.replaceAll(each -> new Target(each.met(), name + ": " + each.text()));
      int checked = targets.size();
      if (checked < promises) {
        targets.add(
            Target.of(false, "%s: %d promises checked, at least %d", name, checked, promises));
      }
    }
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "PART",
      description = "hit, put, churn, memory (default: all).")
  private Set<String> only = Set.of();

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Blocks of memory; fewer prove nothing (default: ${DEFAULT-VALUE}).")
  private int blocks;

  GuardCommand() {
    super("The guard", "Short runs: what Terrace promises of speed and memory, met or missed.");
  }

  /** A missed promise is a failure here, with {@code --check} or without. */
  @Override
  protected boolean isChecked() {
    return true;
  }

  @Override
  protected void checkOptions() {
    Set<String> known = steps().stream().map(Step::name).collect(toCollection(LinkedHashSet::new));
    require(
        known.containsAll(only),
        "--only=" + String.join(",", only) + ": known are " + String.join(", ", known));
    Scale.require("--blocks", blocks, 1, 10_000_000);
  }

  /** All parts, which take a few minutes. */
  private List<Step> steps() {
    return List.of(
        hit(10, 4, "LRU,BUCKET_OFFHEAP,TERRACE,TERRACE_MANY_FILES"),
        hit(4, 6, "BUCKET_PMEM,TERRACE_PMEM,BUCKET_FILE,TERRACE_SSD,TERRACE_SSD_NOVERIFY", "-t=1"),
        new Step("put", 3, jmh(new PutCommand(), "-f=1", "-p=cache=TERRACE,TERRACE_MANY_FILES")),
        new Step("churn", 3, (result, console) -> Churn.measure(15, result, console)),
        new Step("memory", 11, (result, console) -> Memory.measure(blocks, result, console)));
  }

  private Step hit(int promises, int warmUps, String caches, String... more) {
    List<String> options =
        new ArrayList<>(List.of("-p=cache=" + caches, "-wi=" + warmUps, "-w=500ms", "-r=500ms"));
    options.addAll(List.of(more));
    return new Step("hit", promises, jmh(new HitCommand(), options.toArray(String[]::new)));
  }

  /** One of the benchmarks that JMH runs. */
  private Part jmh(Benchmark benchmark, String... options) {
    return (result, console) -> {
      console.accept(String.join(" ", options));
      benchmark.measureFor(this, result, options);
    };
  }

  @Override
  protected void measure(Result result) throws IOException, InterruptedException {
    List<Step> steps =
        steps().stream().filter(step -> only.isEmpty() || only.contains(step.name())).toList();
    long start = System.nanoTime();
    for (int i = 0; i < steps.size(); i++) {
      print("%n[%d/%d] %s", i + 1, steps.size(), steps.get(i).name());
      run(steps.get(i), result);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    result.setting("seconds", Math.round(seconds));
    print(
        "%n%d of %d promises met, in %s",
        result.targets().stream().filter(Target::met).count(),
        result.targets().size(),
        Progress.inWords(seconds));
  }

  /** A step that fails checks no promise, and that is a missed one. */
  private void run(Step step, Result result) throws InterruptedException {
    int before = result.targets().size();
    try {
      step.part().measure(result, line -> print("%s", line));
    } catch (IOException e) {
      spec.commandLine().getErr().println(step.name() + ": " + e.getMessage());
    }
    step.check(result.targets().subList(before, result.targets().size()));
  }
}
