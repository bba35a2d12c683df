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
import dev.terrace.bench.report.Headline;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultOptions;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.io.PrintWriter;
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

  private static final int HEADLINE_RANK = 40;

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
    ChurnResult terrace = run(CacheKind.TERRACE, out);
    ChurnResult bucketCache = run(CacheKind.BUCKET_OFFHEAP, out);
    double times = terrace.payloadShare().median() / bucketCache.payloadShare().median();
    Result result =
        new Result(
                "churn",
                "Churn (bench churn)",
                "Blocks of 4 KB to 1 MB, four times as many as fit, are looked up after Zipf's law,"
                    + " and each miss is put. Payload is the bytes of the blocks in the cache, in"
                    + " parts of what it was configured with, read once a second; the thin line"
                    + " goes from the least to the most of the run. Memory that holds no blocks is"
                    + " lost to the size classes of the cache.",
                machine,
                spec.commandLine())
            .setting("seconds", seconds)
            .setting("sizeBytes", size.bytes())
            .setting("threads", threads)
            .add(ChurnResult.table(List.of(terrace, bucketCache)))
            .addTargets(ChurnResult.targets(terrace, bucketCache))
            .add(
                new Headline(
                    HEADLINE_RANK,
                    Unit.TIMES.format(times),
                    "the blocks' bytes of BucketCache offheap in the same memory, while blocks of"
                        + " all sizes come and go"));
    return !output.finish(result, out) && check ? 1 : 0;
  }

  private ChurnResult run(CacheKind cache, PrintWriter out)
      throws IOException, InterruptedException {
    ChurnSettings settings = settings(cache);
    out.printf(
        "%s: %s, %d threads; first %d times that is put, and then %d s count%n",
        cache.title(), size, threads, ChurnSettings.WARMUP_PER_CAPACITY, seconds);
    out.flush();
    // Well above the capacity: a cache that takes too much is to be seen, not stopped.
    String direct = "-XX:MaxDirectMemorySize=" + 2 * size.bytes();
    return OwnJvm.run(settings, ChurnResult.class, direct);
  }

  private ChurnSettings settings(CacheKind cache) {
    try {
      return new ChurnSettings(cache, size.bytes(), seconds, threads);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
