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

import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Measure;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Admin;

/** (g): what a major compaction costs the gets that go on. */
final class CompactionCase {

  private static final String TERRACE = "g-terrace";
  private static final double DRAM = 0.1;
  private static final double SSD = 0.5;
  private static final double TARGET_HITS = 0.9;
  private static final double TARGET_BYTES = 1.5;
  private static final int REWRITES = 2;
  private static final int ROWS_OF_ONE_REWRITTEN = 8;
  private static final double BEFORE_SECONDS = 20;
  private static final double AFTER_SECONDS = 20;
  private static final double PATIENCE_SECONDS = 600;
  private static final Duration SLICE = Duration.ofSeconds(1);
  private static final Workload LOAD = Workload.YCSB_C;

  /** Nothing but the compaction that is asked for, and of all regions at once. */
  private static final Map<String, String> COMPACTIONS =
      Map.of(
          "hbase.hstore.compaction.min", "10",
          "hbase.regionserver.thread.compaction.small", "4",
          "hbase.regionserver.thread.compaction.large", "4");

  static final PublishedCase CASE =
      new PublishedCase(
          "g",
          "Gets through a major compaction",
          "no figures; HBase and RocksDB can cache all that a compaction writes, RisingWave what"
              + " overlaps cached blocks",
          "hbase.rs.cachecompactedblocksonwrite in HBase's reference guide; facebook/rocksdb#14445;"
              + " risingwavelabs/risingwave#8553",
          "The store is the simulation of an object store; caches have 0.1 of the data in DRAM and"
              + " half of it on SSD. Each region has one file of all rows and two more with an"
              + " eighth of them each, written again. All four regions are compacted at once, on"
              + " the cores of the clients, one server after the other. A hit is a get that took"
              + " less than the 20 ms to the store's first byte, so the hit ratio is never too"
              + " high, and the compaction's own reads do not count. The end of a compaction is"
              + " known up to two seconds late; the lowest ten seconds are those since its begin.",
          bench -> new CompactionCase(bench).measure());

  private final CaseBench bench;
  private final List<Ratio> ratios = new ArrayList<>();
  private final Map<String, List<LoadOutcome.SeriesPoint>> series = new LinkedHashMap<>();

  private CompactionCase(CaseBench bench) {
    this.bench = bench;
  }

  private ServerSetup[] setups() {
    SlowProfile store = SlowProfile.OBJECT_STORE;
    ServerSetup heat = bench.terraceSsd(TERRACE, DRAM, SSD, store).with(COMPACTIONS);
    ServerSetup noHeat = bench.terraceSsd("g-terrace-off", DRAM, SSD, store).with(COMPACTIONS);
    ServerSetup bucket = bench.bucketFile("g-bucket-file", DRAM, SSD, store).with(COMPACTIONS);
    return new ServerSetup[] {
      heat,
      noHeat
          .with(Map.of("hbase.terrace.compaction.heat", "false"))
          .titled(noHeat.title() + ", compaction heat off"),
      bucket
          .with(Map.of("hbase.rs.cachecompactedblocksonwrite", "true"))
          .titled(bucket.title() + ", all output cached")
    };
  }

  private PublishedCase.Figures measure() throws IOException {
    List<LoadedServer> servers = bench.start(setups());
    for (LoadedServer server : servers) {
      for (int first = 0; first < REWRITES; first++) {
        server.rewrite(CaseBench.threads(), first, ROWS_OF_ONE_REWRITTEN);
      }
    }
    bench.warmUp(servers, bench.scale().warmUp());
    List<Measure> measures = bench.roundsAlone(servers, LOAD, CaseBench.threads(), 1);
    for (LoadedServer server : servers) {
      server.server().suspend();
    }
    for (LoadedServer server : servers) {
      server.server().resume();
      compact(server);
      bench.servers().end(List.of(server));
    }
    return new PublishedCase.Figures(measures, ratios, series);
  }

  private void compact(LoadedServer server) throws IOException {
    String title = server.setup().title();
    bench.servers().log("A major compaction: " + title);
    CompactedCourse course = course(server);
    boolean passesHeatOn = server.setup().name().equals(TERRACE);
    Ratio after =
        Ratio.of(
            "Hits in ten seconds after, of those before, " + title, course.hitsAfter(), Unit.SHARE);
    ratios.add(passesHeatOn ? after.atLeast(TARGET_HITS) : after);
    ratios.add(
        Ratio.of(
            "Hits in the lowest ten seconds, of those before, " + title,
            course.lowestHits(),
            Unit.SHARE));
    ratios.add(
        Ratio.of(
            "Gets in ten seconds after, of those before, " + title,
            course.speedAfter(),
            Unit.SHARE));
    ratios.add(Ratio.of("The compaction, " + title, course.seconds(), Unit.SECONDS));
    if (passesHeatOn) {
      ratios.addAll(bytesCached(server));
    }
    series.put(title, course.points());
  }

  /** What the cache took of the output, as a multiple of the input's bytes that it had. */
  private List<Ratio> bytesCached(LoadedServer server) throws IOException {
    Map<String, Long> heat =
        server
            .server()
            .jmx()
            .bean(TerraceStats.QUERY)
            .orElseThrow(() -> new RunFailure(server + " has no bean of Terrace's"))
            .numbersByName("compactionHeat");
    double resident = heat.getOrDefault("residentBytesRead", 0L);
    double passedOn = heat.getOrDefault("bytesPassedOn", 0L);
    return List.of(
        Ratio.of(
                "Bytes cached of the output, over those of resident blocks, "
                    + server.setup().title(),
                passedOn / resident,
                Unit.TIMES)
            .atMost(TARGET_BYTES),
        Ratio.of(
            "Bytes of all of the output, over the same", bench.dataBytes() / resident, Unit.TIMES));
  }

  private static CompactedCourse course(LoadedServer server) throws IOException {
    Course course = new Course(System.nanoTime());
    try (Admin admin = server.connection().getAdmin()) {
      read(server, course, () -> course.seconds() >= BEFORE_SECONDS);
      double began = course.seconds();
      HBaseServer.Condition done = HBaseServer.majorCompact(admin, server.table().name());
      read(server, course, done);
      double ended = course.seconds();
      read(server, course, () -> course.seconds() >= ended + AFTER_SECONDS);
      return new CompactedCourse(course.points(), began, ended);
    }
  }

  private static void read(LoadedServer server, Course course, HBaseServer.Condition end)
      throws IOException {
    while (!end.holds()) {
      if (course.seconds() > PATIENCE_SECONDS) {
        throw new RunFailure(server + " still compacts after " + PATIENCE_SECONDS + " s");
      }
      course.add(server, () -> LOAD.run(server, CaseBench.threads(), SLICE));
    }
  }
}
