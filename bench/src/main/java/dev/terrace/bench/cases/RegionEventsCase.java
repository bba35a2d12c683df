// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.cases.PublishedCase.Ratio;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.JavaProcess;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.slow.SlowProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.FutureUtils;

final class RegionEventsCase {

  private static final String TERRACE = "g-terrace";
  private static final double DRAM = 0.1;
  private static final double SSD = 0.5;
  private static final int COMPACTED_PARTS = 8;
  private static final double FLUSHED_SHARE = 0.125;

  /** Further files of each region that the compaction finds. */
  private static final int FILES_TO_COMPACT = 2;

  /** The last one counts: a cache learns from those before whether their blocks are read. */
  private static final int FLUSHES = 3;

  private static final double AROUND_SECONDS = 20;
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
          bench -> new RegionEventsCase(bench).measure());

  private final CaseBench bench;
  private final List<Ratio> ratios = new ArrayList<>();

  private RegionEventsCase(CaseBench bench) {
    this.bench = bench;
  }

  /** Asks HBase to change all regions of a table, which are in the order of their keys. */
  private interface Asking {

    CompletableFuture<?> ask(AsyncAdmin admin, TableName table, List<byte[]> regions);
  }

  private PublishedCase.Figures measure() throws IOException {
    ServerSetup heat = bench.terraceSsd(TERRACE, DRAM, SSD, SlowProfile.OBJECT_STORE);
    ServerSetup off = bench.terraceSsd("g-terrace-off", DRAM, SSD, SlowProfile.OBJECT_STORE);
    ServerSetup bucket = bench.bucketFile("g-bucket-file", DRAM, SSD, SlowProfile.OBJECT_STORE);
    List<LoadedServer> servers =
        bench.start(
            heat.with(SETTINGS),
            off.with(SETTINGS)
                .with(Map.of("hbase.terrace.heat", "false"))
                .titled(off.title() + ", heat off"),
            bucket
                .with(SETTINGS)
                .with(Map.of("hbase.rs.cachecompactedblocksonwrite", "true"))
                .with(Map.of("hbase.rs.cacheblocksonwrite", "true"))
                .titled(bucket.title() + ", all output cached"));
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
    Map<String, List<Watch.Point>> series = new LinkedHashMap<>();
    for (LoadedServer server : servers) {
      server.server().resume();
      series.put(server.setup().title(), measure(server));
      bench.servers().end(List.of(server));
    }
    return new PublishedCase.Figures(measures, ratios, series);
  }

  private List<Watch.Point> measure(LoadedServer server) throws IOException {
    Configuration client = server.server().clientConfiguration();
    try (Admin admin = server.connection().getAdmin();
        AsyncConnection async = FutureUtils.get(ConnectionFactory.createAsyncConnection(client));
        Watch watch = Watch.start(server, number -> server, 1)) {
      Events events = new Events(server, admin, async.getAdmin(), watch);
      watch.read(LOAD, AROUND_SECONDS);
      events.pass(
          "a major compaction", LOAD, true, (asked, table, all) -> asked.majorCompact(table));
      if (passesHeatOn(server)) {
        ratios.addAll(bytesCached(server));
      }
      events.pass(
          "splits", LOAD, true, (asked, table, all) -> all(all.stream().map(asked::splitRegion)));
      watch.readUntil(LOAD, () -> !hasReferences(server));
      // HBase refuses regions that refer to files of others.
      events.pass(
          "merges",
          LOAD,
          true,
          (asked, table, all) ->
              all(
                  IntStream.range(0, all.size() / 2)
                      .mapToObj(i -> asked.mergeRegions(all.subList(2 * i, 2 * i + 2), false))));
      for (int flush = 1; flush < FLUSHES; flush++) {
        rewriteLatest(server);
        watch.read(LOAD_OF_FLUSHES, AROUND_SECONDS);
        server.flush();
        watch.read(LOAD_OF_FLUSHES, AROUND_SECONDS);
      }
      rewriteLatest(server);
      watch.read(LOAD_OF_FLUSHES, AROUND_SECONDS);
      events.pass("a flush", LOAD_OF_FLUSHES, false, (asked, table, all) -> asked.flush(table));
      return watch.points();
    }
  }

  private static CompletableFuture<?> all(Stream<CompletableFuture<Void>> asked) {
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new));
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
    String cached = "Bytes cached of the compaction's output, over those of resident blocks, ";
    return List.of(
        Ratio.of(
                cached + server.setup().title(),
                heat.getOrDefault("bytesPassedOn", 0L) / resident,
                Unit.TIMES)
            .atMost(1.5),
        Ratio.of(
            "Bytes of all of the output, over the same", bench.dataBytes() / resident, Unit.TIMES));
  }

  /** The events of one server. */
  private final class Events {

    private final LoadedServer server;
    private final Admin admin;
    private final AsyncAdmin async;
    private final Watch watch;

    Events(LoadedServer server, Admin admin, AsyncAdmin async, Watch watch) {
      this.server = server;
      this.admin = admin;
      this.async = async;
      this.watch = watch;
    }

    /**
     * Reads while an event happens, with the compactions that it brings, and for a while after it;
     * compares that with before.
     */
    void pass(String words, Workload load, boolean compacts, Asking event) throws IOException {
      String title = server.setup().title();
      bench.servers().log("Gets through " + words + ": " + title);
      TableName table = server.table().name();
      List<byte[]> regions =
          admin.getRegions(table).stream()
              .sorted(RegionInfo.COMPARATOR)
              .map(RegionInfo::getRegionName)
              .toList();
      JavaProcess.Condition compacted =
          HBaseServer.compactedSince(admin, table, System.currentTimeMillis());
      double began = watch.seconds();
      CompletableFuture<?> asked = event.ask(async, table, regions);
      watch.readUntil(load, asked::isDone);
      FutureUtils.get(asked);
      watch.readUntil(load, () -> !compacts || compacted.holds());
      double ended = watch.seconds();
      watch.read(load, AROUND_SECONDS);
      Watch.EventCourse course = watch.course(began, ended);
      String end = " " + words + ", of those before, " + title;
      Ratio after = Ratio.of("Hits in ten seconds after" + end, course.hitsAfter(), Unit.SHARE);
      ratios.add(passesHeatOn(server) ? after.atLeast(0.9) : after);
      String lowest = "Hits in the lowest ten seconds since the begin of" + end;
      ratios.add(Ratio.of(lowest, course.lowestHits(), Unit.SHARE));
      ratios.add(Ratio.of("Gets in ten seconds after" + end, course.speedAfter(), Unit.SHARE));
      ratios.add(Ratio.of("Time of " + words + ", " + title, course.seconds(), Unit.SECONDS));
    }
  }
}
