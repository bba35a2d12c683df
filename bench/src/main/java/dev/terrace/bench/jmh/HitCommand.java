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
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code terrace bench hit}: runs {@link Operation}s on caches and prints tables. */
@Command(
    name = "hit",
    mixinStandardHelpOptions = true,
    description =
        "Hits of Terrace and of HBase's own caches: speed, garbage and latency; with --operations"
            + " or --all also misses, puts, evictions, and all mixed.")
public final class HitCommand implements Callable<Integer> {

  private static final RunOptions.Defaults DEFAULTS = new RunOptions.Defaults(3, 6, 3, 4, 2);

  @Spec private CommandSpec spec;

  @Mixin private RunOptions run = new RunOptions();

  @Option(
      names = "--time",
      paramLabel = "MILLIS",
      description = "How long an iteration takes (default: ${DEFAULT-VALUE} ms).",
      defaultValue = "1000")
  private int timeMillis;

  @Mixin private HitSelection selection = new HitSelection();

  @Option(
      names = "--no-latency",
      description = "Leaves out the time of single operations, which takes one fork a case more.")
  private boolean noLatency;

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises of a hit.")
  private boolean check;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    RunSettings settings;
    List<HitCase> cases;
    try {
      settings = run.settings(DEFAULTS, Duration.ofMillis(timeMillis));
      cases = selection.cases();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    JmhCommand command = new JmhCommand(settings, run.jsonFile("hit"), out);
    Map<BenchmarkCase, RunResult> results;
    try {
      results = command.run(allOf(cases));
    } catch (BenchmarkFailedException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
    HitReport report = HitReport.ofResults(results);
    Result result =
        new Result(
                "hit",
                "Hits (bench hit)",
                "The caches alone, without a server: operations a second of all threads together. A"
                    + " hit looks a block up and gives it back. The floor is the least that has to"
                    + " be done, a bare map of the same blocks, or a bare read of a file: no cache"
                    + " can be faster. Heap and index bytes a block: bench memory.",
                new Machine(),
                spec.commandLine())
            .addTargets(HitTargets.check(report));
    report.tables().forEach(result::add);
    report.headline().ifPresent(result::add);
    command.finish(result, results);
    return check && !Target.areMet(result.targets()) ? 1 : 0;
  }

  /** The cases, and behind them those of which single operations are timed. */
  private List<BenchmarkCase> allOf(List<HitCase> cases) {
    List<BenchmarkCase> all = new ArrayList<>(cases);
    if (!noLatency) {
      all.addAll(LatencyCase.of(selection.timed(cases)));
    }
    return all;
  }
}
