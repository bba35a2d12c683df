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
package dev.terrace.bench.churn;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.Converters;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultOptions;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code terrace bench churn}: runs {@link Churn} for some caches, each in a JVM of its own. */
@Command(
    name = "churn",
    mixinStandardHelpOptions = true,
    description =
        "Blocks of 4 KB to 1 MB come and go: the payload a cache holds, and the memory it takes.")
public final class ChurnCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long each cache runs (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      converter = Converters.Size.class,
      defaultValue = "1g",
      description = "The bytes each cache is configured with (default: ${DEFAULT-VALUE}).")
  private ByteSize size;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads that get and put (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Mixin private ResultOptions output = new ResultOptions();

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises of memory.")
  private boolean check;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Machine machine = new Machine();
    ResultOptions.printHead(machine, out);
    List<ChurnResult> results = new ArrayList<>();
    for (CacheKind cache : List.of(CacheKind.TERRACE, CacheKind.BUCKET_OFFHEAP)) {
      ChurnSettings settings = settings(cache);
      out.printf(
          "%s: %s, %d threads; first %d times that is put, and then %d s count%n",
          cache.title(), size, threads, ChurnSettings.WARMUP_PER_CAPACITY, seconds);
      out.flush();
      try {
        // Well above the capacity: a cache that takes too much is to be seen, not stopped.
        String direct = "-XX:MaxDirectMemorySize=" + 2 * size.bytes();
        results.add(OwnJvm.run(settings, ChurnResult.class, direct));
      } catch (IOException e) {
        spec.commandLine().getErr().println(cache.title() + ": " + e.getMessage());
        return 1;
      }
    }
    boolean met = output.finish(result(new ChurnReport(results), machine), out);
    return check && !met ? 1 : 0;
  }

  private ChurnSettings settings(CacheKind cache) {
    try {
      return new ChurnSettings(cache, size.bytes(), seconds, threads);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Result result(ChurnReport report, Machine machine) {
    Result result =
        new Result(
                "churn",
                "Churn (bench churn)",
                "Blocks of 4 KB to 1 MB, four times as many as fit, are looked up after Zipf's law,"
                    + " and each miss is put. Payload is the bytes of the blocks in the cache, in"
                    + " parts of what it was configured with, read once a second; the thin line goes"
                    + " from the least to the most of the run. Memory that holds no blocks is lost"
                    + " to the size classes of the cache.",
                machine,
                spec.commandLine())
            .setting("seconds", seconds)
            .setting("sizeBytes", size.bytes())
            .setting("threads", threads)
            .add(report.table())
            .addTargets(report.targets());
    report.headline().ifPresent(result::add);
    return result;
  }
}
