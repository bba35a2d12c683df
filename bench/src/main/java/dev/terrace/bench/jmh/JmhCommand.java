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
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.workload.BenchmarkJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * The common course of a command: say what will run, run it with its progress, keep the results.
 */
final class JmhCommand {

  private static final String FAILURE_MARK = "<failure>";
  private static final int LINES_ON_FAILURE = 12;

  private final RunSettings settings;
  private final Path jsonFile;
  private final PrintWriter out;

  /**
   * @param settings how often and how long
   * @param jsonFile where results go, and JMH's own output beside it
   */
  JmhCommand(RunSettings settings, Path jsonFile, PrintWriter out) {
    this.settings = settings;
    this.jsonFile = jsonFile;
    this.out = out;
  }

  /**
   * Runs the cases.
   *
   * @throws BenchmarkFailedException if one fails, with the end of JMH's output
   */
  <C extends BenchmarkCase> Map<C, RunResult> run(List<C> cases) throws IOException {
    Path logFile = logFile();
    ResultOptions.printHead(new Machine(), out);
    int forks = cases.stream().mapToInt(each -> each.forks(settings)).sum();
    out.printf(
        "%d cases, %d forks, each %d + %d iterations of %d ms; about %s. JMH's output: %s%n",
        cases.size(),
        forks,
        settings.warmups(),
        settings.iterations(),
        settings.time().toMillis(),
        Progress.inWords(settings.estimate(forks)),
        logFile);
    out.printf("Forks run with: %s%n%n", String.join(" ", settings.jvmArguments()));
    out.flush();
    try (PrintStream log = new PrintStream(logFile.toFile(), StandardCharsets.UTF_8)) {
      Progress progress = new Progress(forks, out, System::nanoTime);
      return new InterleavedRuns<C>(settings, BenchmarkJvm.classPath(), log).run(cases, progress);
    } catch (RunnerException e) {
      throw new BenchmarkFailedException(
          "The benchmark failed: " + e.getMessage() + ". From " + logFile + ":\n" + reason(logFile),
          e);
    }
  }

  /** Prints the result and writes it, with the settings and JMH's own figures. */
  void finish(Result result, Map<?, RunResult> results) throws IOException {
    settings.describe().forEach(result::setting);
    result.detail("jmh", InterleavedRuns.toJson(results.values()));
    out.println();
    ResultText.print(result, out);
    result.write(jsonFile);
    out.printf("Written: %s%n", jsonFile);
    out.flush();
  }

  private Path logFile() {
    return jsonFile.resolveSibling(jsonFile.getFileName() + ".log");
  }

  /** What JMH's output says after its mark of a failure, or if there is none its last lines. */
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
