// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.RegionMover;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A rolling restart of three servers with HBase's {@link RegionMover}, as {@code graceful_stop.sh}
 * does it. A fourth one has the master, and none of the table.
 */
@Tag("hadoop")
@Tag("long")
final class RollingRestartIT {

  private static final int REGIONS = 9;
  private static final int GETS = 500;

  /** A call asks for 4 MB. */
  private static final int BLOCKS_PER_CALL = 64;

  private static final List<String> NAMES = List.of("second", "third", "fourth");

  /** What can become of a block that a region was warmed with. */
  private static final List<String> LISTED =
      List.of(
          "blocksFromPeer",
          "blocksPromoted",
          "blocksAlreadyCached",
          "blocksWarmed",
          "blocksFailed");

  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    settings.put("hbase.terrace.create.paths", "true");
    // Less than a server has of the table, so that both tiers give blocks.
    settings.put("hbase.terrace.dram.size", "16m");
    settings.put("hbase.terrace.ssd.paths", "${hbase.tmp.dir}/ssd");
    settings.put("hbase.terrace.ssd.size", "128m");
    settings.put("hbase.terrace.warm.rate", "50m,peers");
    settings.put("hbase.rs.evictblocksonclose", "false");
    return settings;
  }

  /** The figures of all servers together. */
  private static Map<String, Double> figures(Map<String, HBaseServer> servers) throws IOException {
    Map<String, Double> sums = new TreeMap<>();
    for (HBaseServer server : servers.values()) {
      TerraceStats stats = TwoServers.terrace(server);
      Map<String, Long> warmup = TerraceStats.regionWarmup(server.jmx());
      double reads = TerraceStats.figure(server.jmx(), "store", "read_requests_total");
      warmup.forEach((name, now) -> sums.merge(name, (double) now, Double::sum));
      sums.merge("storeReads", reads + warmup.get("readsToWarm"), Double::sum);
      sums.merge("hits", (double) stats.hits(), Double::sum);
      sums.merge("misses", (double) stats.tier("ssd").orElseThrow().misses(), Double::sum);
    }
    return sums;
  }

  /** The share of lookups that hit in some gets. */
  private static double hitsOfGets(
      TwoServers cluster, Map<String, HBaseServer> servers, CheckedTable table) throws IOException {
    Map<String, Double> before = figures(servers);
    cluster.assertRight(table, new Random(7).longs(GETS, 0, table.rows()).boxed().toList());
    Map<String, Double> after = figures(servers);
    double hits = after.get("hits") - before.get("hits");
    return hits / (hits + after.get("misses") - before.get("misses"));
  }

  /** Moves regions with HBase's tool, as operators do, and waits until they are warm. */
  private static void move(
      TwoServers cluster, Map<String, HBaseServer> servers, String name, boolean away)
      throws Exception {
    String address = cluster.nameOf(servers.get(name)).getAddress().toString();
    try (RegionMover mover =
        new RegionMover.RegionMoverBuilder(address, cluster.first().clientConfiguration())
            .filename(cluster.folder().resolve(name + ".regions").toString())
            .build()) {
      assertThat(away ? mover.unload() : mover.load()).isTrue();
    }
    cluster.await("all is warm", () -> figures(servers).get("regionsToWarm") == 0);
  }

  @Test
  void theHitsOfEachServerComeBackWithoutTheStore() throws Exception {
    try (TwoServers cluster = new TwoServers("RollingRestartIT", settings(), settings())) {
      cluster.admin().decommissionRegionServers(List.of(cluster.nameOf(cluster.first())), false);
      Map<String, HBaseServer> servers = new TreeMap<>(Map.of(NAMES.get(0), cluster.second()));
      for (String name : NAMES.subList(1, NAMES.size())) {
        servers.put(name, cluster.join(name));
      }
      CheckedTable table = CheckedTable.ordered("rolling", 60_000, 1_000, REGIONS, 1);
      cluster.create(table);
      cluster.write(table);
      cluster.assertAllRight(table);
      cluster.assertAllRight(table);
      double before = hitsOfGets(cluster, servers, table);
      Map<String, Double> sums = new TreeMap<>();

      for (String name : NAMES) {
        for (boolean away : List.of(true, false)) {
          Map<String, Double> start = figures(servers);
          move(cluster, servers, name, away);
          double hits = hitsOfGets(cluster, servers, table);

          assertThat(hits).as("%s away=%s", name, away).isGreaterThanOrEqualTo(0.95 * before);
          figures(servers)
              .forEach((each, now) -> sums.merge(each, now - start.get(each), Double::sum));
          if (away) {
            servers.get(name).stop();
            servers.put(name, cluster.join(name));
          }
        }
      }

      double listed = LISTED.stream().mapToDouble(sums::get).sum();
      // Each region moved away and back, with its hundred blocks. Back home most are on the SSD.
      assertThat(listed).isGreaterThan(2 * REGIONS * 80);
      assertThat(sums.get("blocksFromPeer")).as("moved away").isGreaterThan(0.4 * listed);
      assertThat(sums.get("blocksAlreadyCached") + sums.get("blocksPromoted"))
          .as("moved back, and kept on SSD")
          .isGreaterThan(0.2 * listed);
      assertThat(sums.get("peerBlocksDamaged")).isZero();
      // On a busy machine a call may take more than its second.
      double excused = sums.get("peerCallsFailed") * BLOCKS_PER_CALL;
      assertThat(sums.get("storeReads")).isLessThanOrEqualTo(0.02 * listed + excused);
      cluster.assertAllRight(table);
    }
  }
}
