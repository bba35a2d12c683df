// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.fire.Cluster.RegionServer;
import dev.terrace.bench.fire.FaultLane.Fault;
import dev.terrace.bench.inside.ServerContents.ServerContentsMXBean;
import dev.terrace.bench.load.ClientThreads;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.JavaProcess;
import dev.terrace.bench.server.JmxClient;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.server.TerraceStats.Tier;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.apache.commons.io.function.IOConsumer;
import org.apache.commons.io.function.IOSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.mob.MobUtils;

/** A fire from the first process to the verdict. */
final class FireRun {

  /** Each less than a server's share of the data, so that every tier evicts. */
  private static final CacheSizes SIZES = CacheSizes.ofMebibytes(320, 4, 6, 8);

  /** BucketCache does not start with less. */
  private static final CacheSizes STOCK_SIZES = CacheSizes.ofMebibytes(320, 48, 0, 0);

  private static final Duration MAX_PAUSE_OF_SERVERS = Duration.ofSeconds(15);
  private static final Duration MAX_PAUSE_OF_SERVICES = Duration.ofSeconds(60);

  /** Table operations progress while all servers are up, so fewer servers are killed. */
  private static final Duration MAX_PAUSE_IN_A_SOAK = Duration.ofMinutes(3);

  private static final Duration MAX_PAUSE_OF_REGIONS = Duration.ofSeconds(3);

  /** Blocks of a region that moved away are the first to evict after five minutes. */
  private static final Duration REMAINS_LIMIT = Duration.ofMinutes(9);

  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  private final FireCommand plan;
  private final Cluster cluster;
  private final Timeline timeline;
  private final Soak soak;
  private final RowChecks checks = new RowChecks();
  private final AtomicLong rounds = new AtomicLong();

  /** The blocks that remain of files that no region has open, by file. */
  private Map<String, Long> deadBlocks = Map.of();

  FireRun(FireCommand plan, HBaseInstall install, RunFolders folders, PrintWriter out)
      throws IOException {
    this.plan = plan;
    this.cluster = new Cluster(install, folders, plan.seed);
    this.timeline = new Timeline(out);
    this.soak = new Soak(Duration.ofSeconds(plan.seconds));
  }

  /** Runs the fire and adds its outcome; all processes have ended when this returns. */
  void run(Result result) throws IOException {
    try {
      CacheSizes sizes = plan.stock ? STOCK_SIZES : SIZES;
      cluster.start(plan.servers, !plan.stock, sizes);
      try (Connection connection =
              ConnectionFactory.createConnection(cluster.clientConfiguration());
          Admin admin = connection.getAdmin()) {
        run(connection, admin).addTo(result, !plan.stock);
      }
      if (plan.isSoak) {
        soak.addTo(result);
      }
    } finally {
      stopAtOnce();
    }
  }

  /** Ends all processes. */
  void stopAtOnce() {
    cluster.kill9();
  }

  private Verdict run(Connection connection, Admin admin) throws IOException {
    timeline.tell("started", plan.servers + " region servers, HDFS, master, ZooKeeper");
    if (!cluster.disks.whyNone().isEmpty()) {
      timeline.tell("no disk faults", cluster.disks.whyNone());
    }
    Configuration client = cluster.clientConfiguration();
    List<Batches> tables = Batches.both(connection, checks);
    boolean unused = admin.balancerSwitch(false, true);
    for (Batches each : tables) {
      each.create(admin);
    }
    TableFaults changes = new TableFaults(cluster, connection, admin, tables, timeline);
    changes.prepare();
    timeline.tell("loaded", "the fire begins");
    ServerFaults servers = new ServerFaults(cluster, plan.isSoak ? 1 : 0, timeline);
    HeatFaults heat = new HeatFaults(client, admin, tables.stream().map(Batches::name).toList());
    List<Fault> onTables = new ArrayList<>(changes.all());
    if (!plan.stock) {
      onTables.add(new Fault("heat damaged", 2, heat::strike));
    }
    onTables.add(new Fault("bulk load", 2, random -> Fault.one(random, tables).bulkLoad(client)));
    burn(tables, lanes(servers, onTables));
    servers.restartDead();
    cluster.awaitAtWork();
    changes.dropCopies();
    timeline.tell("over", "checking all rows");
    checkAll(tables);
    admin.clearBlockCache(tables.get(0).name());
    Map<String, Long> remains =
        awaitNone(
            () -> {
              // Dead blocks are evicted only when space is needed.
              checkAll(tables);
              return remains();
            });
    timeline.tell("remains", remains + " dead, blocks by file: " + deadBlocks);
    long held = WarmStart.belowDram(tiers(), Tier::blocks);
    Map<String, Long> warmed = heat();
    restart(heat);
    long cameBack = WarmStart.belowDram(tiers(), Tier::recovered);
    timeline.tell("restarted", cameBack + " blocks came back; reading all rows again");
    checkAll(tables);
    awaitNone(() -> Map.of("waiting", heat().getOrDefault("regionsToWarm", 0L)));
    // Regions that were queued before the stop no longer matter.
    warmed.remove("regionsToWarm");
    heat().forEach((figure, count) -> warmed.merge(figure, count, Long::sum));
    WarmStart warm = WarmStart.of(held, cameBack, tiers());
    return new Verdict(rounds.get(), timeline, checks, remains, warm, warmed);
  }

  /**
   * Region servers and their disks are struck in one lane, the services they need in another, and
   * tables in a third, so that faults overlap.
   */
  private List<FaultLane> lanes(ServerFaults servers, List<Fault> onTables) {
    long seed = plan.seed;
    Set<String> unknown = new TreeSet<>(plan.faults);
    List<FaultLane> lanes =
        List.of(
            lane(servers.onServers(), seed, most(MAX_PAUSE_OF_SERVERS), unknown),
            lane(servers.onServices(), -seed, most(MAX_PAUSE_OF_SERVICES), unknown),
            lane(onTables, ~seed, MAX_PAUSE_OF_REGIONS, unknown));
    if (!unknown.isEmpty()) {
      timeline.tell("no such faults", "here, so they do not strike: " + unknown);
    }
    return lanes;
  }

  private FaultLane lane(List<Fault> all, long seed, Duration maxPause, Set<String> unknown) {
    List<Fault> chosen =
        all.stream()
            .filter(fault -> plan.faults.isEmpty() || unknown.remove(fault.name()))
            .toList();
    return new FaultLane(chosen, seed, maxPause, timeline);
  }

  private Duration most(Duration pause) {
    return plan.isSoak ? MAX_PAUSE_IN_A_SOAK : pause;
  }

  /** Runs reads, writes and faults concurrently, for the time of the plan. */
  private void burn(List<Batches> tables, List<FaultLane> lanes) throws IOException {
    List<IOConsumer<Integer>> tasks = new ArrayList<>();
    for (Batches table : tables) {
      tasks.add(thread -> table.writeUntil(timeline));
      tasks.add(thread -> rounds.addAndGet(table.readUntil(timeline, plan.seed)));
      tasks.add(thread -> rounds.addAndGet(table.readUntil(timeline, ~plan.seed)));
    }
    lanes.forEach(lane -> tasks.add(thread -> lane.run()));
    if (plan.isSoak) {
      cluster.servers().forEach(server -> tasks.add(thread -> soak.sample(server, timeline)));
    }
    tasks.add(
        thread -> {
          Timeline.sleep(Duration.ofSeconds(plan.seconds));
          timeline.end();
        });
    ClientThreads.run("fire", tasks.size(), thread -> tasks.get(thread).accept(thread));
  }

  private static void checkAll(List<Batches> tables) throws IOException {
    for (Batches table : tables) {
      table.scan();
    }
  }

  /** Waits until all figures are 0, a few minutes at most; returns the last ones. */
  private static Map<String, Long> awaitNone(IOSupplier<Map<String, Long>> figures)
      throws IOException {
    long begin = System.nanoTime();
    Map<String, Long> now = figures.get();
    while (now.values().stream().anyMatch(each -> each != 0)
        && System.nanoTime() - begin < REMAINS_LIMIT.toNanos()) {
      Timeline.sleep(LOOK_EVERY);
      now = figures.get();
    }
    return now;
  }

  /**
   * Returns what a fire left in all region servers together: leased bytes of blocks that nobody
   * reads any more, devices that are out of service or read-only, cached blocks of files that no
   * region has open, and buffers missing from HBase's pool.
   */
  private Map<String, Long> remains() throws IOException {
    List<Tier> tiers = tiers();
    long buffers = 0;
    Map<String, Long> blocks = new TreeMap<>();
    Set<String> live = mobFiles(cluster.clientConfiguration());
    for (RegionServer server : cluster.servers()) {
      JmxClient.Bean contents =
          server
              .jmx()
              .bean(ServerContentsMXBean.NAME)
              .orElseThrow(() -> new IOException(server.name() + " does not tell what it has"));
      buffers += contents.number("lostBuffers");
      live.addAll(contents.numbersByName("openFiles").keySet());
      contents.numbersByName("cachedBlocks").forEach((file, n) -> blocks.merge(file, n, Long::sum));
    }
    blocks.keySet().removeAll(live);
    deadBlocks = blocks;
    return new TreeMap<>(
        Map.of(
            "leased bytes left", tiers.stream().mapToLong(Tier::leasedBytes).sum(),
            "devices out of service", tiers.stream().mapToLong(Tier::devicesNotWell).sum(),
            "dead blocks left", blocks.values().stream().mapToLong(Long::longValue).sum(),
            "buffers lost", buffers));
  }

  /** Files of MOB cells, which stores open only for the duration of a read. */
  private static Set<String> mobFiles(Configuration client) throws IOException {
    Path files = new Path(MobUtils.getMobHome(client), "data/*/*/*/*/*");
    Set<String> names = new HashSet<>();
    for (FileStatus file : FileSystem.get(client).globStatus(files)) {
      names.add(file.getPath().getName());
    }
    return names;
  }

  /** Returns what region servers did since their start to warm regions that moved to them. */
  private Map<String, Long> heat() throws IOException {
    Map<String, Long> all = new TreeMap<>();
    for (RegionServer server : cluster.servers()) {
      TerraceStats.regionWarmup(server.jmx())
          .forEach((figure, n) -> all.merge(figure, n, Long::sum));
    }
    return all;
  }

  private List<Tier> tiers() throws IOException {
    List<Tier> all = new ArrayList<>();
    for (RegionServer server : cluster.servers()) {
      all.addAll(server.tiers());
    }
    return all;
  }

  /**
   * Stops all region servers, verifies their caches, damages the heat lists they left, and starts
   * them again.
   */
  private void restart(HeatFaults heat) throws IOException {
    List<RegionInfo> regions = plan.stock ? List.of() : heat.regions();
    for (String killed : cluster.stopRegionServers()) {
      timeline.found("stop", killed + " did not stop and was killed");
    }
    verifyCaches();
    if (!plan.stock) {
      timeline.tell("heat damaged", heat.damage(regions, new SplittableRandom(plan.seed)));
    }
    cluster.startRegionServers();
  }

  /** Runs {@code inspect --verify} on the caches of stopped servers. */
  private void verifyCaches() throws IOException {
    String java = System.getProperty("java.home") + "/bin/java";
    String tools = HBaseInstall.tools().toString();
    for (RegionServer server : cluster.servers()) {
      for (java.nio.file.Path cache : server.caches()) {
        try {
          String said =
              JavaProcess.runToEnd(java, "-jar", tools, "inspect", "--verify", cache.toString());
          timeline.tell("verify", server.name() + " " + said.lines().reduce("", (a, last) -> last));
        } catch (IOException e) {
          timeline.found("verify", server.name() + ": " + e.getMessage());
        }
      }
    }
  }

  /**
   * The outcome of a fire.
   *
   * @param rounds reads of the whole table, and of a batch, during the fire
   * @param remains what it left in all region servers, by name; all 0 after some minutes
   * @param warm what came back from PMem and SSD after the last start
   * @param heat what servers did to warm regions that moved to them, by the names in JMX
   */
  record Verdict(
      long rounds,
      Timeline timeline,
      RowChecks checks,
      Map<String, Long> remains,
      WarmStart warm,
      Map<String, Long> heat) {

    /** Adds the figures and their targets; of HBase's own cache only right rows are promised. */
    void addTo(Result result, boolean isTerrace) {
      Map<String, Integer> faults = timeline.faults();
      Map<String, Long> figures = new LinkedHashMap<>();
      figures.put("rounds", rounds);
      figures.put("faults", faults.values().stream().mapToLong(Integer::longValue).sum());
      figures.put("refused by HBase", timeline.refused());
      figures.put("rows checked", checks.rows());
      figures.put("wrong, lost, foreign rows", checks.wrong());
      figures.put("failed client operations", checks.errors());
      figures.putAll(remains);
      Table table =
          new Table(
              "What the fire showed",
              Column.text("figure"),
              Column.of("count", "count", Unit.COUNT));
      figures.forEach((figure, count) -> table.row(Look.TERRACE, figure, count));
      result.add(table.note("Faults: " + faults));
      List<Target> targets = new ArrayList<>();
      targets.add(
          checks
              .reason("the cluster")
              .map(fault -> new Target(false, fault))
              .orElse(new Target(true, "all rows were right, and no call failed")));
      targets.add(Target.of(timeline.findings().isEmpty(), "findings: %s", timeline.findings()));
      if (isTerrace) {
        remains.forEach(
            (figure, left) -> targets.add(Target.of(left == 0, "%s: %d", figure, left)));
        targets.add(warm.target());
        long unread = heat.get("listsNotRead");
        long waiting = heat.get("regionsToWarm");
        // The last start met damaged lists, and none of them kept a server busy.
        targets.add(
            Target.of(
                unread > 0 && waiting == 0,
                "blocks warmed: %,d; from other servers: %,d; %,d damaged lists, %,d regions wait",
                heat.get("blocksWarmed") + heat.get("blocksPromoted"),
                heat.get("blocksFromPeer"),
                unread,
                waiting));
      }
      result.addTargets(targets);
    }
  }

  /**
   * What a clean restart of all region servers kept of PMem and SSD, in blocks.
   *
   * @param held blocks in them before the stop
   * @param cameBack blocks recovered at the start
   * @param hits blocks that the check of all rows after the start found in them
   * @param misses blocks that it had to read from HDFS
   */
  record WarmStart(long held, long cameBack, long hits, long misses) {

    /** A lower share is a cold start: a broken disk may lose regions, but not a whole tier. */
    private static final double MIN_SHARE = 0.5;

    /** Returns the outcome of a restart, with what the tiers served since the start. */
    static WarmStart of(long held, long cameBack, List<Tier> tiers) {
      // The last tier is asked last: its misses are those of the cache.
      List<Tier> last = tiers.stream().filter(tier -> tier.name().equals("ssd")).toList();
      return new WarmStart(
          held, cameBack, belowDram(tiers, Tier::hits), belowDram(last, Tier::misses));
    }

    static long belowDram(List<Tier> tiers, ToLongFunction<Tier> figure) {
      return tiers.stream().filter(tier -> !tier.name().equals("dram")).mapToLong(figure).sum();
    }

    private Target target() {
      return Target.of(
          hits > 0 && cameBack >= held * MIN_SHARE,
          "warm hits after the last start: %,d; %,d of %,d blocks came back, %,d were read from"
              + " HDFS",
          hits,
          cameBack,
          held,
          misses);
    }
  }
}
