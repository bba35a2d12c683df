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

import dev.terrace.bench.Converters;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.CacheKind;
import java.io.IOException;
import java.time.Duration;
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

/** {@code terrace bench put}: runs {@link PutBenchmark} and prints one table. */
@Command(
    name = "put",
    mixinStandardHelpOptions = true,
    description = "Puts into free space, beside copying the same bytes.")
public final class PutCommand implements Callable<Integer> {

  private static final RunOptions.Defaults DEFAULTS = new RunOptions.Defaults(3, 10, 20, 10, 10);

  @Spec private CommandSpec spec;

  @Mixin private RunOptions run = new RunOptions();

  @Option(
      names = "--caches",
      split = ",",
      paramLabel = "CACHE",
      converter = Converters.Cache.class,
      description = "bucket-offheap, terrace, or others of terrace bench hit (default: these two).")
  private List<CacheKind> caches = List.of(CacheKind.BUCKET_OFFHEAP, CacheKind.TERRACE);

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises of a put.")
  private boolean check;

  @Override
  public Integer call() throws IOException {
    JmhCommand command =
        new JmhCommand(settings(), run.jsonFile("put"), spec.commandLine().getOut());
    Map<PutCase, RunResult> results;
    try {
      results = command.run(PutCase.all(caches));
    } catch (BenchmarkFailedException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
    PutReport report = PutReport.ofResults(results);
    Result result =
        new Result(
                "put",
                "Puts (bench put)",
                "One thread puts blocks of 64 KB into an empty cache with room for all of them."
                    + " Terrace stores a block in the caller's thread; BucketCache queues it for its"
                    + " writers, and drops it when their queue is full. So a short time is worth"
                    + " only what is kept of the blocks: what a cache dropped has to be read from"
                    + " disk again. The same bytes copied into memory are the bound of a cache that"
                    + " stores at once.",
                new Machine(),
                spec.commandLine())
            .add(report.table())
            .addTargets(report.targets());
    command.finish(result, results);
    return check && !Target.areMet(result.targets()) ? 1 : 0;
  }

  private RunSettings settings() {
    try {
      return run.settings(DEFAULTS, Duration.ofMillis(50));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
