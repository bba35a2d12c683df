// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.cases.PublishedCase.Ratio;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Column.Unit;
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
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.io.function.IOConsumer;
import org.apache.commons.io.function.IOSupplier;
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

/** (g) and (g-moves): gets during splits, merges, compactions and moves of regions. */
final class RegionCases {

  private static final String TERRACE = "g-terrace";
  private static final double DRAM = 0.1;
  private static final double SSD = 0.5;
  private static final int COMPACTED_PARTS = 8;
  private static final double FLUSHED_SHARE = 0.125;

  /** Files of each region, beside the loaded one, that the compaction merges. */
  private static final int FILES_TO_COMPACT = 2;

  /** The last one counts: from those before it a cache learns whether their blocks are read. */
  private static final int FLUSHES = 3;

  private static final double AROUND_EVENTS = 20;
  private static final Duration COMPACTION_LIMIT = Duration.ofMinutes(10);
  private static final Workload LOAD = Workload.YCSB_C;
  private static final Workload LOAD_OF_FLUSHES = Workload.LATEST_READS;

  /** Files of split or merged regions that refer to files of other regions. */
  private static final String REFERENCES = "hbase/data/default/usertable/*/f/[0-9a-f]*.*";

  /** Allows only requested flushes and compactions and what follows, in all regions at once. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "hbase.hstore.compaction.min", "10",
          "hbase.regionserver.thread.compaction.small", "4",
          "hbase.regionserver.thread.compaction.large", "4",
          "hbase.hregion.memstore.flush.size", "2147483648",
          "hbase.regionserver.msginterval", "1000",
          "hbase.hfile.compaction.discharger.interval", "60000");

  private static final double DRAM_OF_MOVES = 0.18;
  private static final double SSD_OF_MOVES = 0.3;
  private static final double ALL_OF_MOVES = DRAM_OF_MOVES + SSD_OF_MOVES;
  private static final double AROUND_MOVES = 12;
  private static final double TARGET_BYTES = 1.2;
  private static final double DRAM_PART = 0.9;
  private static final double DRAM_SECONDS = 10;
  private static final double MAX_SHARE_OF_MACHINE = 0.1;

  static final PublishedCase EVENTS =
      new PublishedCase(
          "g",
          "Gets through what changes a region's files: a major compaction, splits, merges, a flush",
          "no figures; HBase and RocksDB can cache all that a compaction or a flush writes,"
              + " RisingWave what overlaps cached blocks",
          bench -> new RegionCases(bench).events());

  static final PublishedCase MOVES =
      new PublishedCase(
          "g-moves",
          "Gets through a move of all regions, a kill -9 of their server, a rolling restart",
          "no figures; HBase can read all of a region's files once it opens",
          bench -> new RegionCases(bench).moves());

  private final CaseBench bench;
  private final List<Ratio> ratios = new ArrayList<>();
  private final Map<String, List<Watch.Point>> series = new LinkedHashMap<>();

  private RegionCases(CaseBench bench) {
    this.bench = bench;
  }

  private PublishedCase.Figures events() throws IOException {
    ServerSetup heat = bench.terraceSsd(TERRACE, DRAM, SSD, SlowProfile.OBJECT_STORE);
    ServerSetup off = bench.terraceSsd("g-terrace-off", DRAM, SSD, SlowProfile.OBJECT_STORE);
    ServerSetup bucket = bench.bucketFile("g-bucket-file", DRAM, SSD, SlowProfile.OBJECT_STORE);
    List<LoadedServer> servers =
        bench.start(
            List.of(
                heat.with(SETTINGS),
                off.with(SETTINGS)
                    .with(Map.of("hbase.terrace.cache.hot.output", "false"))
                    .titled(off.title() + ", hot output off"),
                bucket
                    .with(SETTINGS)
                    .with(Map.of("hbase.rs.cachecompactedblocksonwrite", "true"))
                    .with(Map.of("hbase.rs.cacheblocksonwrite", "true"))
                    .titled(bucket.title() + ", all output cached")));
    for (LoadedServer server : servers) {
      for (int file = 0; file < FILES_TO_COMPACT; file++) {
        server.rewrite(CaseBench.threads(), file, COMPACTED_PARTS);
        server.flush();
      }
    }
    bench.warmUp(servers, bench.scale().warmUp());
    List<Measure> measures =
        bench.servers().rounds(servers, LOAD, CaseBench.threads(), 1, bench.scale().time());
    for (LoadedServer server : servers) {
      server.server().suspend();
    }
    for (LoadedServer server : servers) {
      server.server().resume();
      series.put(server.setup().title(), measure(server));
      bench.servers().end(List.of(server));
    }
    return new PublishedCase.Figures(measures, ratios, series);
  }

  private List<Watch.Point> measure(LoadedServer server) throws IOException {
    Configuration client = server.server().clientConfiguration();
    TableName table = server.table().name();
    try (AsyncConnection connection =
        FutureUtils.get(ConnectionFactory.createAsyncConnection(client))) {
      Watch watch = Watch.start(server, number -> server, 1);
      AsyncAdmin admin = connection.getAdmin();
      watch.read(LOAD, AROUND_EVENTS);
      pass(server, watch, "a major compaction", LOAD, all -> admin.majorCompact(table));
      if (isMeant(server)) {
        ratios.addAll(bytesCached(server));
      }
      pass(server, watch, "splits", LOAD, all -> all(all.stream().map(admin::splitRegion)));
      watch.readUntil(LOAD, () -> !hasReferences(server));
      // HBase does not merge regions that refer to files of others.
      pass(
          server,
          watch,
          "merges",
          LOAD,
          all ->
              all(
                  IntStream.range(0, all.size() / 2)
                      .mapToObj(i -> admin.mergeRegions(all.subList(2 * i, 2 * i + 2), false))));
      for (int flush = 1; flush <= FLUSHES; flush++) {
        // The rows inserted last.
        long rows = server.table().rows();
        server.rewrite(CaseBench.threads(), rows - Math.round(rows * FLUSHED_SHARE), 1);
        watch.read(LOAD_OF_FLUSHES, AROUND_EVENTS);
        if (flush < FLUSHES) {
          server.flush();
          watch.read(LOAD_OF_FLUSHES, AROUND_EVENTS);
        }
      }
      pass(server, watch, "a flush", LOAD_OF_FLUSHES, all -> admin.flush(table));
      return watch.points();
    }
  }

  private static CompletableFuture<?> all(Stream<CompletableFuture<Void>> asked) {
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new));
  }

  /** Reads during an event and the compactions that it causes, and after them. */
  private void pass(
      LoadedServer server,
      Watch watch,
      String words,
      Workload load,
      Function<List<byte[]>, CompletableFuture<?>> event)
      throws IOException {
    String title = server.setup().title();
    bench.servers().log("Gets through " + words + ": " + title);
    TableName table = server.table().name();
    try (Admin admin = server.connection().getAdmin()) {
      List<byte[]> regions =
          admin.getRegions(table).stream()
              .sorted(RegionInfo.COMPARATOR)
              .map(RegionInfo::getRegionName)
              .toList();
      IOSupplier<Boolean> compacted =
          HBaseServer.compactedSince(admin, table, System.currentTimeMillis());
      Watch.EventCourse course =
          watch.pass(
              load,
              0,
              AROUND_EVENTS,
              reads -> {
                FutureUtils.get(event.apply(regions));
                if (load == LOAD) {
                  server.server().await("compactions ended", COMPACTION_LIMIT, compacted);
                }
              });
      ratios.addAll(course.ratios(words + ", " + title, isMeant(server) ? 0.9 : Double.NaN));
    }
  }

  private static boolean isMeant(LoadedServer server) {
    return server.setup().name().equals(TERRACE);
  }

  /** A region's compacted files, references among them, stay for a while. */
  private boolean hasReferences(LoadedServer server) throws IOException {
    Path data = new Path(bench.servers().folders().data(server.setup().name()).toUri());
    FileSystem files = FileSystem.getLocal(new Configuration(false));
    return files.globStatus(new Path(data, REFERENCES)).length > 0;
  }

  /** The bytes of the compaction's output that were cached, over the cached bytes of its input. */
  private List<Ratio> bytesCached(LoadedServer server) throws IOException {
    Map<String, Long> heat =
        server
            .server()
            .jmx()
            .bean(TerraceStats.QUERY)
            .orElseThrow(() -> new RunFailure(server + " has no bean of Terrace's"))
            .numbersByName("compactionCaching");
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

  private PublishedCase.Figures moves() throws IOException {
    SlowProfile store = SlowProfile.OBJECT_STORE;
    measure(bench.terraceSsd("m-terrace", DRAM_OF_MOVES, SSD_OF_MOVES, store).titled("Terrace"));
    measure(
        bench
            .terraceSsd("m-terrace-peers", DRAM_OF_MOVES, SSD_OF_MOVES, store)
            .with(Map.of("hbase.terrace.warm.rate", "50m,peers"))
            .titled("Terrace, from peers"));
    measure(
        bench
            .terraceSsd("m-terrace-off", DRAM_OF_MOVES, SSD_OF_MOVES, store)
            .with(Map.of("hbase.terrace.warm.rate", "0"))
            .titled("Terrace, warm.rate 0"));
    measure(
        bench
            .bucketFile("m-bucket-file", DRAM_OF_MOVES, ALL_OF_MOVES, store)
            .titled("BucketCache"));
    measure(
        bench
            .bucketFile("m-bucket-prefetch", DRAM_OF_MOVES, ALL_OF_MOVES, store)
            .with(Map.of("hbase.rs.prefetchblocksonopen", "true"))
            .titled("BucketCache, prefetch"));
    return new PublishedCase.Figures(List.of(), ratios, series);
  }

  private void measure(ServerSetup kind) throws IOException {
    try (ServerPair pair = ServerPair.start(bench, kind, SlowProfile.OBJECT_STORE)) {
      List<RegionInfo> regions = pair.regions();
      pair.warmUp(0, bench.scale().warmUp());
      pair.move(regions, 1);
      pair.warmUp(1, bench.scale().warmUp());
      pair.makeSlow();
      pair.forget(1);
      pair.move(regions, 0);
      pass(pair, "a move of all regions", 0.9, watch -> pair.move(regions, 1));
      pair.move(regions, 0);
      pair.forget(0);
      pair.move(regions, 1);
      pass(pair, "kill -9", 0.85, watch -> pair.kill9(1));
      pair.start(1);
      int half = regions.size() / 2;
      List<List<RegionInfo>> halves =
          List.of(regions.subList(0, half), regions.subList(half, regions.size()));
      pair.move(halves.get(1), 1);
      double[] back = new double[2];
      Watch watch =
          pass(
              pair,
              "a rolling restart",
              0.9,
              reads -> {
                for (int number = 0; number < 2; number++) {
                  pair.move(halves.get(number), 1 - number);
                  pair.stop(number);
                  pair.start(number);
                  pair.move(halves.get(number).subList(0, 1), number);
                  back[number] = reads.seconds();
                  pair.move(halves.get(number), number);
                }
              });
      if (kind.isTerrace()) {
        dramAfter(watch, back, kind);
      }
    }
  }

  /** Reads before, during and after an event, and compares. */
  private Watch pass(ServerPair pair, String event, double target, IOConsumer<Watch> action)
      throws IOException {
    String title = pair.clients().setup().title();
    String of = event + ", " + title;
    boolean isMeant = title.equals("Terrace");
    pair.awaitQuiet();
    bench.servers().log("Gets through " + event + ": " + title);
    Watch reads = Watch.start(pair.clients(), pair::server, 2);
    Watch.EventCourse course = reads.pass(LOAD, AROUND_MOVES, AROUND_MOVES, action);
    course.ratios(of, isMeant ? target : Double.NaN).forEach(this::add);
    add(
        Ratio.of(
            "Read from the store since the begin, of the table's bytes: " + of,
            reads.storeBytes(course.began()) / bench.dataBytes(),
            Unit.SHARE));
    if (reads.listedBlocks() > 0) {
      double times = reads.warmBytes() / (reads.listedBlocks() * blockBytes(pair));
      Ratio bytes =
          Ratio.of("Bytes read to warm, over those of the hot blocks: " + of, times, Unit.TIMES);
      add(isMeant ? bytes.atMost(TARGET_BYTES) : bytes);
    }
    series.put(title + ": " + event, reads.points());
    return reads;
  }

  /** Logs a figure at once, since the tables come minutes later. */
  private void add(Ratio ratio) {
    bench.servers().log(ratio.name() + ": " + ratio.figure());
    ratios.add(ratio);
  }

  private static double blockBytes(ServerPair pair) throws IOException {
    long bytes = 0;
    long blocks = 0;
    for (int number = 0; number < 2; number++) {
      if (pair.server(number).server().isAlive()) {
        TerraceStats stats =
            TerraceStats.read(pair.server(number).server().jmx())
                .orElseThrow(() -> new RunFailure("a server without Terrace"));
        bytes += stats.tiers().stream().mapToLong(TerraceStats.Tier::payloadBytes).sum();
        blocks += stats.blocks();
      }
    }
    return (double) bytes / blocks;
  }

  /** How soon DRAM has recovered its hit ratio, after each of the two restarts. */
  private void dramAfter(Watch watch, double[] back, ServerSetup kind) {
    for (int number = 0; number < 2; number++) {
      String of = "server " + (number + 1) + " of the rolling restart, " + kind.title();
      double before = watch.dramHitRatio(number, 0, AROUND_MOVES);
      double reached = watch.secondsToDramHitRatio(number, back[number], DRAM_PART * before);
      String to90 = "To 90 % of DRAM's hit ratio since the first region opens: " + of;
      Ratio seconds = Ratio.of(to90, reached, Unit.SECONDS);
      add(kind.title().equals("Terrace") ? seconds.atMost(DRAM_SECONDS) : seconds);
      double warming = watch.warmingSeconds(number, back[number], back[number] + DRAM_SECONDS);
      add(
          Ratio.of(
                  "Processor time of warming in ten seconds after it, of the machine's: " + of,
                  warming / DRAM_SECONDS / CaseBench.cores(),
                  Unit.SHARE)
              .atMost(MAX_SHARE_OF_MACHINE));
    }
  }
}
