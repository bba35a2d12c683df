// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Benchmark.Progress;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
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
          + " ITERATIONS  -r TIME  -bm sample -tu ns (the time of single ones, in JMH's output)."
          + " Forks take turns with those of the other cases."
          + " -jvmArgsAppend=-Dterrace.bench.file.dir=DIR and -Dterrace.bench.pmem.dir=DIR say"
          + " where caches in files lie.";

  /** JMH takes the class path of its forks from this property. */
  private static final String CLASS_PATH_PROPERTY = "java.class.path";

  private static final int USUAL_FORKS = 3;

  @Unmatched private List<String> jmh = new ArrayList<>();

  private final Class<?> benchmarks;
  private final List<Integer> usualThreads;
  private final List<CacheKind> usualCaches;
  private final Function<CacheKind, String> floorBeside;
  private CommandLineOptions options;

  /**
   * A benchmark.
   *
   * @param floorBeside the method that measures the floor of a cache, without a cache
   */
  JmhBenchmark(
      Class<?> benchmarks,
      List<Integer> usualThreads,
      List<CacheKind> usualCaches,
      Function<CacheKind, String> floorBeside,
      String title,
      String about) {
    super(title, about);
    this.benchmarks = benchmarks;
    this.usualThreads = usualThreads;
    this.usualCaches = usualCaches;
    this.floorBeside = floorBeside;
  }

  /** One line for each case. */
  abstract Table table(Map<Scores.Case, Scores> scores);

  /** The promises for what was measured. */
  abstract List<Target> targets(Map<Scores.Case, Scores> scores);

  @Override
  protected void checkOptions() {
    try {
      options = new CommandLineOptions(jmh.toArray(String[]::new));
    } catch (CommandLineOptionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    require(options.getIncludes().isEmpty(), "unknown: " + String.join(" ", options.getIncludes()));
    caches();
  }

  /** The caches named by options, or the usual ones. */
  private List<CacheKind> caches() {
    return options.getParameter("cache").hasValue()
        ? options.getParameter("cache").get().stream().map(CacheKind::named).toList()
        : usualCaches;
  }

  @Override
  protected void measure(Result result) throws IOException {
    Path json = file(name()).toAbsolutePath();
    Path log = json.resolveSibling(json.getFileName() + ".log");
    Files.createDirectories(json.getParent());
    int forks = options.getForkCount().orElse(USUAL_FORKS);
    List<ChainedOptionsBuilder> round = new ArrayList<>();
    boolean namesThreads = options.getThreads().hasValue();
    for (int threads : namesThreads ? List.of(options.getThreads().get()) : usualThreads) {
      caches().stream()
          .map(floorBeside)
          .distinct()
          .forEach(floor -> round.add(select(floor, Optional.empty(), threads)));
      caches().forEach(cache -> round.add(select(name(), Optional.of(cache), threads)));
    }
    print("%d cases, %d forks each. JMH's output: %s%n", round.size(), forks, log);
    Map<Scores.Case, List<RunResult>> runs = new LinkedHashMap<>();
    Progress progress = new Progress(forks * round.size(), out());
    String ownClassPath = System.setProperty(CLASS_PATH_PROPERTY, OwnJvm.classPath());
    try (PrintStream stream = new PrintStream(log.toFile(), StandardCharsets.UTF_8)) {
      OutputFormat output = OutputFormatFactory.createFormatInstance(stream, VerboseMode.NORMAL);
      for (int i = 0; i < forks * round.size(); i++) {
        for (RunResult run : new Runner(round.get(i % round.size()).build(), output).run()) {
          Scores.Case ran = Scores.Case.of(run.getParams());
          runs.computeIfAbsent(ran, first -> new ArrayList<>()).add(run);
          org.openjdk.jmh.results.Result<?> score = run.getPrimaryResult();
          progress.done(
              ran + ": " + Unit.SCALED.format(score.getScore()) + " " + score.getScoreUnit());
        }
      }
    } catch (RunnerException e) {
      throw new IOException("the benchmark failed: " + e + "; JMH's output: " + log, e);
    } finally {
      System.setProperty(CLASS_PATH_PROPERTY, ownClassPath);
    }
    Map<Scores.Case, Scores> scores = new LinkedHashMap<>();
    runs.forEach((each, ofIt) -> scores.put(each, Scores.of(ofIt)));
    // JMH prints the percentiles itself where it times single operations.
    if (!options.getBenchModes().contains(Mode.SampleTime)) {
      result.add(table(scores)).addTargets(targets(scores));
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

  /** The scores of one case. */
  record Scores(Summary score, Summary garbageBytes, double droppedShare) {

    private static final String GARBAGE = "gc.alloc.rate.norm";

    /**
     * A case.
     *
     * @param method of the benchmark
     * @param cache empty where no cache takes part
     * @param blockSizeBytes the data of a block; 0 where there is none
     */
    record Case(String method, Optional<CacheKind> cache, int blockSizeBytes, int threads) {

      static Case of(BenchmarkParams params) {
        String whole = params.getBenchmark();
        return new Case(
            whole.substring(whole.lastIndexOf('.') + 1),
            Optional.ofNullable(params.getParam("cache")).map(CacheKind::valueOf),
            Integer.parseInt(Objects.requireNonNullElse(params.getParam("blockSize"), "0")),
            params.getThreads());
      }

      String title() {
        return cache.map(CacheKind::title).orElse(method + " (floor)");
      }

      String blockText() {
        return (blockSizeBytes >> 10) + " KB";
      }

      String threadsText() {
        return threads == 1 ? "1 thread" : threads + " threads";
      }

      @Override
      public String toString() {
        return title() + (blockSizeBytes == 0 ? "" : ", " + blockText()) + ", " + threadsText();
      }
    }

    static Scores of(List<RunResult> runs) {
      Collection<BenchmarkResult> forks =
          runs.stream().flatMap(run -> run.getBenchmarkResults().stream()).toList();
      double offered = forks.stream().mapToDouble(fork -> secondary(fork, "offered")).sum();
      double dropped = forks.stream().mapToDouble(fork -> secondary(fork, "dropped")).sum();
      return new Scores(
          Summary.of(forks.stream().map(Scores::score).toList()),
          Summary.of(forks.stream().map(fork -> secondary(fork, GARBAGE)).toList()),
          offered == 0 ? 0 : dropped / offered);
    }

    /** The median of puts: one iteration stalled for milliseconds would dominate their mean. */
    private static double score(BenchmarkResult fork) {
      org.openjdk.jmh.results.Result<?> primary = fork.getPrimaryResult();
      return fork.getParams().getMode() == Mode.SingleShotTime
          ? primary.getStatistics().getPercentile(50)
          : primary.getScore();
    }

    private static double secondary(BenchmarkResult fork, String name) {
      org.openjdk.jmh.results.Result<?> counter = fork.getSecondaryResults().get(name);
      return counter == null ? 0 : counter.getScore();
    }
  }
}
