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

import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Measure;
import dev.terrace.bench.load.Scale;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** (j): scans of a table whose blocks are on a real disk. */
final class ScanCase {

  /** In a longer run, scans of 100 rows would find much in the page cache again. */
  static final List<Scale> SCALES =
      List.of(Scale.of("small", 1_000_000, List.of("512m", "0", "0", "0"), 5, 1, 30));

  private static final double DRAM = 0.05;
  private static final int ROWS_OF_A_SCAN = 100;
  private static final double TARGET = 2;

  static final PublishedCase CASE =
      new PublishedCase(
          "j",
          "Scans of a table whose blocks are in caches on a disk",
          "no figures; the operating system reads ahead of scans in a BucketCache in a file",
          "FileIOEngine in HBase's source; scan and scanRange100 of HBase's PerformanceEvaluation",
          "Caches on a real disk hold all data, and Terrace has DRAM for 0.05 of it. One thread"
              + " has filled them, so they have most blocks of a file in its order. Before each"
              + " run the page cache is dropped, and the other servers are suspended. A scan of"
              + " the whole table goes through it once, and an operation is a row; scans of 100"
              + " rows begin at any row, and an operation is a scan. These may find in the page"
              + " cache what others before them have read in the same run.",
          ScanCase::measure);

  private ScanCase() {}

  private static PublishedCase.Figures measure(CaseBench bench) throws IOException {
    List<LoadedServer> servers = bench.start(setups(bench));
    SideBySide sides = bench.servers();
    sides.readAll(servers, 1);
    int many = CaseBench.threads();
    Scale scale = bench.scale();
    sides.log("Warm-up:");
    // Also brings in what a cache that had too much to write has refused.
    sides.rounds(servers, Workload.TABLE_SCAN, 1, 1, scale.time(), SideBySide.Turn.ALONE);
    sides.rounds(servers, Workload.SCANS_OF_100, many, 1, scale.warmUp(), SideBySide.Turn.ALONE);
    List<Measure> measures = new ArrayList<>();
    List<Ratio> ratios = new ArrayList<>();
    for (Load load :
        List.of(
            new Load(Workload.TABLE_SCAN, 1),
            new Load(Workload.SCANS_OF_100, 1),
            new Load(Workload.SCANS_OF_100, many))) {
      List<Measure> measured =
          sides.rounds(
              servers,
              load.workload(),
              load.threads(),
              scale.rounds(),
              scale.time(),
              SideBySide.Turn.ALONE_FROM_DISK);
      measures.addAll(measured);
      measured.forEach(measure -> ratios.add(rows(measure)));
      Measure bucketFile = measured.get(0);
      for (Measure terrace : measured.subList(1, measured.size())) {
        ratios.add(
            Ratio.of(terrace.name() + ", over BucketCache file", terrace, bucketFile, Unit.TIMES));
      }
      Measure oneByOne = measured.get(measured.size() - 2);
      Measure ahead = measured.get(measured.size() - 1);
      Ratio gain = Ratio.of(ahead.name() + ", over one by one", ahead, oneByOne, Unit.TIMES);
      ratios.add(load.threads() == 1 ? gain.atLeast(TARGET) : gain);
    }
    sides.end(servers);
    return new PublishedCase.Figures(measures, ratios);
  }

  /** BucketCache, then Terrace through the page cache, past it one by one, and reading ahead. */
  private static ServerSetup[] setups(CaseBench bench) {
    double all = CaseBench.HOLDS_ALL;
    ServerSetup pageCache = bench.terraceSsd("j-terrace", DRAM, all, SlowProfile.NONE);
    ServerSetup oneByOne = bench.terraceSsd("j-terrace-one-by-one", DRAM, all, SlowProfile.NONE);
    ServerSetup ahead = bench.terraceSsd("j-terrace-ahead", DRAM, all, SlowProfile.NONE);
    return new ServerSetup[] {
      bench.bucketFile("j-bucket-file", DRAM, all, SlowProfile.NONE),
      pageCache
          .with(Map.of("hbase.terrace.ssd.direct", "false"))
          .titled(pageCache.title() + ", page cache"),
      oneByOne
          .with(Map.of("hbase.terrace.ssd.direct", "true", "hbase.terrace.ssd.read.ahead", "false"))
          .titled(oneByOne.title() + ", direct, one by one"),
      ahead
          .with(Map.of("hbase.terrace.ssd.direct", "true"))
          .titled(ahead.title() + ", direct, read ahead")
    };
  }

  private static Ratio rows(Measure measure) {
    int rows = measure.workload() == Workload.TABLE_SCAN ? 1 : ROWS_OF_A_SCAN;
    List<Double> speeds = measure.operationsPerSecond().stream().map(ops -> ops * rows).toList();
    return Ratio.of("Rows a second, " + measure.name(), Summary.of(speeds), Unit.COUNT);
  }

  private record Load(Workload workload, int threads) {}
}
