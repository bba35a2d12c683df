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
package dev.terrace.bench.macro;

import dev.terrace.bench.hbase.ClientLog;
import dev.terrace.bench.hbase.HBaseInstall;
import dev.terrace.bench.hbase.RunFailure;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.hbase.RunPlaces;
import dev.terrace.bench.hbase.ServerFleet;
import dev.terrace.bench.hbase.ServerRun;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.PlannedProgress;
import dev.terrace.bench.report.Progress;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code terrace bench macro}: whole HBase servers with different block caches under the same
 * loads.
 *
 * <p>Ends with 0 when every figure was taken and every value was right, with 1 when not or when
 * something was in the way, and with 2 when an option was wrong.
 */
@Command(
    name = "macro",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Real HBase servers side by side, one for each block cache, under PerformanceEvaluation"
            + " and YCSB.")
public final class MacroCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--scale",
      paramLabel = "SCALE",
      defaultValue = "small",
      description =
          "how large data and caches are: small (about 9 GB of memory, 15 minutes), medium (32"
              + " GB), or large (167 GB) (default: ${DEFAULT-VALUE})")
  private String scaleName;

  @Option(
      names = "--configurations",
      paramLabel = "NAME,...",
      split = ",",
      description =
          "which caches: lru, bucket-offheap, bucket-file, terrace-dram, terrace-dram-pmem,"
              + " terrace-dram-ssd, terrace-all (default: all)")
  private List<String> configurations = List.of();

  @Option(
      names = "--workloads",
      paramLabel = "NAME,...",
      split = ",",
      description =
          "which loads: pe-random-read, pe-scan-range-100, pe-random-seek-scan,"
              + " pe-random-read-write, ycsb-c, ycsb-a, ycsb-f, ycsb-e, ycsb-inserts (default:"
              + " all)")
  private List<String> workloads = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "how often each cache runs each load (default: 3, above small 5)")
  private Integer rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "how long each run is (default: 1, medium 10, large 30)")
  private Integer seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description =
          "seconds that each cache's server warms up on each table at most; it ends when the"
              + " server has compiled nearly all (default: 22, medium 60, large 120)")
  private Integer warmUp;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "rows of each table, of 1,000 bytes (default: 300,000, 4 million, 32 million)")
  private Long rows;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads of the client (default: 4, or twice the cores if that is more)")
  private Integer threads;

  @Mixin private RunPlaces places;

  @Mixin private ResultOptions output = new ResultOptions();

  @Override
  public Integer call() {
    MacroOptions options = checkedOptions();
    try {
      run(options);
      return CommandLine.ExitCode.OK;
    } catch (RunFailure e) {
      spec.commandLine().getErr().println("terrace bench macro: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private MacroOptions checkedOptions() {
    try {
      MacroScale scale = named("--scale", scaleName, MacroScale.values(), MacroScale::toString);
      int cores = Runtime.getRuntime().availableProcessors();
      return new MacroOptions(
          scale.toString(),
          rows != null ? rows : scale.rows(),
          scale.sizes(),
          chosen("--configurations", configurations, Configuration.values(), Configuration::id),
          chosen("--workloads", workloads, MacroWorkload.values(), MacroWorkload::id),
          rounds != null ? rounds : scale.rounds(),
          Duration.ofSeconds(seconds != null ? seconds : scale.seconds()),
          Duration.ofSeconds(warmUp != null ? warmUp : scale.warmUpSeconds()),
          threads != null ? threads : Math.max(4, 2 * cores),
          places.keep());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** Returns those that were named, in the order of {@code all}, or all when none was. */
  private static <T> List<T> chosen(
      String option, List<String> names, T[] all, Function<T, String> name) {
    List<T> wanted = names.stream().map(word -> named(option, word.strip(), all, name)).toList();
    return Arrays.stream(all).filter(one -> names.isEmpty() || wanted.contains(one)).toList();
  }

  private static <T> T named(String option, String word, T[] all, Function<T, String> name) {
    return Arrays.stream(all)
        .filter(one -> name.apply(one).equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    option
                        + ": '"
                        + word
                        + "' is none of "
                        + Arrays.stream(all).map(name).collect(Collectors.joining(", "))));
  }

  private void run(MacroOptions options) throws RunFailure {
    Resources resources = new Resources(options);
    HBaseInstall install = ServerRun.install();
    RunPlaces.Parents parents = places.parents(resources.pmem().bytes());
    resources.require(Path.of("/proc"), parents.work(), parents.pmem(), parents.ssd());
    RunFolders folders = RunFolders.create("terrace-macro-", parents);
    // Before anything of HBase's is asked, its version included.
    ClientLog.writeTo(folders.clientLog());
    Machine machine = new Machine();
    PrintWriter out = spec.commandLine().getOut();
    printHead(options, machine, parents, out);
    Result result = result(options, parents, machine);
    ServerFleet fleet = new ServerFleet(install);
    PlannedProgress progress =
        new PlannedProgress(new MacroPlan(options).total(), out, System::nanoTime);
    MacroRun run = new MacroRun(options, folders, fleet, progress);
    List<WorkloadResult> results =
        new ServerRun("terrace bench macro", fleet, folders)
            .run(options.keep(), line -> out.printf("%s%n", line).flush(), run::run);
    out.printf(
        "All %,d rows that were read and looked at had the right values%nIt took %s%n",
        run.checks().rows(), Progress.inWords(progress.elapsed()));
    new MacroReport(results).addTo(result);
    try {
      output.finish(result, out);
    } catch (IOException e) {
      throw new RunFailure("cannot write the results (" + e + "); use --json", e);
    }
  }

  private static void printHead(
      MacroOptions options, Machine machine, RunPlaces.Parents places, PrintWriter out) {
    ResultOptions.printHead(machine, out);
    CacheSizes sizes = options.sizes();
    out.printf(
        "Scale %s: %,d rows of 1,000 bytes a table; heap %s, DRAM %s, PMem %s in %s, SSD %s in"
            + " %s; %d threads%n",
        options.scale(),
        options.rows(),
        sizes.heap(),
        sizes.dram(),
        sizes.pmem(),
        places.pmem(),
        sizes.ssd(),
        places.ssd(),
        options.threads());
    out.printf(
        "%d caches, %d workloads, %d rounds of %d s: about %s on two idle cores%n",
        options.configurations().size(),
        options.workloads().size(),
        options.rounds(),
        options.time().toSeconds(),
        Progress.inWords(Duration.ofSeconds(Math.round(new MacroPlan(options).total()))));
    out.flush();
  }

  private Result result(MacroOptions options, RunPlaces.Parents places, Machine machine) {
    CacheSizes sizes = options.sizes();
    return new Result(
            "macro",
            "A real HBase under load (bench macro)",
            "Each cache has an HBase server in a process of its own, with the same DRAM bytes for"
                + " blocks and the same data; a client in another process puts a load on it. The"
                + " servers take turns, round after round. YCSB is the Yahoo! Cloud Serving"
                + " Benchmark, PE is HBase's own PerformanceEvaluation; Zipf means that few rows are"
                + " read often.",
            machine,
            spec.commandLine())
        .setting("scale", options.scale())
        .setting("rounds", options.rounds())
        .setting("secondsPerRun", options.time().toSeconds())
        .setting("rows", options.rows())
        .setting("valueBytes", options.ycsbTable().fieldBytes())
        .setting("dataBytes", options.fileBytes() / 2)
        .setting("tables", 2)
        .setting("heapBytes", sizes.heap().bytes())
        .setting("dramBytes", sizes.dram().bytes())
        .setting("pmemBytes", sizes.pmem().bytes())
        .setting("ssdBytes", sizes.ssd().bytes())
        .setting("clientThreads", options.threads())
        .setting("pmemDirectory", places.pmem().toString())
        .setting("ssdDirectory", places.ssd().toString());
  }
}
