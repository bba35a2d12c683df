// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Benchmark.Progress;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Unmatched;

abstract class JmhBenchmark extends Benchmark {

  static final String JMH_OPTIONS =
      "Takes JMH's options, such as -p cache=TERRACE,LRU  -t THREADS  -f FORKS  -wi WARMUPS  -i"
          + " ITERATIONS  -r TIME  -bm sample -tu ns (the time of single ones, in JMH's output). Forks take turns"
          + " with those of the other cases. -jvmArgsAppend=-Dterrace.bench.file.dir=DIR and"
          + " -Dterrace.bench.pmem.dir=DIR say where caches in files lie.";

  /** JMH takes the class path of its forks from here. */
  private static final String CLASS_PATH_PROPERTY = "java.class.path";

  private static final int LINES_ON_FAILURE = 12;
  private static final int USUAL_FORKS = 3;

  @Unmatched private List<String> jmh = new ArrayList<>();

  private final Class<?> benchmarks;
  private CommandLineOptions options;

  JmhBenchmark(Class<?> benchmarks, String title, String about) {
    super(title, about);
    this.benchmarks = benchmarks;
  }

  /** The methods to run, in the order of a round, each with its cache or without one. */
  abstract List<Map.Entry<String, Optional<CacheKind>>> cases();

  /** Adds tables and promises to the result. */
  abstract void report(Map<Scores.Case, Scores> scores, Result result);

  @Override
  protected void checkOptions() {
    try {
      options = new CommandLineOptions(jmh.toArray(String[]::new));
    } catch (CommandLineOptionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    require(options.getIncludes().isEmpty(), "unknown: " + String.join(" ", options.getIncludes()));
    cases();
  }

  /** The caches that were named, or else these. */
  final List<CacheKind> caches(List<CacheKind> usual) {
    return options.getParameter("cache").hasValue()
        ? options.getParameter("cache").get().stream().map(CacheKind::named).toList()
        : usual;
  }

  /** Whether JMH times single operations; its own output then has their percentiles. */
  private boolean isTimed() {
    return options.getBenchModes().contains(Mode.SampleTime);
  }

  /** The numbers of threads to run with, one after the other. */
  List<Integer> threads() {
    return List.of(options.getThreads().orElse(1));
  }

  final boolean namesThreads() {
    return options.getThreads().hasValue();
  }

  @Override
  protected void measure(Result result) throws IOException {
    Path json = output().file(result.name()).toAbsolutePath();
    Path log = json.resolveSibling(json.getFileName() + ".log");
    Files.createDirectories(json.getParent());
    int forks = options.getForkCount().orElse(USUAL_FORKS);
    List<ChainedOptionsBuilder> round = new ArrayList<>();
    for (int threads : threads()) {
      cases().forEach(each -> round.add(select(each.getKey(), each.getValue(), threads)));
    }
    print("%d cases, %d forks each. JMH's output: %s%n", round.size(), forks, log);
    Map<Scores.Case, List<RunResult>> runs = new LinkedHashMap<>();
    Progress progress = new Progress(forks * round.size(), out(), System::nanoTime);
    String ownClassPath = System.setProperty(CLASS_PATH_PROPERTY, OwnJvm.classPath());
    try (PrintStream stream = new PrintStream(log.toFile(), StandardCharsets.UTF_8)) {
      OutputFormat output = OutputFormatFactory.createFormatInstance(stream, VerboseMode.NORMAL);
      for (int i = 0; i < forks * round.size(); i++) {
        for (RunResult run : new Runner(round.get(i % round.size()).build(), output).run()) {
          Scores.Case ran = Scores.Case.of(run.getParams());
          runs.computeIfAbsent(ran, first -> new ArrayList<>()).add(run);
          progress.done(ran + ": " + inWords(run));
        }
      }
    } catch (RunnerException e) {
      throw new IOException("the benchmark failed: " + e + ". From " + log + ":\n" + end(log), e);
    } finally {
      System.setProperty(CLASS_PATH_PROPERTY, ownClassPath);
    }
    Map<Scores.Case, Scores> scores = new LinkedHashMap<>();
    runs.forEach((each, ofIt) -> scores.put(each, Scores.of(ofIt)));
    if (!isTimed()) {
      report(scores, result);
    }
    result.setting("forks", forks).setting("jvmArguments", OwnJvm.arguments());
  }

  private ChainedOptionsBuilder select(String method, Optional<CacheKind> cache, int threads) {
    String benchmark = benchmarks.getName() + "." + method;
    ChainedOptionsBuilder selected =
        new OptionsBuilder()
            .parent(options)
            .include("^" + benchmark.replace(".", "\\.") + "$")
            .threads(threads)
            .forks(1)
            .jvmArgs(OwnJvm.arguments().toArray(String[]::new))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true);
    return cache.isPresent() ? selected.param("cache", cache.get().name()) : selected;
  }

  private static String inWords(RunResult run) {
    org.openjdk.jmh.results.Result<?> score = run.getPrimaryResult();
    return Unit.SCALED.format(score.getScore()) + " " + score.getScoreUnit();
  }

  private static String end(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join(
        "\n", lines.subList(Math.max(0, lines.size() - LINES_ON_FAILURE), lines.size()));
  }
}
