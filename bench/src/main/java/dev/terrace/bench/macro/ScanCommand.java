// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.macro;

import dev.terrace.bench.inside.ServerContents;
import dev.terrace.bench.inside.ServerContents.RegionEvents;
import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.ServerBenchmark;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseInstall.ClassJar;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "scan",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Scans and gets of an observed table whose blocks are all cached: speed and garbage of"
            + " Terrace in DRAM, on PMem and on SSD beside BucketCache offheap and LRU.")
public final class ScanCommand extends ServerBenchmark {

  private static final Scale SCALE =
      new Scale(200_000, CacheSizes.ofMebibytes(512, 384, 512, 512), 3, 5, 30);

  private static final int THREADS = 1;

  private static final List<Workload> LOADS =
      List.of(Workload.TABLE_SCAN, Workload.SCANS_OF_100, Workload.YCSB_C_UNIFORM);

  @Option(names = "--unobserved", description = "without the observer: hits may be off the heap")
  private boolean unobserved;

  private Scale scale;

  ScanCommand() {
    super(
        "Scans and gets of an observed table",
        "Each cache holds all data; servers take turns while the others are suspended. Garbage is"
            + " what the server's threads allocated on the heap. An operation of a scan of the whole"
            + " table is a row, of the others a scan of 100 rows, or a get.");
  }

  @Override
  protected void checkOptions() {
    scale = scale(SCALE);
  }

  @Override
  protected void measure(Result result) throws IOException {
    RunFolders.Parents parents = parents(scale.sizes().pmem());
    SideBySide servers = open(HBaseInstall.toRun(), scale, parents, THREADS);
    note(scale, parents, THREADS, result);
    result.setting("observed", !unobserved);
    List<Measure> measures =
        servers.run(
            () ->
                measure(servers, scale, setups(servers.folders()), LOADS, THREADS, scale.warmUp()));
    LoadTables loads = new LoadTables("Scans and gets", "", "load", "cache");
    for (Measure measure : measures) {
      loads.add(measure, Double.NaN, measure.workload().title(), measure.setup().title());
    }
    result.add(loads.clients().bars("Operations a second", "opsPerSecond")).add(loads.servers());
  }

  private List<ServerSetup> setups(RunFolders folders) throws IOException {
    CacheSizes sizes = scale.sizes();
    long none = 0;
    CacheSizes dram = new CacheSizes(sizes.heap(), sizes.dram(), none, none);
    CacheSizes pmem = new CacheSizes(sizes.heap(), none, sizes.pmem(), none);
    CacheSizes ssd = new CacheSizes(sizes.heap(), none, none, sizes.ssd());
    Path jar = ClassJar.write(folders.work().resolve("inside.jar"), List.of(ServerContents.class));
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.coprocessor.regionserver.classes", ServerContents.class.getName());
    if (!unobserved) {
      settings.put("hbase.coprocessor.user.region.classes", RegionEvents.class.getName());
    }
    return Stream.of(
            ServerSetup.terrace("terrace-dram", "Terrace DRAM", dram, folders),
            ServerSetup.terrace("terrace-pmem", "Terrace PMem", pmem, folders),
            ServerSetup.terrace("terrace-ssd", "Terrace SSD", ssd, folders),
            ServerSetup.bucketOffheap("bucket-offheap", "BucketCache offheap", dram),
            ServerSetup.lru("lru", "HBase LRU", dram))
        .map(setup -> setup.with(settings).with(List.of(jar)))
        .toList();
  }
}
