// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.macro;

import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.ServerBenchmark;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.macro.MacroPlan.MacroCache;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
        "Real HBase servers side by side, one for each block cache, under YCSB: 300,000 rows, 8 GB"
            + " of memory, 15 minutes.")
public final class MacroCommand extends ServerBenchmark {

  /** The table has about four times the bytes of DRAM, PMem three times, and SSD holds it all. */
  static final Scale SCALE = Scale.of(300_000, List.of("512m", "80m", "240m", "768m"), 3, 1, 22);

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
          "which loads: ycsb-c, ycsb-c-uniform, ycsb-a, ycsb-f, ycsb-e, ycsb-inserts (default:"
              + " all)")
  private List<String> workloads = List.of();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads of the client (default: 4, or twice the cores if that is more)")
  private Integer threads;

  private MacroPlan plan;

  MacroCommand() {
    super(
        "A real HBase under load",
        "Each cache has an HBase server in a process of its own, with the same DRAM bytes for"
            + " blocks and the same data; a client in another process puts a load on it. The"
            + " servers take turns, round after round. YCSB is the Yahoo! Cloud Serving Benchmark;"
            + " Zipf means that few rows are read often.");
  }

  @Override
  protected boolean promises() {
    return false;
  }

  @Override
  protected void checkOptions() {
    int cores = Runtime.getRuntime().availableProcessors();
    plan =
        new MacroPlan(
            scale(SCALE),
            chosen(
                "--configurations", configurations, List.of(MacroCache.values()), MacroCache::id),
            chosen("--workloads", workloads, Workload.YCSB, Workload::id),
            threads != null ? threads : Math.max(4, 2 * cores));
  }

  @Override
  protected void measure(Result result) throws IOException {
    RunFolders.Parents parents = parents(plan.pmem().bytes());
    plan.requireRoom(parents);
    CacheSizes sizes = plan.scale().sizes();
    SideBySide servers = open(plan.scale(), parents, plan.threads());
    note(plan.scale(), parents, plan.threads(), result);
    result
        .setting("dataBytes", plan.fileBytes())
        .setting("dramBytes", sizes.dram().bytes())
        .setting("pmemBytes", sizes.pmem().bytes())
        .setting("ssdBytes", sizes.ssd().bytes());
    tables(servers.run(() -> measure(plan, servers))).forEach(result::add);
  }

  private static List<Measure> measure(MacroPlan plan, SideBySide bench) throws IOException {
    CacheSizes sizes = plan.scale().sizes();
    bench.load(ServerSetup.lru(RunFolders.LOADED, "HBase LRU", sizes));
    List<LoadedServer> servers =
        bench.start(
            plan.caches().stream()
                .map(cache -> cache.setup(sizes, bench.folders()).with(HBaseServer.SUSPENDABLE))
                .toList());
    bench.readAll(servers);
    List<Measure> measures = new ArrayList<>();
    Duration time = plan.scale().time();
    // After a mere scan the caches do not know yet what is popular.
    Duration warmUp = plan.scale().warmUp();
    for (Workload workload : plan.workloads()) {
      bench.warmUp(servers, workload, warmUp);
      warmUp = time.dividedBy(2);
      measures.addAll(bench.rounds(servers, workload, plan.threads(), plan.scale().rounds(), time));
    }
    bench.end(servers);
    bench.tellRows();
    return measures;
  }

  /** What the clients saw, and what the servers did. */
  static List<Table> tables(List<Measure> measures) {
    LoadTables loads = new LoadTables("YCSB", "of HBase's best", "workload", "cache");
    for (Measure measure : measures) {
      loads.add(
          measure.look(),
          measure.runs(),
          ratioToBest(measures, measure),
          measure.workload().title(),
          measure.setup().title());
    }
    return List.of(loads.clients().bars("YCSB", "opsPerSecond"), loads.servers());
  }

  /** Returns the speed as a part of the best that HBase's own caches reached; NaN if none ran. */
  static double ratioToBest(List<Measure> measures, Measure measure) {
    double best =
        measures.stream()
            .filter(each -> each.workload() == measure.workload() && !each.setup().isTerrace())
            .mapToDouble(each -> each.speed().median())
            .max()
            .orElse(Double.NaN);
    return measure.speed().median() / best;
  }
}
