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
import dev.terrace.bench.hbase.HBaseInstall;
import dev.terrace.bench.report.CommandText;
import dev.terrace.bench.report.JsonReport;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.BenchmarkJvm;
import dev.terrace.bench.workload.BenchmarkProcess;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import picocli.CommandLine.Command;
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

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Where the results go (default: bench/target/reports/pause.json).")
  private Path json;

  @Option(names = "--check", description = "Fails unless Terrace keeps what it promises.")
  private boolean check;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<PauseSettings> runs = runs();
    Machine machine = new Machine();
    out.printf("%s%n", machine.oneLine());
    machine.busyWarning().ifPresent(warning -> out.printf("%s%n", warning));
    List<PauseResult> pauses = new ArrayList<>();
    List<StallResult> stalls;
    try {
      for (PauseSettings run : runs) {
        pauses.add(run(run, out));
      }
      stalls = runStalled(out);
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
    PauseReport report = new PauseReport(pauses, stalls);
    if (!pauses.isEmpty()) {
      out.printf(
          "%nCallers of a cache, on one thread: gets of blocks read often, each timed, and each 20"
              + " us a put%n%n%s",
          report.pauses());
    }
    out.printf(
        "%nPuts into Terrace's SSD tier while its device is stalled%n%n%s%n", report.stalls());
    List<Target> targets = report.targets();
    boolean met = Target.print(targets, out);
    write(pauses, stalls, targets, machine);
    return check && !met ? 1 : 0;
  }

  private List<PauseSettings> runs() {
    try {
      List<PauseSettings> runs = new ArrayList<>();
      for (CacheKind cache : caches) {
        runs.add(new PauseSettings(cache, Duration.ofSeconds(seconds), blocks));
      }
      return onlyStalled ? List.of() : runs;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private PauseResult run(PauseSettings run, PrintWriter out)
      throws IOException, InterruptedException {
    out.printf("%s: evicts a file of %,d blocks, and fills up%n", run.cache().title(), blocks);
    out.flush();
    String output =
        process(
            PauseMain.PAUSE,
            Integer.toString(seconds),
            run.cache().label(),
            Integer.toString(run.fileBlocks()));
    return new Gson().fromJson(output, PauseResult.class);
  }

  private List<StallResult> runStalled(PrintWriter out) throws IOException, InterruptedException {
    out.printf("Terrace ssd: puts while its device is stalled%n");
    out.flush();
    String output = process(PauseMain.STALL, Integer.toString(seconds));
    return List.of(new Gson().fromJson(output, StallResult[].class));
  }

  private static String process(String... arguments) throws IOException, InterruptedException {
    List<String> jvmArguments = BenchmarkJvm.arguments(Scratch.fileParent(), Scratch.pmemParent());
    return new BenchmarkProcess(PauseMain.class, jvmArguments, List.of(arguments)).run();
  }

  private void write(
      List<PauseResult> pauses, List<StallResult> stalls, List<Target> targets, Machine machine)
      throws IOException {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("command", CommandText.of(spec.commandLine()));
    settings.put("blocks", blocks);
    settings.put("blockSizeBytes", PauseSettings.BLOCK_SIZE_BYTES);
    settings.put("seconds", seconds);
    JsonReport report = new JsonReport("pause", Instant.now(), machine, settings);
    report.add("pauses", pauses);
    report.add("stalls", stalls);
    report.add("targets", targets);
    Path file =
        json != null ? json : HBaseInstall.home().resolve("bench/target/reports/pause.json");
    report.write(file);
    spec.commandLine().getOut().printf("Written: %s%n", file);
    spec.commandLine().getOut().flush();
  }
}
