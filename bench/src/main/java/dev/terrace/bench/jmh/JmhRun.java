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

import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Progress;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultOptions;
import dev.terrace.bench.workload.BenchmarkJvm;
import dev.terrace.bench.workload.Scratch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options that JMH commands share, and their course. Cases run in rounds: each round runs every
 * case in one new JVM. What disturbs the machine for a while then disturbs all cases, and not the
 * one whose forks happened to run.
 */
final class JmhRun {
  private static final DateTimeFormatter FILE_TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /** What a fork takes beside its iterations: starting, and filling a cache. */
  private static final Duration START = Duration.ofSeconds(3);

  /** Where JMH looks up the class path that it starts forks with. */
  private static final String CLASS_PATH_PROPERTY = "java.class.path";

  private static final String FAILURE_MARK = "<failure>";
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

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises.")
  private boolean check;

  @Mixin private ResultOptions output = new ResultOptions();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private final int usualWarmups;
  private final int usualIterations;
  private final int quickWarmups;
  private final int quickIterations;

  JmhRun(int warmups, int iterations, int quickWarmups, int quickIterations, int timeMillis) {
    this.usualWarmups = warmups;
    this.usualIterations = iterations;
    this.quickWarmups = quickWarmups;
    this.quickIterations = quickIterations;
    this.timeMillis = timeMillis;
  }

  /**
   * Runs the cases, prints the result and writes it.
   *
   * @param report makes the result of what was measured
   * @return the exit value
   */
  int run(
      String name, List<BenchmarkCase> cases, Function<Map<BenchmarkCase, Figures>, Result> report)
      throws IOException {
    checkOptions();
    Path json = jsonFile(name);
    Path logFile = json.resolveSibling(json.getFileName() + ".log");
    PrintWriter out = spec.commandLine().getOut();
    ResultOptions.printHead(new Machine(), out);
    int all = cases.stream().mapToInt(each -> each.isTimed() ? 1 : forks).sum();
    out.printf(
        "%d cases, %d forks, each %d + %d iterations of %d ms; about %s. JMH's output: %s%n",
        cases.size(),
        all,
        warmups,
        iterations,
        timeMillis,
        Progress.inWords(
            START.plusMillis((long) timeMillis * (warmups + iterations)).multipliedBy(all)),
        logFile);
    out.printf("Forks run with: %s%n%n", String.join(" ", jvmArguments()));
    out.flush();
    Map<BenchmarkCase, List<RunResult>> runs;
    String ownClassPath = System.setProperty(CLASS_PATH_PROPERTY, BenchmarkJvm.classPath());
    try (PrintStream log = new PrintStream(logFile.toFile(), StandardCharsets.UTF_8)) {
      runs = runRounds(cases, log, new Progress(all, out, System::nanoTime));
    } catch (RunnerException e) {
      spec.commandLine()
          .getErr()
          .printf("The benchmark failed: %s. From %s:%n%s%n", e, logFile, reason(logFile));
      return 1;
    } finally {
      System.setProperty(CLASS_PATH_PROPERTY, ownClassPath);
    }
    Map<BenchmarkCase, Figures> figures = new LinkedHashMap<>();
    List<RunResult> merged = new ArrayList<>();
    runs.forEach(
        (each, results) -> {
          RunResult one = merge(results);
          merged.add(one);
          figures.put(each, Figures.of(each, one));
        });
    boolean met =
        output.finish(
            report
                .apply(figures)
                .setting("forks", forks)
                .setting("warmupIterations", warmups)
                .setting("iterations", iterations)
                .setting("iterationMillis", timeMillis)
                .setting("jvmArguments", jvmArguments())
                .detail("jmh", toJson(merged)),
            json,
            out);
    return check && !met ? 1 : 0;
  }

  private void checkOptions() {
    forks = Objects.requireNonNullElse(forks, quick ? 1 : 3);
    warmups = Objects.requireNonNullElse(warmups, quick ? quickWarmups : usualWarmups);
    iterations = Objects.requireNonNullElse(iterations, quick ? quickIterations : usualIterations);
    require(forks >= 1, "--forks=" + forks + ": must be at least 1");
    require(warmups >= 0, "--warmups=" + warmups + ": must be at least 0");
    require(iterations >= 1, "--iterations=" + iterations + ": must be at least 1");
    require(timeMillis >= 10, "--time=" + timeMillis + ": must be at least 10 ms");
    String writable = ": must be a directory that can be written to";
    require(Files.isWritable(fileDirectory), "--file-dir=" + fileDirectory + writable);
    require(Files.isWritable(pmemDirectory), "--pmem-dir=" + pmemDirectory + writable);
  }

  private void require(boolean condition, String complaint) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), complaint);
    }
  }

  private List<String> jvmArguments() {
    return BenchmarkJvm.arguments(fileDirectory, pmemDirectory);
  }

  /** The file that results go to, by default a new one; its directory exists. */
  private Path jsonFile(String command) throws IOException {
    String time = FILE_TIME.format(LocalDateTime.now(ZoneId.systemDefault()));
    Path file = output.file(command + "-" + time + ".json").toAbsolutePath();
    Files.createDirectories(file.getParent());
    return file;
  }

  private Map<BenchmarkCase, List<RunResult>> runRounds(
      List<BenchmarkCase> cases, PrintStream log, Progress progress) throws RunnerException {
    OutputFormat output = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
    Map<BenchmarkCase, List<RunResult>> results = new LinkedHashMap<>();
    for (int round = 0; round < forks; round++) {
      for (BenchmarkCase each : cases) {
        // Of single operations, the spread between them is of interest, and not that of forks.
        if (round == 0 || !each.isTimed()) {
          RunResult fork = new Runner(options(each), output).runSingle();
          results.computeIfAbsent(each, first -> new ArrayList<>()).add(fork);
          String outcome = Figures.of(each, fork).inWords(each.operation());
          progress.step(each.title() + ": " + outcome);
        }
      }
    }
    return results;
  }

  private Options options(BenchmarkCase each) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(1)
            .warmupIterations(warmups)
            .measurementIterations(iterations)
            .warmupTime(TimeValue.milliseconds(timeMillis))
            .measurementTime(TimeValue.milliseconds(timeMillis))
            .jvmArgs(jvmArguments().toArray(String[]::new))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true);
    each.select(options);
    return options.build();
  }

  private static RunResult merge(List<RunResult> forks) {
    return new RunResult(
        forks.get(0).getParams(),
        forks.stream().flatMap(fork -> fork.getBenchmarkResults().stream()).toList());
  }

  /** Results in JMH's own JSON format. */
  private static JsonArray toJson(List<RunResult> results) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    JsonArray array = JsonParser.parseString(text).getAsJsonArray();
    for (int i = 0; i < results.size(); i++) {
      // JMH tells how many forks one run was asked for; here each fork was a run.
      int forks = results.get(i).getBenchmarkResults().size();
      array.get(i).getAsJsonObject().addProperty("forks", forks);
    }
    return array;
  }

  /** JMH's output from its last mark of a failure on, or if there is none its last lines. */
  private static String reason(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    int first = Math.max(0, lines.size() - LINES_ON_FAILURE);
    for (int line = lines.size() - 1; line >= 0; line--) {
      if (lines.get(line).endsWith(FAILURE_MARK)) {
        first = line;
      }
    }
    int last = Math.min(lines.size(), first + LINES_ON_FAILURE);
    return String.join("\n", lines.subList(first, last));
  }
}
