// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.macro;

import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.ServerBenchmark;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code terrace bench macro}: whole HBase servers with different block caches under the same
 * loads.
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

  /** The table is about four times DRAM; PMem is three times DRAM, and SSD holds the table. */
  static final Scale SCALE =
      new Scale(300_000, CacheSizes.ofMebibytes(512, 80, 240, 768), 3, 1, 22);

  @Option(
      names = "--configurations",
      paramLabel = "NAME,...",
      split = ",",
      description = "which caches: ${COMPLETION-CANDIDATES} (default: all)")
  private EnumSet<MacroCache> caches = EnumSet.allOf(MacroCache.class);

  @Option(
      names = "--workloads",
      paramLabel = "NAME,...",
      split = ",",
      description = "which loads: ${COMPLETION-CANDIDATES} (default: those of YCSB)")
  private EnumSet<Workload> workloads = EnumSet.copyOf(Workload.YCSB);

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads of the client (default: 4, or twice the cores if that is more)")
  private int threads = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  private Scale scale;

  MacroCommand() {
    super(
        "A real HBase under load",
        "Each cache has an HBase server in a process of its own, with the same DRAM bytes for"
            + " blocks and the same data; a client in another process puts a load on it. The"
            + " servers take turns, round after round. YCSB is the Yahoo! Cloud Serving Benchmark;"
            + " Zipf means that few rows are read often.");
  }

  @Override
  protected void checkOptions() {
    scale = scale(SCALE);
    Scale.require("--threads", threads, 1, 1_000);
  }

  @Override
  protected void measure(Result result) throws IOException {
    CacheSizes sizes = scale.sizes();
    long pmem = caches.stream().filter(MacroCache::usesPmem).count() * sizes.pmem();
    RunFolders.Parents parents = parents(pmem);
    SideBySide servers = open(HBaseInstall.toRun(), scale, parents, threads);
    note(scale, parents, threads, result);
    result
        .setting("dataBytes", scale.fileBytes())
        .setting("dramBytes", sizes.dram())
        .setting("pmemBytes", sizes.pmem())
        .setting("ssdBytes", sizes.ssd());
    List<ServerSetup> setups =
        caches.stream().map(cache -> cache.setup(sizes, servers.folders())).toList();
    List<Measure> measures =
        servers.run(
            () -> measure(servers, scale, setups, workloads, threads, scale.time().dividedBy(2)));
    tables(measures).forEach(result::add);
  }

  /** What the clients saw, and what the servers did. */
  static List<Table> tables(List<Measure> measures) {
    LoadTables loads = new LoadTables("YCSB", "of HBase's best", "workload", "cache");
    for (Measure measure : measures) {
      double best =
          measures.stream()
              .filter(each -> each.workload() == measure.workload() && !each.setup().isTerrace())
              .mapToDouble(each -> each.speed().median())
              .max()
              .orElse(Double.NaN);
      loads.add(
          measure,
          measure.speed().median() / best,
          measure.workload().title(),
          measure.setup().title());
    }
    return List.of(loads.clients().bars("YCSB", "opsPerSecond"), loads.servers());
  }

  /** The block caches compared. */
  enum MacroCache {
    LRU("HBase LRU"),
    BUCKET_OFFHEAP("HBase BucketCache offheap"),
    BUCKET_FILE("HBase BucketCache file"),
    TERRACE_DRAM("Terrace DRAM"),
    TERRACE_DRAM_PMEM("Terrace DRAM + PMem"),
    TERRACE_DRAM_SSD("Terrace DRAM + SSD"),
    TERRACE_ALL("Terrace DRAM + PMem + SSD");

    private final String title;

    MacroCache(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean usesPmem() {
      return this == TERRACE_DRAM_PMEM || this == TERRACE_ALL;
    }

    boolean usesSsd() {
      return this == BUCKET_FILE || this == TERRACE_DRAM_SSD || this == TERRACE_ALL;
    }

    ServerSetup setup(CacheSizes sizes, RunFolders folders) {
      long nothing = 0;
      CacheSizes used =
          new CacheSizes(
              sizes.heap(),
              sizes.dram(),
              usesPmem() ? sizes.pmem() : nothing,
              usesSsd() ? sizes.ssd() : nothing);
      return switch (this) {
        case LRU -> ServerSetup.lru(toString(), title, used);
        case BUCKET_OFFHEAP -> ServerSetup.bucketOffheap(toString(), title, used);
        case BUCKET_FILE -> ServerSetup.bucketFile(toString(), title, used, folders);
        default -> ServerSetup.terrace(toString(), title, used, folders);
      };
    }
  }
}
