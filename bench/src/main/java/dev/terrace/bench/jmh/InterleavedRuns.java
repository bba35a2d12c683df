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

import dev.terrace.bench.report.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs benchmark cases in rounds: each round runs every case in one new JVM. What disturbs the
 * machine for a while then disturbs all cases, and not the one whose forks happened to run.
 *
 * @param <C> the cases
 */
final class InterleavedRuns<C extends BenchmarkCase> {

  /** Where JMH looks up the class path that it starts forks with. */
  private static final String CLASS_PATH_PROPERTY = "java.class.path";

  private final RunSettings settings;
  private final String classPath;
  private final PrintStream log;

  /**
   * @param settings how often and how long
   * @param classPath of the forks
   * @param log where JMH's own output goes
   */
  InterleavedRuns(RunSettings settings, String classPath, PrintStream log) {
    this.settings = settings;
    this.classPath = classPath;
    this.log = log;
  }

  /**
   * Runs all rounds.
   *
   * @param progress is told of each fork
   * @return each case's forks, as one result
   * @throws RunnerException if a benchmark fails
   */
  Map<C, RunResult> run(List<C> cases, Progress progress) throws RunnerException {
    String ownClassPath = System.setProperty(CLASS_PATH_PROPERTY, classPath);
    try {
      return runAll(cases, progress);
    } finally {
      System.setProperty(CLASS_PATH_PROPERTY, ownClassPath);
    }
  }

  private Map<C, RunResult> runAll(List<C> cases, Progress progress) throws RunnerException {
    Map<C, List<RunResult>> forks = new LinkedHashMap<>();
    for (int round = 0; round < settings.forks(); round++) {
      for (C benchmarkCase : cases) {
        if (round >= benchmarkCase.forks(settings)) {
          continue;
        }
        RunResult fork = runOnce(benchmarkCase);
        forks.computeIfAbsent(benchmarkCase, first -> new ArrayList<>()).add(fork);
        progress.step(benchmarkCase.title() + ": " + benchmarkCase.outcome(fork));
      }
    }
    Map<C, RunResult> merged = new LinkedHashMap<>();
    forks.forEach((benchmarkCase, results) -> merged.put(benchmarkCase, merge(results)));
    return merged;
  }

  private RunResult runOnce(C benchmarkCase) throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(1)
            .warmupIterations(settings.warmups())
            .measurementIterations(settings.iterations())
            .warmupTime(TimeValue.milliseconds(settings.time().toMillis()))
            .measurementTime(TimeValue.milliseconds(settings.time().toMillis()))
            .jvmArgs(settings.jvmArguments().toArray(String[]::new))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true);
    benchmarkCase.select(options);
    OutputFormat output = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
    return new Runner(options.build(), output).runSingle();
  }

  private static RunResult merge(List<RunResult> forks) {
    List<BenchmarkResult> results = new ArrayList<>();
    forks.forEach(fork -> results.addAll(fork.getBenchmarkResults()));
    return new RunResult(forks.get(0).getParams(), results);
  }

  /** Results in JMH's own JSON format. */
  static JsonArray toJson(Collection<RunResult> results) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    }
    JsonArray array =
        JsonParser.parseString(bytes.toString(StandardCharsets.UTF_8)).getAsJsonArray();
    int index = 0;
    for (RunResult result : results) {
      JsonElement written = array.get(index++);
      // JMH tells how many forks one run was asked for; here each fork was a run.
      written.getAsJsonObject().addProperty("forks", result.getBenchmarkResults().size());
    }
    return array;
  }
}
