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
package dev.terrace.bench.cases;

import dev.terrace.bench.hbase.ClientLog;
import dev.terrace.bench.hbase.HBaseInstall;
import dev.terrace.bench.hbase.RunFailure;
import dev.terrace.bench.hbase.RunFolders;
import dev.terrace.bench.hbase.RunPlaces;
import dev.terrace.bench.hbase.ServerRun;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.ResultOptions;
import dev.terrace.bench.report.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code terrace bench cases}: comparisons that others have published, repeated here.
 *
 * <p>Ends with 0 when every figure was taken and every value was right, whether or not all targets
 * were met; with 1 when not or when something was in the way, and with 2 when an option was wrong.
 */
@Command(
    name = "cases",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Published comparisons of block caches, repeated with real HBase servers, each figure"
            + " beside the published one.")
public final class CasesCommand implements Callable<Integer> {

  private static final int ROUNDS = 3;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "CASE",
      description =
          "a: PMem beside DRAM; b: PMem beside less DRAM, over a disk; c: SSD over an object store;"
              + " d: all cached, what the cores do; e: SSD beside local files; f: warm restart"
              + " (default: all)")
  private List<String> letters = List.of();

  @Option(
      names = "--scale",
      paramLabel = "SCALE",
      defaultValue = "small",
      description =
          "how large the data is: small (about 0.3 GB), medium (4 GB), or large (32 GB) (default:"
              + " ${DEFAULT-VALUE})")
  private String scaleName;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "how often servers take turns; (a) does three times that (default: " + ROUNDS + ")")
  private Integer rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "how long each run is (default: 3, medium 8, large 20)")
  private Integer seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "" + CaseOptions.WARM_UP_SECONDS,
      description =
          "how many seconds a server is warmed up, at most: less once it has compiled its code"
              + " (default: ${DEFAULT-VALUE})")
  private int warmUpSeconds;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "rows of the table, of 1,000 bytes (default: 250,000, 4 million, 30 million)")
  private Long rows;

  @Mixin private RunPlaces places;

  @Mixin private ResultOptions output = new ResultOptions();

  @Override
  public Integer call() {
    List<PublishedCase> cases;
    CaseOptions options;
    try {
      cases = PublishedCase.named(letters);
      options = options();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    try {
      run(cases, options);
      return CommandLine.ExitCode.OK;
    } catch (RunFailure e) {
      spec.commandLine().getErr().println("terrace bench cases: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private CaseOptions options() {
    CaseScale scale =
        Arrays.stream(CaseScale.values())
            .filter(one -> one.toString().equals(scaleName))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "--scale: '" + scaleName + "' is none of small, medium, large"));
    return new CaseOptions(
        scale.toString(),
        rows != null ? rows : scale.rows(),
        scale.heap(),
        Duration.ofSeconds(warmUpSeconds),
        Duration.ofSeconds(seconds != null ? seconds : scale.seconds()),
        rounds != null ? rounds : ROUNDS,
        Runtime.getRuntime().availableProcessors(),
        places.keep());
  }

  private void run(List<PublishedCase> cases, CaseOptions options) throws RunFailure {
    HBaseInstall install = ServerRun.install();
    RunPlaces.Parents parents = places.parents(options.mostPmemBytes());
    RunFolders folders = RunFolders.create("terrace-cases-", parents);
    PrintWriter out = spec.commandLine().getOut();
    Machine machine = new Machine();
    ClientLog.writeTo(folders.clientLog());
    printHead(cases, options, machine, parents, out);
    CasesRun run = new CasesRun(cases, options, folders, install, out);
    List<CaseResult> results = run.run();
    Result result = result(options, run.dataBytes(), parents, machine);
    for (CaseResult one : results) {
      new CaseReport(one).addTo(result);
    }
    try {
      Target.print(result.targets(), out);
      output.write(result, out);
    } catch (IOException e) {
      throw new RunFailure("cannot write the results (" + e + "); use --json", e);
    }
  }

  private static void printHead(
      List<PublishedCase> cases,
      CaseOptions options,
      Machine machine,
      RunPlaces.Parents places,
      PrintWriter out) {
    ResultOptions.printHead(machine, out);
    out.printf(
        Locale.ROOT,
        "Scale %s: %,d rows of 1,000 bytes, heap %s; PMem in %s, SSD in %s; %d cores, which the"
            + " clients share%n",
        options.scale(),
        options.rows(),
        options.heap(),
        places.pmem(),
        places.ssd(),
        options.cores());
    out.printf(
        "Cases %s: about %s on two idle cores%n%n",
        cases.stream().map(one -> one.about().letter()).collect(Collectors.joining(" ")),
        CasesRun.plannedInWords(cases, options));
    out.flush();
  }

  private Result result(
      CaseOptions options, long dataBytes, RunPlaces.Parents places, Machine machine) {
    return new Result(
            "cases",
            "Published cases (bench cases)",
            "What papers and talks have published of tiered block caches, measured again here: each"
                + " case with the ratio to its peer in the same run, and with words on what differs"
                + " from the original. Yellow bars are what was published.",
            machine,
            spec.commandLine())
        .setting("scale", options.scale())
        .setting("rounds", options.rounds())
        .setting("secondsPerRun", options.time().toSeconds())
        .setting("warmUpSecondsAtMost", options.warmUp().toSeconds())
        .setting("rows", options.rows())
        .setting("valueBytes", options.valueBytes())
        .setting("dataBytes", dataBytes)
        .setting("heapBytes", options.heap().bytes())
        .setting("clientThreads", options.threads())
        .setting("pmemDirectory", places.pmem().toString())
        .setting("ssdDirectory", places.ssd().toString());
  }
}
