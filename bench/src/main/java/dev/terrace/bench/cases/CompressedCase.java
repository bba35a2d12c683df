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
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** (h): an SSD tier that compresses its blocks, beside one that does not. */
final class CompressedCase {

  private static final double DRAM = 0.1;
  private static final double SSD = 0.35;
  private static final double PUBLISHED = 1.5;

  static final PublishedCase CASE =
      new PublishedCase(
          "h",
          "An SSD tier with compressed blocks, beside one with plain blocks; data larger than it",
          "1.5 times the throughput, for 2 % more of the processors",
          "HBase's reference guide on hbase.block.data.cachecompressed with Snappy (HBASE-11331)",
          "HBase caches blocks as their file has them, in memory, and decompresses at each read;"
              + " here the files are plain, and only the blocks on SSD are compressed. Caches have"
              + " 0.1 of the data in DRAM and 0.35 on SSD, past the page cache where the file"
              + " system lets them. The store is a simulation (profile hdfs-network: 1 ms a"
              + " request, 1 GB/s). --values words, json or metrics has blocks that shrink, --values"
              + " random blocks that do not.",
          CompressedCase::measure);

  private CompressedCase() {}

  private static PublishedCase.Figures measure(CaseBench bench) throws IOException {
    List<LoadedServer> servers =
        bench.start(
            Stream.of("none", "lz4", "zstd")
                .map(compression -> setup(bench, compression))
                .toArray(ServerSetup[]::new));
    bench.warmUp(servers, bench.scale().warmUp());
    List<TerraceStats.Tier> before = ssd(servers);
    List<Measure> measures =
        bench.roundsAlone(servers, Workload.YCSB_C, CaseBench.threads(), bench.scale().rounds());
    List<TerraceStats.Tier> after = ssd(servers);
    List<Ratio> ratios = new ArrayList<>();
    ratios.add(
        Ratio.of("Gets a second, LZ4 over none", measures.get(1), measures.get(0), Unit.TIMES)
            .published(PUBLISHED, PUBLISHED));
    ratios.add(
        Ratio.of(
            "Gets a second, Zstandard over none", measures.get(2), measures.get(0), Unit.TIMES));
    for (int i = 0; i < servers.size(); i++) {
      String title = measures.get(i).setup().title();
      double written = after.get(i).writtenBytes() - before.get(i).writtenBytes();
      ratios.add(Ratio.of("Blocks on SSD, " + title, (double) after.get(i).blocks(), Unit.COUNT));
      ratios.add(
          Ratio.of("Written to SSD a get, " + title, written / gets(measures.get(i)), Unit.BYTES));
    }
    bench.servers().end(servers);
    return new PublishedCase.Figures(measures, ratios);
  }

  private static ServerSetup setup(CaseBench bench, String compression) {
    ServerSetup setup = bench.terraceSsd("h-" + compression, DRAM, SSD, SlowProfile.HDFS_NETWORK);
    return setup
        .with(
            Map.of(
                "hbase.terrace.ssd.compression", compression, "hbase.terrace.ssd.direct", "true"))
        .titled(setup.title() + ", " + compression);
  }

  private static double gets(Measure measure) {
    return measure.runs().stream().mapToLong(run -> run.outcome().operations()).sum();
  }

  private static List<TerraceStats.Tier> ssd(List<LoadedServer> servers) throws IOException {
    List<TerraceStats.Tier> tiers = new ArrayList<>();
    for (LoadedServer server : servers) {
      tiers.add(
          TerraceStats.read(server.server().jmx())
              .flatMap(stats -> stats.tier("ssd"))
              .orElseThrow(() -> new RunFailure(server + " has no SSD tier")));
    }
    return tiers;
  }
}
