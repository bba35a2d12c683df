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
package dev.terrace.bench.jmh;

import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Progress;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultOptions;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Option;

/**
 * A benchmark that JMH runs. Cases run in rounds: each round runs every case in one new JVM. A
 * disturbance of the machine then falls on all cases alike.
 */
abstract class JmhBenchmark extends Benchmark {
  private static final DateTimeFormatter FILE_TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /** Starting a fork, and filling a cache. */
  private static final double START_SECONDS = 3;

  /** JMH takes the class path of its forks from here. */
  private static final String CLASS_PATH_PROPERTY = "java.class.path";

  private static final int LINES_ON_FAILURE = 12;

  @Option(
      names = "--quick",
      description = "A first impression: one fork with few iterations, unless told otherwise.")
  private boolean quick;

  @Option(
      names = "--forks",
      paramLabel = "N",
      description = "JVMs for each case, in turns with the other cases (default: 3; quick: 1).")
  private Integer forks;

  @Option(
      names = "--warmups",
      paramLabel = "N",
      description = "Iterations in each JVM that are not counted.")
  private Integer warmups;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Iterations in each JVM that are counted.")
  private Integer iterations;

  @Option(
      names = "--time",
      paramLabel = "MILLIS",
      description = "How long an iteration takes; one of puts takes as long as they do.")
  private int timeMillis;

  @Option(
      names = "--file-dir",
      paramLabel = "DIR",
      description = "Where caches in files keep them (default: the temporary directory).")
  private Path fileDirectory = Scratch.fileParent();

  @Option(
      names = "--pmem-dir",
      paramLabel = "DIR",
      description = "Where caches in mapped files keep them (default: /dev/shm, if there is one).")
  private Path pmemDirectory = Scratch.pmemParent();

  private final Iterations usual;
  private final Iterations few;

  /** How many iterations a fork has. */
  record Iterations(int warmups, int counted) {}

  /**
   * A benchmark.
   *
   * @param usual the iterations by default
   * @param few those of {@code --quick}
   * @param timeMillis of an iteration by default
   */
  JmhBenchmark(String title, String about, Iterations usual, Iterations few, int timeMillis) {
    super(title, about);
    this.usual = usual;
    this.few = few;
    this.timeMillis = timeMillis;
  }

  /** The cases, in the order of a round. */
  abstract List<BenchmarkCase> cases();

  /** Adds tables and promises to the result. */
  abstract void report(Map<BenchmarkCase, Figures> figures, Result result);

  @Override
  protected void checkOptions() {
    Iterations iterationsHere = quick ? few : usual;
    forks = Objects.requireNonNullElse(forks, quick ? 1 : 3);
    warmups = Objects.requireNonNullElse(warmups, iterationsHere.warmups());
    iterations = Objects.requireNonNullElse(iterations, iterationsHere.counted());
    require(forks >= 1, "--forks=" + forks + ": must be at least 1");
    require(warmups >= 0, "--warmups=" + warmups + ": must be at least 0");
    require(iterations >= 1, "--iterations=" + iterations + ": must be at least 1");
    require(timeMillis >= 10, "--time=" + timeMillis + ": must be at least 10 ms");
    String writable = ": must be a directory that can be written to";
    require(Files.isWritable(fileDirectory), "--file-dir=" + fileDirectory + writable);
    require(Files.isWritable(pmemDirectory), "--pmem-dir=" + pmemDirectory + writable);
  }

  @Override
  protected void measure(Result result) throws IOException {
    String time = FILE_TIME.format(LocalDateTime.now(ZoneId.systemDefault()));
    String name = result.name() + "-" + time + ".json";
    output().setDefault(ResultOptions.reports().resolve(name));
    Path json = output().file(result.name()).toAbsolutePath();
    Path log = json.resolveSibling(json.getFileName() + ".log");
    Files.createDirectories(json.getParent());
    List<BenchmarkCase> cases = cases();
    int all = cases.stream().mapToInt(each -> each.isTimed() ? 1 : forks).sum();
    print(
        "%d cases, %d forks, each %d + %d iterations of %d ms; about %s. JMH's output: %s",
        cases.size(),
        all,
        warmups,
        iterations,
        timeMillis,
        Progress.inWords(all * forkSeconds()),
        log);
    print("Forks run with: %s%n", String.join(" ", jvmArguments()));
    Map<BenchmarkCase, Figures> figures = new LinkedHashMap<>();
    runRounds(cases, new Progress(all, out(), System::nanoTime), log)
        .forEach((each, runs) -> figures.put(each, Figures.of(each, merge(runs))));
    report(figures, result);
    result
        .setting("forks", forks)
        .setting("warmupIterations", warmups)
        .setting("iterations", iterations)
        .setting("iterationMillis", timeMillis)
        .setting("jvmArguments", jvmArguments());
  }

  private double forkSeconds() {
    return START_SECONDS + timeMillis * (warmups + iterations) / 1000.0;
  }

  private List<String> jvmArguments() {
    return OwnJvm.arguments(fileDirectory, pmemDirectory);
  }

  private Map<BenchmarkCase, List<RunResult>> runRounds(
      List<BenchmarkCase> cases, Progress progress, Path logFile) throws IOException {
    Map<BenchmarkCase, List<RunResult>> results = new LinkedHashMap<>();
    String ownClassPath = System.setProperty(CLASS_PATH_PROPERTY, OwnJvm.classPath());
    try (PrintStream log = new PrintStream(logFile.toFile(), StandardCharsets.UTF_8)) {
      OutputFormat output = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
      for (int round = 0; round < forks; round++) {
        for (BenchmarkCase each : cases) {
          // Of single operations, the spread between them is of interest, and not that of forks.
          if (round == 0 || !each.isTimed()) {
            RunResult fork = new Runner(options(each).build(), output).runSingle();
            results.computeIfAbsent(each, first -> new ArrayList<>()).add(fork);
            String outcome = Figures.of(each, fork).inWords(each.operation());
            progress.done(each.title() + ": " + outcome);
          }
        }
      }
      return results;
    } catch (RunnerException e) {
      throw new IOException(
          "the benchmark failed: " + e + ". From " + logFile + ":\n" + reason(logFile), e);
    } finally {
      System.setProperty(CLASS_PATH_PROPERTY, ownClassPath);
    }
  }

  private ChainedOptionsBuilder options(BenchmarkCase each) {
    return each.select(new OptionsBuilder())
        .forks(1)
        .warmupIterations(warmups)
        .measurementIterations(iterations)
        .warmupTime(TimeValue.milliseconds(timeMillis))
        .measurementTime(TimeValue.milliseconds(timeMillis))
        .jvmArgs(jvmArguments().toArray(String[]::new))
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true);
  }

  private static RunResult merge(List<RunResult> forks) {
    return new RunResult(
        forks.get(0).getParams(),
        forks.stream().flatMap(fork -> fork.getBenchmarkResults().stream()).toList());
  }

  /** JMH's output from the first failure on; if there is none, its last lines. */
  private static String reason(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    int first =
        IntStream.range(0, lines.size())
            .filter(line -> lines.get(line).endsWith("<failure>"))
            .findFirst()
            .orElse(Math.max(0, lines.size() - LINES_ON_FAILURE));
    return String.join(
        "\n", lines.subList(first, Math.min(lines.size(), first + LINES_ON_FAILURE)));
  }
}
