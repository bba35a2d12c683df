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

import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Measure;
import dev.terrace.bench.load.Scale;
import dev.terrace.bench.load.ScaleOptions;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.PlannedProgress;
import dev.terrace.bench.report.Progress;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.server.CacheSizes;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.RunPlaces;
import dev.terrace.bench.server.ServerRun;
import dev.terrace.bench.server.ServerSetup;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
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
    description = {
      "Real HBase servers side by side, one for each block cache, under PerformanceEvaluation and"
          + " YCSB.",
      "Scales: small (300,000 rows, 9 GB of memory, 15 minutes), medium (4 million, 32 GB), large"
          + " (32 million, 167 GB)."
    })
public final class MacroCommand implements Callable<Integer> {

  /** A table has about four times the bytes of DRAM, PMem three times, and SSD holds both. */
  static final List<Scale> SCALES =
      List.of(
          Scale.of("small", 300_000, List.of("512m", "80m", "240m", "768m"), 3, 1, 22),
          Scale.of("medium", 4_000_000, List.of("2g", "1g", "3g", "10g"), 5, 10, 60),
          Scale.of("large", 32_000_000, List.of("8g", "8g", "24g", "80g"), 5, 30, 120));

  private static final int REGIONS = 4;

  @Spec private CommandSpec spec;

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
      names = "--threads",
      paramLabel = "N",
      description = "threads of the client (default: 4, or twice the cores if that is more)")
  private Integer threads;

  @Mixin private ScaleOptions options;

  @Override
  public Integer call() {
    MacroPlan plan;
    try {
      int cores = Runtime.getRuntime().availableProcessors();
      plan =
          new MacroPlan(
              options.scale(SCALES),
              ScaleOptions.chosen(
                  "--configurations", configurations, List.of(MacroCache.values()), MacroCache::id),
              ScaleOptions.chosen(
                  "--workloads", workloads, List.of(Workload.values()), Workload::id),
              threads != null ? threads : Math.max(4, 2 * cores));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    try {
      run(plan);
      return CommandLine.ExitCode.OK;
    } catch (RunFailure e) {
      spec.commandLine().getErr().println("terrace bench macro: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private void run(MacroPlan plan) throws RunFailure {
    HBaseInstall install = ServerRun.install();
    RunPlaces.Parents parents = options.places().parents(plan.pmem().bytes());
    plan.requireRoom(parents);
    RunFolders folders = parents.createFolders("terrace-macro-");
    // Before anything of HBase's is asked, its version included.
    folders.takeClientLog();
    PrintWriter out = spec.commandLine().getOut();
    Scale scale = plan.scale();
    CacheSizes sizes = scale.sizes();
    Result result =
        options
            .begin(
                "macro",
                "A real HBase under load (bench macro)",
                "Each cache has an HBase server in a process of its own, with the same DRAM bytes"
                    + " for blocks and the same data; a client in another process puts a load on"
                    + " it. The servers take turns, round after round. YCSB is the Yahoo! Cloud"
                    + " Serving Benchmark, PE is HBase's own PerformanceEvaluation; Zipf means that"
                    + " few rows are read often.",
                scale,
                parents,
                spec)
            .setting("dataBytes", plan.fileBytes() / 2)
            .setting("tables", 2)
            .setting("dramBytes", sizes.dram().bytes())
            .setting("pmemBytes", sizes.pmem().bytes())
            .setting("ssdBytes", sizes.ssd().bytes())
            .setting("clientThreads", plan.threads());
    out.printf(
        Locale.ROOT,
        "Scale %s: %,d rows of 1,000 bytes a table; heap %s, DRAM %s, PMem %s in %s, SSD %s in %s;"
            + " %d threads%n",
        scale.name(),
        scale.rows(),
        sizes.heap(),
        sizes.dram(),
        sizes.pmem(),
        parents.pmem(),
        sizes.ssd(),
        parents.ssd(),
        plan.threads());
    PlannedProgress log = new PlannedProgress(plan.seconds(), out, System::nanoTime);
    ServerRun run =
        new ServerRun(
            "terrace bench macro", install, folders, options.places().keep(), out::println);
    SideBySide servers =
        new SideBySide(run, LoadedServer.Tables.of(scale.rows(), REGIONS), log, plan.threads());
    List<Measure> measures = run.run(() -> measure(plan, servers, folders, log));
    out.printf(
        Locale.ROOT,
        "All %,d rows that were read and checked had the right values%nIt took %s%n",
        servers.checks().rows(),
        Progress.inWords(log.elapsed()));
    new MacroReport(measures).addTo(result);
    options.end(result, true, out);
  }

  private static List<Measure> measure(
      MacroPlan plan, SideBySide bench, RunFolders folders, PlannedProgress log)
      throws IOException, RunFailure {
    CacheSizes sizes = plan.scale().sizes();
    bench.load(ServerSetup.lru(RunFolders.LOADED, "HBase LRU", sizes), plan.groups());
    List<LoadedServer> servers =
        bench.start(plan.caches().stream().map(cache -> cache.setup(sizes, folders)).toList());
    log.done(plan.preparation());
    List<Measure> measures = new ArrayList<>();
    Set<Workload.Group> read = EnumSet.noneOf(Workload.Group.class);
    Duration time = plan.scale().time();
    for (Workload workload : plan.workloads()) {
      // After a mere scan the caches do not know yet what is popular.
      boolean isFirst = read.add(workload.group());
      if (isFirst) {
        bench.readAll(servers, workload.group());
      }
      bench.warmUp(servers, workload, isFirst ? plan.scale().warmUp() : time.dividedBy(2));
      measures.addAll(
          bench.rounds(servers, workload, plan.threads(), plan.scale().rounds(), time, false));
      log.done(plan.seconds(isFirst));
    }
    bench.end(servers);
    return measures;
  }
}
