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
package dev.terrace.bench.pause;

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

/** {@code terrace bench pause}: how long callers wait while a cache is busy. */
@Command(
    name = "pause",
    mixinStandardHelpOptions = true,
    description =
        "How long a get or a put takes while a large file is evicted, while the cache makes room,"
            + " and while the SSD is stalled.")
public final class PauseCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--caches",
      split = ",",
      paramLabel = "CACHE",
      converter = Converters.Cache.class,
      description =
          "As for bench hit, without the floors (default:"
              + " bucket-offheap, terrace, bucket-pmem, terrace-pmem, bucket-file, terrace-ssd).")
  private List<CacheKind> caches =
      List.of(
          CacheKind.BUCKET_OFFHEAP,
          CacheKind.TERRACE,
          CacheKind.BUCKET_PMEM,
          CacheKind.TERRACE_PMEM,
          CacheKind.BUCKET_FILE,
          CacheKind.TERRACE_SSD);

  @Option(
      names = "--only-stalled",
      description = "Only puts while the SSD is stalled, of which something is promised.")
  private boolean onlyStalled;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "100000",
      description = "The blocks, of 4 KB, of the file that is evicted (default: 100,000).")
  private int blocks;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How long a full cache, and a stalled device, are used (default: 5).")
  private int seconds;

  @Mixin private ResultOptions output = new ResultOptions();

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises.")
  private boolean check;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<PauseRun> runs = runs();
    Machine machine = new Machine();
    ResultOptions.printHead(machine, out);
    List<PauseResult> pauses = new ArrayList<>();
    List<StallResult> stalls;
    try {
      for (PauseRun run : runs) {
        out.printf("%s: evicts a file of %,d blocks, and fills up%n", run.cache().title(), blocks);
        out.flush();
        pauses.add(OwnJvm.run(run, PauseResult.class));
      }
      out.printf("Terrace ssd: puts while its device is stalled%n");
      out.flush();
      stalls = List.of(OwnJvm.run(new StallRun.All(seconds), StallResult[].class));
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
    boolean met = output.finish(result(pauses, stalls, machine), out);
    return check && !met ? 1 : 0;
  }

  private List<PauseRun> runs() {
    try {
      List<PauseRun> runs = new ArrayList<>();
      for (CacheKind cache : caches) {
        runs.add(new PauseRun(cache, seconds, blocks));
      }
      return onlyStalled ? List.of() : runs;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Result result(List<PauseResult> pauses, List<StallResult> stalls, Machine machine) {
    return new Result(
            "pause",
            "Pauses (bench pause)",
            "How long a get or a put takes while something goes on beside it. Every call is timed,"
                + " and the line of nothing shows what the clock costs and how long the machine"
                + " stops a thread by itself. Calls follow one another, so that one long pause is"
                + " one call: look at the maximum.",
            machine,
            spec.commandLine())
        .setting("blocks", blocks)
        .setting("blockSizeBytes", PauseRun.BLOCK_SIZE_BYTES)
        .setting("seconds", seconds)
        .add(PauseReport.pauses(pauses))
        .add(PauseReport.stalls(stalls))
        .addTargets(PauseReport.targets(stalls))
        .detail("pauses", pauses)
        .detail("stalls", stalls);
  }
}
