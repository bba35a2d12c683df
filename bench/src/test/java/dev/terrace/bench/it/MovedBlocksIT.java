// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions that move between two real servers, and take their blocks from the last one. */
@Tag("hadoop")
@Tag("long")
final class MovedBlocksIT {

  private static final int REGIONS = 8;
  private static final int GETS = 500;

  @TempDir Path folder;

  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(HBaseServer.SUSPENDABLE);
    settings.put("zookeeper.session.timeout", "1800000");
    settings.put("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    settings.put("hbase.terrace.create.paths", "true");
    // Half of the table, so that both tiers give blocks.
    settings.put("hbase.terrace.dram.size", "12m");
    settings.put("hbase.terrace.ssd.paths", "${hbase.tmp.dir}/ssd");
    settings.put("hbase.terrace.ssd.size", "64m");
    settings.put("hbase.terrace.warm.rate", "50m,peers");
    settings.put("hbase.rs.evictblocksonclose", "false");
    return settings;
  }

  private static CheckedTable loaded(TwoServers cluster, String name, int regions)
      throws IOException {
    CheckedTable table = CheckedTable.ordered(name, 24_000, 1_000, regions, 1);
    cluster.create(table);
    cluster.write(table);
    return table;
  }

  private static boolean hasAll(TwoServers cluster, HBaseServer server, CheckedTable table)
      throws IOException {
    return cluster.admin().getRegions(cluster.nameOf(server)).stream()
            .filter(region -> region.getTable().equals(table.name()))
            .count()
        == table.splits().size() + 1;
  }

  private static void moveAll(TwoServers cluster, CheckedTable table, HBaseServer to)
      throws IOException {
    ServerName name = cluster.nameOf(to);
    for (RegionInfo region : cluster.admin().getRegions(table.name())) {
      cluster.admin().move(region.getEncodedNameAsBytes(), name);
    }
    awaitWarm(cluster, table, to);
  }

  private static void awaitWarm(TwoServers cluster, CheckedTable table, HBaseServer server)
      throws IOException {
    cluster.await("the regions are there", () -> hasAll(cluster, server, table));
    cluster.await("the regions are warm", () -> figure(server, "regionsToWarm") == 0);
  }

  /** Creates a table on a server, which has its blocks cached. */
  private static CheckedTable hotOn(
      HBaseServer server, TwoServers cluster, String name, int regions) throws IOException {
    CheckedTable table = loaded(cluster, name, regions);
    moveAll(cluster, table, server);
    cluster.assertAllRight(table);
    cluster.assertAllRight(table);
    return table;
  }

  /** Has a table leave the second server, while the master takes that for alive. */
  private static void leaveSecond(TwoServers cluster, CheckedTable table) throws IOException {
    cluster.admin().decommissionRegionServers(List.of(cluster.nameOf(cluster.second())), false);
    cluster.admin().disableTable(table.name());
  }

  private static long figure(HBaseServer server, String name) throws IOException {
    return TerraceStats.regionWarmup(server.jmx()).get(name);
  }

  /** The reads of HBase's store that readers and warming made. */
  private static double storeReads(HBaseServer server) throws IOException {
    return figure(server, "readsToWarm")
        + TerraceStats.figure(server.jmx(), "store", "read_requests_total");
  }

  /** The share of lookups that hit in some gets. */
  private static double hitsOfGets(TwoServers cluster, CheckedTable table) throws IOException {
    List<Long> rows = new Random(7).longs(GETS, 0, table.rows()).boxed().toList();
    long hits = cluster.hits();
    long misses = cluster.misses();
    cluster.assertRight(table, rows);
    double hit = cluster.hits() - hits;
    return hit / (hit + cluster.misses() - misses);
  }

  @Test
  void regionsComeWithTheirBlocksAndTheStoreIsNotRead() throws IOException {
    try (TwoServers cluster = new TwoServers("MovedBlocksIT", settings(), settings())) {
      CheckedTable table = hotOn(cluster.first(), cluster, "moved", REGIONS);
      double before = hitsOfGets(cluster, table);
      assertThat(TwoServers.tier(cluster.first(), "ssd").blocks()).isPositive();
      HBaseServer to = cluster.second();
      long taken = figure(to, "peerBlocksTaken");
      double read = storeReads(to);

      moveAll(cluster, table, to);
      double after = hitsOfGets(cluster, table);

      long blocks = figure(to, "peerBlocksTaken") - taken;
      assertThat(blocks).isGreaterThan(300);
      assertThat(figure(cluster.first(), "peerBlocksGiven")).isGreaterThanOrEqualTo(blocks);
      assertThat(figure(to, "peerBlocksDamaged")).isZero();
      assertThat(after).isGreaterThanOrEqualTo(0.95 * before);
      assertThat(storeReads(to) - read).isLessThanOrEqualTo(0.02 * blocks);
      cluster.assertAllRight(table);

      cluster.second().stop();
      cluster.await("the regions are back", () -> hasAll(cluster, cluster.first(), table));
      cluster.startSecond();
      cluster.assertAllRight(table);
    }
  }

  @Test
  void aServerThatIsSuspendedCostsASecondAndTheStoreIsRead() throws IOException {
    try (TwoServers cluster = new TwoServers("SuspendedPeerIT", settings(), settings())) {
      CheckedTable table = hotOn(cluster.second(), cluster, "left", REGIONS);
      HBaseServer first = cluster.first();
      leaveSecond(cluster, table);
      cluster.second().suspend();
      try {
        cluster.admin().enableTable(table.name());
        awaitWarm(cluster, table, first);

        assertThat(figure(first, "peerCallsFailed")).isBetween(1L, 4L);
        assertThat(figure(first, "peerBlocksTaken")).isZero();
        assertThat(figure(first, "blocksWarmed")).isGreaterThan(300);
      } finally {
        cluster.second().resume();
      }
      // The client goes to the suspended server first, where it knows the regions.
      double read = storeReads(first);
      cluster.assertAllRight(table);
      assertThat(storeReads(first) - read).as("it is warm").isLessThan(30);
    }
  }

  private Path fault() {
    return folder.resolve("fault");
  }

  /** Servers that have the fault that {@link #fault} names. */
  private TwoServers faulty(String name) throws IOException {
    Map<String, String> first = settings();
    first.put("hbase.regionserver.impl", FaultyRegionServer.class.getName());
    first.put(FaultyPeers.FAULT, fault().toString());
    Map<String, String> second = new HashMap<>(first);
    // The first server is told of its death.
    second.put("zookeeper.session.timeout", "30000");
    Path jar =
        Setups.jar(folder.resolve("faulty.jar"), FaultyRegionServer.class, FaultyPeers.class);
    return new TwoServers(name, first, second, jar);
  }

  @Test
  void aServerThatLiesIsNotBelieved() throws IOException {
    try (TwoServers cluster = faulty("LyingPeerIT")) {
      CheckedTable table = hotOn(cluster.second(), cluster, "lies", REGIONS);
      HBaseServer to = cluster.first();
      long given = figure(cluster.second(), "peerBlocksGiven");
      long taken = figure(to, "peerBlocksTaken");
      long warmed = figure(to, "blocksWarmed");
      Files.writeString(fault(), FaultyPeers.LIES);

      moveAll(cluster, table, to);
      double read = storeReads(to);
      cluster.assertAllRight(table);
      assertThat(storeReads(to) - read).as("it is warm").isLessThan(30);

      given = figure(cluster.second(), "peerBlocksGiven") - given;
      taken = figure(to, "peerBlocksTaken") - taken;
      long elsewhere = figure(to, "peerBlocksDamaged");
      assertThat(taken).isPositive();
      assertThat(elsewhere).isGreaterThan(20);
      assertThat(given - taken - elsewhere).as("wrong checksums").isGreaterThan(20);
      assertThat(figure(to, "blocksWarmed") - warmed).isGreaterThanOrEqualTo(given - taken);
    }
  }

  /** The taker's regions come back to a server that has all blocks; the giver's are read. */
  @Test
  void killsOfEitherServerDuringATransferCostNoRow() throws IOException {
    try (TwoServers cluster = faulty("KilledPeerIT")) {
      HBaseServer first = cluster.first();
      CheckedTable back = hotOn(first, cluster, "back", 1);
      killAtThirdAnswer(cluster.second());
      byte[] region = cluster.admin().getRegions(back.name()).get(0).getEncodedNameAsBytes();
      cluster.admin().move(region, cluster.nameOf(cluster.second()));
      cluster.await("the taker is dead", () -> !cluster.second().isAlive());
      awaitWarm(cluster, back, first);
      double read = storeReads(first);
      cluster.assertAllRight(back);
      assertThat(storeReads(first) - read).as("it is warm").isLessThan(30);

      Files.delete(fault());
      cluster.startSecond();
      HBaseServer second = cluster.second();
      CheckedTable table = hotOn(second, cluster, "forth", REGIONS);
      leaveSecond(cluster, table);
      long taken = figure(first, "peerBlocksTaken");
      long warmed = figure(first, "blocksWarmed");
      killAtThirdAnswer(second);
      cluster.admin().enableTable(table.name());
      cluster.await("the giver is dead", () -> !second.isAlive());
      awaitWarm(cluster, table, first);
      assertThat(figure(first, "peerBlocksTaken")).isGreaterThan(taken);
      assertThat(figure(first, "peerCallsFailed")).isPositive();
      assertThat(figure(first, "blocksWarmed") - warmed).isGreaterThan(20);
      read = storeReads(first);
      cluster.assertAllRight(table);
      cluster.assertAllRight(back);
      assertThat(storeReads(first) - read).as("it is warm").isLessThan(60);
    }
  }

  private void killAtThirdAnswer(HBaseServer server) throws IOException {
    Files.writeString(fault(), Long.toString(server.pid()));
  }
}
