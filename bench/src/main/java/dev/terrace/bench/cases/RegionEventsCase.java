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
import dev.terrace.bench.server.JavaProcess;
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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.FutureUtils;

/** (g): what it costs the gets that go on if the files of regions change. */
final class RegionEventsCase {

  private static final String TERRACE = "g-terrace";
  private static final double DRAM = 0.1;
  private static final double SSD = 0.5;
  private static final double TARGET_HITS = 0.9;
  private static final double TARGET_BYTES = 1.5;
  private static final int COMPACTED_PARTS = 8;
  private static final double FLUSHED_SHARE = 0.125;

  /** Further files of each region that the compaction finds. */
  private static final int FILES_TO_COMPACT = 2;

  /** The last one counts: a cache learns from those before whether their blocks are read. */
  private static final int FLUSHES = 3;

  private static final double BEFORE_SECONDS = 20;
  private static final double AFTER_SECONDS = 20;
  private static final double PATIENCE_SECONDS = 600;
  private static final Duration SLICE = Duration.ofSeconds(1);
  private static final Workload LOAD = Workload.YCSB_C;
  private static final Workload LOAD_OF_FLUSHES = Workload.LATEST_READS;

  /** Files of regions that split or merged, and refer to those of others. */
  private static final String REFERENCES = "hbase/data/default/usertable/*/f/[0-9a-f]*.*";

  /** Only the flushes and compactions that are asked for or follow, and of all regions at once. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "hbase.hstore.compaction.min", "10",
          "hbase.regionserver.thread.compaction.small", "4",
          "hbase.regionserver.thread.compaction.large", "4",
          "hbase.hregion.memstore.flush.size", "2147483648",
          "hbase.regionserver.msginterval", "1000",
          "hbase.hfile.compaction.discharger.interval", "60000");

  static final PublishedCase CASE =
      new PublishedCase(
          "g",
          "Gets through what changes a region's files: a major compaction, splits, merges, a flush",
          "no figures; HBase and RocksDB can cache all that a compaction or a flush writes,"
              + " RisingWave what overlaps cached blocks",
          "hbase.rs.cachecompactedblocksonwrite and hbase.rs.cacheblocksonwrite in HBase's"
              + " reference guide; facebook/rocksdb#14445; risingwavelabs/risingwave#8553",
          "The store is the simulation of an object store; caches have 0.1 of the data in DRAM and"
              + " half of it on SSD. Each region has one file of all rows and two more with an"
              + " eighth of them each, written again. The events are those of all four regions at"
              + " once, on the cores of the clients, one server after the other. A split or merge"
              + " has ended when the new regions have compacted what they took over. The flush is"
              + " the third of the eighth of the rows that was inserted last, and these are read"
              + " most: the reads of YCSB D, from before the first such flush on. A hit is a get"
              + " that took less than the 20 ms to the store's first byte, so the hit ratio is"
              + " never too high, and reads by compactions do not count. The end of an event is"
              + " known up to two seconds late; the lowest ten seconds are those since its begin.",
          bench -> new RegionEventsCase(bench).measure());

  private final CaseBench bench;
  private final List<Ratio> ratios = new ArrayList<>();
  private final Map<String, List<LoadOutcome.SeriesPoint>> series = new LinkedHashMap<>();

  private RegionEventsCase(CaseBench bench) {
    this.bench = bench;
  }

  private ServerSetup[] setups() {
    SlowProfile store = SlowProfile.OBJECT_STORE;
    ServerSetup heat = bench.terraceSsd(TERRACE, DRAM, SSD, store).with(SETTINGS);
    ServerSetup noHeat = bench.terraceSsd("g-terrace-off", DRAM, SSD, store).with(SETTINGS);
    ServerSetup bucket = bench.bucketFile("g-bucket-file", DRAM, SSD, store).with(SETTINGS);
    return new ServerSetup[] {
      heat,
      noHeat
          .with(
              Map.of("hbase.terrace.compaction.heat", "false", "hbase.terrace.flush.heat", "false"))
          .titled(noHeat.title() + ", heat off"),
      bucket
          .with(
              Map.of(
                  "hbase.rs.cachecompactedblocksonwrite", "true",
                  "hbase.rs.cacheblocksonwrite", "true"))
          .titled(bucket.title() + ", all output cached")
    };
  }

  private PublishedCase.Figures measure() throws IOException {
    List<LoadedServer> servers = bench.start(setups());
    for (LoadedServer server : servers) {
      for (int file = 0; file < FILES_TO_COMPACT; file++) {
        server.rewrite(CaseBench.threads(), file, COMPACTED_PARTS);
        server.flush();
      }
    }
    bench.warmUp(servers, bench.scale().warmUp());
    List<Measure> measures = bench.roundsAlone(servers, LOAD, CaseBench.threads(), 1);
    for (LoadedServer server : servers) {
      server.server().suspend();
    }
    for (LoadedServer server : servers) {
      server.server().resume();
      measure(server);
      bench.servers().end(List.of(server));
    }
    return new PublishedCase.Figures(measures, ratios, series);
  }

  private void measure(LoadedServer server) throws IOException {
    Configuration client = server.server().clientConfiguration();
    Course course = new Course(System.nanoTime());
    try (Admin admin = server.connection().getAdmin();
        AsyncConnection async = FutureUtils.get(ConnectionFactory.createAsyncConnection(client))) {
      Events events = new Events(server, LOAD, course, admin, async);
      events.read(BEFORE_SECONDS);
      pass(RegionEvent.MAJOR_COMPACTION, events);
      if (passesHeatOn(server)) {
        ratios.addAll(bytesCached(server));
      }
      pass(RegionEvent.SPLIT, events);
      events.readUntil(() -> !hasReferences(server));
      pass(RegionEvent.MERGE, events);
      Events latest = new Events(server, LOAD_OF_FLUSHES, course, admin, async);
      for (int flush = 1; flush < FLUSHES; flush++) {
        rewriteLatest(server);
        latest.read(BEFORE_SECONDS);
        server.flush();
        latest.read(AFTER_SECONDS);
      }
      rewriteLatest(server);
      latest.read(BEFORE_SECONDS);
      pass(RegionEvent.FLUSH, latest);
    }
    series.put(server.setup().title(), course.points());
  }

  /** Writes the rows again that were inserted last. */
  private static void rewriteLatest(LoadedServer server) throws IOException {
    long rows = server.table().rows();
    server.rewrite(CaseBench.threads(), rows - Math.round(rows * FLUSHED_SHARE), 1);
  }

  private static boolean passesHeatOn(LoadedServer server) {
    return server.setup().name().equals(TERRACE);
  }

  /** The compacted files of a region, with references among them, stay for a while. */
  private boolean hasReferences(LoadedServer server) throws IOException {
    Path data = new Path(bench.servers().folders().data(server.setup().name()).toUri());
    FileSystem files = FileSystem.getLocal(new Configuration(false));
    return files.globStatus(new Path(data, REFERENCES)).length > 0;
  }

  /** Reads while an event happens and for a while after it, and compares that with before. */
  private void pass(RegionEvent event, Events events) throws IOException {
    LoadedServer server = events.server();
    String title = server.setup().title();
    bench.servers().log("Gets through " + event.words() + ": " + title);
    EventCourse course = events.pass(event);
    String end = " " + event.words() + ", of those before, " + title;
    Ratio after = Ratio.of("Hits in ten seconds after" + end, course.hitsAfter(), Unit.SHARE);
    ratios.add(passesHeatOn(server) ? after.atLeast(TARGET_HITS) : after);
    ratios.add(
        Ratio.of(
            "Hits in the lowest ten seconds since the begin of" + end,
            course.lowestHits(),
            Unit.SHARE));
    ratios.add(Ratio.of("Gets in ten seconds after" + end, course.speedAfter(), Unit.SHARE));
    ratios.add(Ratio.of("Time of " + event.words() + ", " + title, course.seconds(), Unit.SECONDS));
  }

  /** What the cache took of the compaction's output, over the input's bytes that it had. */
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
                "Bytes cached of the compaction's output, over those of resident blocks, "
                    + server.setup().title(),
                passedOn / resident,
                Unit.TIMES)
            .atMost(TARGET_BYTES),
        Ratio.of(
            "Bytes of all of the output, over the same", bench.dataBytes() / resident, Unit.TIMES));
  }

  /** The reads of one server while events happen. */
  private record Events(
      LoadedServer server, Workload load, Course course, Admin admin, AsyncConnection async) {

    /** Reads while an event happens, and for a while after it. */
    EventCourse pass(RegionEvent event) throws IOException {
      double began = course.seconds();
      readUntil(event.begin(async.getAdmin(), admin, server.table().name()));
      double ended = course.seconds();
      read(AFTER_SECONDS);
      return new EventCourse(course.points(), began, ended);
    }

    void read(double seconds) throws IOException {
      double end = course.seconds() + seconds;
      readUntil(() -> course.seconds() >= end);
    }

    void readUntil(JavaProcess.Condition end) throws IOException {
      double patience = course.seconds() + PATIENCE_SECONDS;
      while (!end.holds()) {
        if (course.seconds() > patience) {
          throw new RunFailure(server + " is not done after " + PATIENCE_SECONDS + " s");
        }
        course.add(server, () -> load.run(server, CaseBench.threads(), SLICE));
      }
    }
  }
}
