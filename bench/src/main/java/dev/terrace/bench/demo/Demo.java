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
package dev.terrace.bench.demo;

import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.load.LoadedServer;
import dev.terrace.bench.load.SideBySide;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.server.CacheSizes;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** The demo from its first line to its last. */
final class Demo {

  private static final int REGIONS = 6;
  private static final int VALUE_BYTES = 1_000;
  private static final int THREADS = 4;
  private static final Workload READS = Workload.YCSB_C;
  private static final LatencyNanos NOT_TOLD = LatencyNanos.of(LatencyNanos.newHistogram());

  private final DemoCommand options;
  private final PrintWriter out;
  private final SideBySide servers;
  private final Duration time;
  private final LoadTables tables = new LoadTables("Reads", "of HBase's own", "what", "cache");

  Demo(DemoCommand options, HBaseInstall install, RunFolders folders, PrintWriter out) {
    this.options = options;
    this.out = out;
    this.time = Duration.ofSeconds(options.seconds);
    this.servers =
        new SideBySide(
            "terrace demo",
            install,
            folders,
            options.keep,
            new CheckedTable(options.rows, VALUE_BYTES, REGIONS),
            THREADS,
            out);
  }

  void run() throws RunFailure {
    servers.run(
        () -> {
          runToEnd();
          return options;
        });
  }

  private void runToEnd() throws IOException {
    CacheSizes sizes = options.sizes();
    RunFolders folders = servers.folders();
    ServerSetup terrace = ServerSetup.terrace("hbase-with-terrace", "Terrace", sizes, folders);
    servers.load(ServerSetup.terrace(RunFolders.LOADED, "Terrace", sizes, folders));
    LoadedServer server = started(terrace);
    Reads ours = read(server);
    TerraceStats stats = terraceStats(server);
    if (options.compares()) {
      servers.stop(server);
      ServerSetup own =
          ServerSetup.bucketOffheap("hbase-alone", "HBase's own BucketCache offheap", sizes);
      LoadedServer peer = started(own);
      Reads theirs = read(peer);
      servers.stop(peer);
      add(ours, Look.TERRACE, terrace, ours.singleSpeed() / theirs.singleSpeed());
      add(theirs, Look.PEER, own, Double.NaN);
    } else {
      add(ours, Look.TERRACE, terrace, Double.NaN);
    }
    out.println();
    ResultText.print(tiers(stats), out);
    ResultText.print(List.of(tables.clients(), tables.servers()), out);
    if (options.compares()) {
      out.printf(
          """
          What this means: %d client threads call as fast as answers come, on the same machine as the server, so a call's
          own cost hides most of a hit's. A miss reads a file that this machine's page cache holds: on a cluster it costs
          a disk or the network, and the hit ratio counts for more than it does here. HBase's own cache keeps index and
          bloom blocks on the heap, beyond the %s that both have; Terrace was measured first.
          """,
          THREADS, options.dram);
    }
    if (options.restarts()) {
      server = restartWarm(server, stats);
    }
    if (stats.hits() == 0) {
      throw new RunFailure(
          "every value was right, but not one block was read from Terrace's tiers");
    }
    servers.tellRows();
    if (options.keep) {
      keepRunning(options.compares() ? servers.start(terrace) : server);
    }
  }

  private LoadedServer started(ServerSetup setup) throws IOException {
    LoadedServer server = servers.start(List.of(setup)).get(0);
    out.printf("             region server: %s%n", server.server().regionServerPage());
    out.printf("             JMX: %s%n", server.server().jmx().address());
    if (setup.isTerrace()) {
      out.printf("             %s%n", terraceStats(server).startLine());
    }
    return server;
  }

  /** The same reads of each server: some to warm it up, single rows, and a scan of all. */
  private Reads read(LoadedServer server) throws IOException {
    servers.warmUp(List.of(server), READS, time.dividedBy(2));
    servers.log(READS.title());
    LoadFigures single =
        server.recorder().runAndWait(slice -> READS.run(server, THREADS, slice), time);
    server.requireRight();
    servers.log("Scanning the whole table");
    LoadFigures scan = server.recorder().runAndWait(slice -> scan(server), Duration.ZERO);
    server.requireRight();
    return new Reads(single, scan);
  }

  private LoadOutcome scan(LoadedServer server) throws IOException {
    long start = System.nanoTime();
    long rows = server.readAll(THREADS);
    return new LoadOutcome(
        Duration.ofNanos(System.nanoTime() - start), rows, 0, NOT_TOLD, List.of());
  }

  private void add(Reads reads, Look look, ServerSetup setup, double ratio) {
    tables.add(look, List.of(reads.single), ratio, "single rows, Zipf", setup.title());
    tables.add(look, List.of(reads.scan), Double.NaN, "whole scan, rows", setup.title());
  }

  /** Ends HBase, starts it over the same tiers, and shows what they serve. */
  private LoadedServer restartWarm(LoadedServer before, TerraceStats statsBefore)
      throws IOException {
    String end = options.kill ? "Killing HBase with signal 9" : "Stopping HBase";
    servers.log(end + ", and starting it again over the same tiers");
    if (options.kill) {
      servers.kill9(before);
    } else {
      servers.stop(before);
    }
    LoadedServer server = servers.start(before.setup());
    server.awaitAnswer();
    TerraceStats atStart = terraceStats(server);
    LoadOutcome first = READS.run(server, THREADS, Duration.ofSeconds(1));
    out.println(firstSecond(first.operations(), atStart, terraceStats(server)));
    READS.run(server, THREADS, time);
    server.requireRight();
    TerraceStats atEnd = terraceStats(server);
    out.println();
    ResultText.print(tiers(atEnd), out);
    long blocksBefore = lastingTiers(statsBefore).mapToLong(TerraceStats.Tier::blocks).sum();
    long hitsAfter = lastingTiers(atEnd).mapToLong(TerraceStats.Tier::hits).sum();
    if (blocksBefore > 0 && hitsAfter == 0) {
      throw new RunFailure(
          String.format(
              "of %d blocks on PMem and SSD before the restart not one was read after it; see %s",
              blocksBefore, server.server().log()));
    }
    return server;
  }

  private static Stream<TerraceStats.Tier> lastingTiers(TerraceStats stats) {
    return stats.tiers().stream().filter(tier -> !tier.name().equals("dram"));
  }

  /** Returns where the blocks of the first second after a restart came from. */
  static String firstSecond(long rows, TerraceStats before, TerraceStats after) {
    List<String> found = new ArrayList<>();
    long missed = 0;
    for (TerraceStats.Tier tier : after.tiers()) {
      TerraceStats.Tier earlier = before.tier(tier.name()).orElseThrow();
      found.add(String.format(Locale.ROOT, "%s %,d", tier.name(), tier.hits() - earlier.hits()));
      // A lookup that the lowest tier misses is a miss of all.
      missed = tier.misses() - earlier.misses();
    }
    return String.format(
        Locale.ROOT,
        "In the first second: %,d rows read; blocks found in %s; read from files %,d",
        rows,
        String.join(", ", found),
        missed);
  }

  /** Returns what each tier did, and what moved between them. */
  static List<Table> tiers(TerraceStats stats) {
    Table tiers =
        new Table(
            "Terrace's tiers",
            Column.text("tier"),
            Column.of("capacityBytes", "capacity", Unit.BYTES),
            Column.of("blocks", "blocks", Unit.COUNT),
            Column.of("usedBytes", "bytes", Unit.BYTES),
            Column.of("hits", "hits", Unit.COUNT),
            Column.of("hitRatio", "hit ratio", Unit.SHARE),
            Column.of("hitP50", "hit p50", Unit.NANOS),
            Column.of("hitP99", "hit p99", Unit.NANOS));
    for (TerraceStats.Tier tier : stats.tiers()) {
      tiers.row(
          Look.TERRACE,
          tier.name(),
          tier.capacityBytes(),
          tier.blocks(),
          tier.usedBytes(),
          tier.hits(),
          tier.hitRatio(),
          tier.hitP50Nanos(),
          tier.hitP99Nanos());
    }
    Table moves =
        new Table(
            "Between the tiers",
            Column.text("what"),
            Column.of("amount", "blocks or bytes", Unit.COUNT));
    new TreeMap<>(stats.moves()).forEach((what, amount) -> moves.row(Look.TERRACE, what, amount));
    return moves.isEmpty() ? List.of(tiers) : List.of(tiers, moves);
  }

  private static TerraceStats terraceStats(LoadedServer server) throws IOException {
    return TerraceStats.read(server.server().jmx())
        .orElseThrow(() -> new RunFailure("HBase no longer runs with Terrace: " + server));
  }

  private void keepRunning(LoadedServer server) {
    out.printf(
        "HBase keeps running until Ctrl-C: %s; hbase-site.xml for clients: %s; tables, logs and"
            + " caches stay after that. To remove all of it then: %s%n",
        server.server().regionServerPage(),
        servers.folders().server(server.setup().name()).resolve("conf"),
        servers.folders().removal());
    out.flush();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Reads(LoadFigures single, LoadFigures scan) {

    double singleSpeed() {
      return single.outcome().operationsPerSecond();
    }
  }
}
