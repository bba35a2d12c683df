// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.fire.Cluster.RegionServer;
import dev.terrace.bench.fire.FaultLane.Fault;
import dev.terrace.bench.fire.FaultLane.Pause;
import dev.terrace.bench.fire.ServerFaults.ServiceFaults;
import dev.terrace.bench.fire.Verdict.RegionWarmth;
import dev.terrace.bench.fire.Verdict.Remains;
import dev.terrace.bench.fire.Verdict.WarmStart;
import dev.terrace.bench.load.ClientThreads;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.JavaProcess;
import dev.terrace.bench.server.RunFolders;
import dev.terrace.bench.server.ServerSetup.CacheSizes;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.soak.ServerProbe;
import dev.terrace.bench.soak.Soak;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

/** A fire from the first process to the verdict. */
final class FireRun {

  /**
   * How to run it.
   *
   * @param time how long faults strike
   * @param isTerrace whether region servers run with Terrace, or with HBase's own cache
   * @param faults names of those that strike; all if there are none
   */
  record Plan(
      long seed, Duration time, int regionServers, boolean isTerrace, List<String> faults) {}

  /** Less than a server's share of the data, each: blocks leave each tier. */
  private static final CacheSizes SIZES =
      new CacheSizes(
          ByteSize.ofMebibytes(320),
          ByteSize.ofMebibytes(8),
          ByteSize.ofMebibytes(16),
          ByteSize.ofMebibytes(24));

  /** BucketCache does not start with less. */
  private static final CacheSizes STOCK_SIZES =
      new CacheSizes(
          ByteSize.ofMebibytes(320),
          ByteSize.ofMebibytes(48),
          ByteSize.ofMebibytes(0),
          ByteSize.ofMebibytes(0));

  private static final Duration LEAST_PAUSE = Duration.ofMillis(300);
  private static final Duration MOST_PAUSE_OF_SERVERS = Duration.ofSeconds(15);
  private static final Duration MOST_PAUSE_OF_SERVICES = Duration.ofSeconds(60);

  /** Tables get on with their changes while all servers are up; fewer servers are killed. */
  private static final Duration MOST_PAUSE_IN_A_SOAK = Duration.ofMinutes(3);

  private static final Duration MOST_PAUSE_OF_REGIONS = Duration.ofSeconds(3);
  private static final Duration REMAINS_LIMIT = Duration.ofMinutes(4);
  private static final int READERS = 2;
  private static final List<TableName> TABLES = List.of(VerifiedLoad.TABLE, Batches.TABLE);

  private final Plan plan;
  private final Optional<Soak> soak;
  private final Cluster cluster;
  private final Timeline timeline;
  private final RowChecks checks = new RowChecks();
  private final AtomicLong rounds = new AtomicLong();
  private final CountDownLatch over = new CountDownLatch(1);

  /**
   * A fire to run.
   *
   * @param soak samples the region servers, if it is there, and has the first of them spared
   */
  FireRun(Plan plan, HBaseInstall install, RunFolders folders, Optional<Soak> soak, PrintWriter out)
      throws IOException {
    this.plan = plan;
    this.soak = soak;
    this.cluster = new Cluster(install, folders, plan.seed());
    this.timeline = new Timeline(out);
  }

  /** Runs it; all processes have ended when this returns. */
  Verdict run() throws IOException {
    try {
      CacheSizes sizes = plan.isTerrace() ? SIZES : STOCK_SIZES;
      cluster.start(plan.regionServers(), plan.isTerrace(), sizes);
      try (Connection connection =
              ConnectionFactory.createConnection(cluster.clientConfiguration());
          Admin admin = connection.getAdmin()) {
        return run(connection, admin);
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
    timeline.tell("started", plan.regionServers() + " region servers, HDFS, master, ZooKeeper");
    if (!cluster.disks().whyNone().isEmpty()) {
      timeline.tell("no disk faults", cluster.disks().whyNone());
    }
    VerifiedLoad load = new VerifiedLoad(cluster.clientConfiguration(), checks);
    Batches batches = new Batches(connection, checks);
    boolean unused = admin.balancerSwitch(false, true);
    load.begin(admin);
    batches.create(admin);
    SchemaFaults schema = new SchemaFaults(cluster, admin, TABLES);
    if (cluster.hasTiering()) {
      for (TableName table : TABLES) {
        timeline.tell("data tiering", schema.giveTiering(table));
      }
    }
    if (cluster.hasMob()) {
      timeline.tell("MOB", schema.giveMob(VerifiedLoad.TABLE));
    }
    timeline.tell("loaded", load.written() + " rows; the fire begins");
    ServerFaults servers = new ServerFaults(cluster, soak.isPresent() ? 1 : 0, over, timeline);
    CopyFaults copies = new CopyFaults(connection, admin, load, batches);
    HeatFaults heat = new HeatFaults(cluster.clientConfiguration(), admin, TABLES);
    List<Fault> onTables = new ArrayList<>(schema.all());
    onTables.addAll(copies.all());
    if (plan.isTerrace()) {
      onTables.add(heat.fault());
    }
    burn(load, batches, lanes(admin, servers, batches, onTables));
    servers.restartDead();
    cluster.awaitAtWork();
    copies.dropCopies();
    timeline.tell("over", "checking all rows");
    checkAll(load, batches);
    admin.clearBlockCache(Batches.TABLE);
    Remains remains = awaitNothingLeft();
    long held = WarmStart.blocks(tiers());
    RegionWarmth warmth = RegionWarmth.of(cluster);
    restart(heat);
    WarmStart warm = new WarmStart(held, WarmStart.recovered(tiers()), 0, 0);
    timeline.tell("restarted", warm.cameBack() + " blocks came back; reading all rows again");
    checkAll(load, batches);
    warmth = warmth.plus(RegionWarmth.awaitEnd(cluster, REMAINS_LIMIT));
    return new Verdict(rounds.get(), timeline, checks, remains, warm.read(tiers()), warmth);
  }

  /**
   * Region servers and their disks suffer in one lane, what they need in another, and tables in a
   * third, so that one thing strikes in the middle of another.
   */
  private List<FaultLane> lanes(
      Admin admin, ServerFaults servers, Batches batches, List<Fault> others) {
    List<Fault> onTables = new ArrayList<>(new RegionFaults(cluster, admin, TABLES, over).all());
    onTables.addAll(others);
    onTables.add(
        new Fault("bulk load", 2, random -> batches.bulkLoad(cluster.clientConfiguration())));
    List<Fault> onServers = new ArrayList<>(servers.all());
    onServers.addAll(new DiskFaults(cluster, servers, over, timeline).all());
    List<Fault> onServices = new ArrayList<>(new ServiceFaults(cluster, over).all());
    long seed = plan.seed();
    Set<String> unknown = new TreeSet<>(plan.faults());
    for (List<Fault> lane : List.of(onServers, onServices, onTables)) {
      lane.removeIf(fault -> !plan.faults().isEmpty() && !plan.faults().contains(fault.name()));
      lane.forEach(fault -> unknown.remove(fault.name()));
    }
    if (!unknown.isEmpty()) {
      timeline.tell("no such faults", "here, so they do not strike: " + unknown);
    }
    return List.of(
        new FaultLane(onServers, seed, LEAST_PAUSE, most(MOST_PAUSE_OF_SERVERS), timeline),
        new FaultLane(onServices, -seed, LEAST_PAUSE, most(MOST_PAUSE_OF_SERVICES), timeline),
        new FaultLane(onTables, ~seed, LEAST_PAUSE, MOST_PAUSE_OF_REGIONS, timeline));
  }

  private Duration most(Duration pause) {
    return soak.isPresent() ? MOST_PAUSE_IN_A_SOAK : pause;
  }

  /** Reads, writes and faults side by side, for the time of the plan. */
  private void burn(VerifiedLoad load, Batches batches, List<FaultLane> lanes) throws IOException {
    List<ClientThreads.Task> tasks = new ArrayList<>();
    tasks.add(thread -> load.writeUntil(over));
    tasks.add(thread -> rounds.addAndGet(load.readUntil(over, READERS)));
    tasks.add(thread -> batches.writeUntil(over));
    tasks.add(thread -> rounds.addAndGet(batches.readUntil(over, plan.seed())));
    lanes.forEach(lane -> tasks.add(thread -> lane.run(over)));
    soak.ifPresent(
        samples ->
            cluster.servers().forEach(server -> tasks.add(thread -> sample(samples, server))));
    tasks.add(thread -> endAfter(plan.time()));
    ClientThreads.run("fire", tasks.size(), thread -> tasks.get(thread).run(thread));
  }

  private void endAfter(Duration time) throws IOException {
    Pause.until(over, time);
    over.countDown();
  }

  private void sample(Soak samples, RegionServer server) throws IOException {
    ServerProbe probe = server.probe();
    while (!Pause.until(over, samples.interval())) {
      try {
        samples.sample(probe);
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        timeline.tell("no sample", server.name() + ": " + e);
      }
    }
  }

  private void checkAll(VerifiedLoad load, Batches batches) throws IOException {
    load.readAll(READERS);
    batches.scan(Batches.TABLE, batches.complete());
  }

  /** Waits until servers have nothing left that should go; returns what stays. */
  private Remains awaitNothingLeft() throws IOException {
    long begin = System.nanoTime();
    Remains remains = Remains.of(cluster);
    while (!remains.isNothing() && System.nanoTime() - begin < REMAINS_LIMIT.toNanos()) {
      Pause.of(Duration.ofSeconds(1));
      remains = Remains.of(cluster);
    }
    timeline.tell("remains", remains.figures().toString());
    return remains;
  }

  /**
   * Stops all region servers, verifies their caches, damages the lists that they left, and starts
   * them again.
   */
  private void restart(HeatFaults heat) throws IOException {
    List<RegionInfo> regions = plan.isTerrace() ? heat.regions() : List.of();
    for (String killed : cluster.stopRegionServers()) {
      timeline.found("stop", killed + " did not stop and was killed");
    }
    verifyCaches();
    if (plan.isTerrace()) {
      timeline.tell("heat damaged", heat.damage(regions, new SplittableRandom(plan.seed())));
    }
    cluster.startRegionServers();
  }

  private List<TerraceStats.Tier> tiers() throws IOException {
    List<TerraceStats.Tier> all = new ArrayList<>();
    for (RegionServer server : cluster.servers()) {
      all.addAll(server.tiers());
    }
    return all;
  }

  /** Runs {@code inspect --verify} on the caches of servers that are stopped. */
  private void verifyCaches() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String tools = HBaseInstall.tools().toString();
    for (RegionServer server : cluster.servers()) {
      for (Path cache : server.caches()) {
        try {
          String said =
              JavaProcess.runToEnd(
                  java.toString(), "-jar", tools, "inspect", "--verify", cache.toString());
          timeline.tell("verify", server.name() + " " + said.lines().reduce("", (a, last) -> last));
        } catch (IOException e) {
          timeline.found("verify", server.name() + ": " + e.getMessage());
        }
      }
    }
  }
}
