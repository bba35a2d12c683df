// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.LocalCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ways in which regions come to a server, beside moves, with two servers of DRAM and SSD: in
 * each of them the rows that were hot are served without a miss.
 */
@Tag("hadoop")
@Tag("cluster")
@Tag("long")
class RegionWaysTest {

  private static final int ROWS = 20_000;
  private static final int HOT_EVERY = 100;

  @TempDir static File folder;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    cluster =
        new LocalCluster(
            folder,
            2,
            Map.of(
                "hbase.master.loadbalancer.class",
                "org.apache.hadoop.hbase.master.balancer.CacheAwareLoadBalancer",
                // Without it the balancer does not look at caches; no server has a bucket cache.
                "hbase.bucketcache.persistent.path",
                new File(folder, "unused").getPath(),
                "hbase.master.balancer.move.throttlingMillis",
                "0",
                "hbase.regionserver.msginterval",
                "500",
                // Halves would read files of their own, and compactions miss.
                "hbase.regionserver.compaction.enabled",
                "false"));
    cluster.admin.balancerSwitch(false, true);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static Stream<HRegion> primaries(int server, TableName table) {
    return cluster.regionsOf(server, table).stream()
        .filter(region -> region.getRegionInfo().getReplicaId() == 0);
  }

  private static long open(TableName table) {
    return primaries(0, table).count() + primaries(1, table).count();
  }

  private static long figure(int server, String name) {
    return cluster.cache(server).regionWarmup().get(name);
  }

  private static int regions(int server) {
    return cluster.server(server).getRegions().size();
  }

  private static void awaitWarm(TableName table, int regions) {
    await().until(() -> open(table) == regions);
    awaitWarm(0);
    awaitWarm(1);
  }

  private static void awaitWarm(int server) {
    await().until(() -> figure(server, "regionsToWarm") == 0);
  }

  /** A table whose hot rows were read twice, and whose regions have lists. */
  private static TableName hot(String name, String... splits) throws IOException {
    TableName table = cluster.create(name, null, splits);
    cluster.load(table, 0, ROWS);
    misses(table, 0);
    assertThat(misses(table, 0)).isZero();
    for (HRegion region : Stream.of(0, 1).flatMap(each -> primaries(each, table)).toList()) {
      Path before = RegionWarmupTest.list(region);
      cluster.admin.unassign(region.getRegionInfo().getRegionName());
      // A close waits for it a second at most, which a busy machine may exceed.
      await()
          .until(
              () -> {
                Path list = RegionWarmupTest.list(region);
                return !list.equals(before) && Files.size(list) > 0;
              });
      cluster.admin.assign(region.getRegionInfo().getRegionName());
    }
    awaitWarm(table, splits.length + 1);
    return table;
  }

  /** Reads the hot rows, and returns how many lookups missed. */
  private static long misses(TableName table, int replica) throws IOException {
    cluster.locate(table);
    long before = misses();
    try (Table reads = cluster.open(table)) {
      for (int number = 0; number < ROWS; number += HOT_EVERY) {
        byte[] row = LocalCluster.row(number);
        Get get = new Get(row);
        if (replica > 0) {
          get.setConsistency(Consistency.TIMELINE).setReplicaId(replica);
        }
        Result result = reads.get(get);
        assertThat(result.isStale()).isEqualTo(replica > 0);
        assertThat(result.getValue(LocalCluster.FAMILY, LocalCluster.FAMILY))
            .isEqualTo(LocalCluster.value(row));
      }
    }
    return misses() - before;
  }

  private static long misses() {
    return cluster.cache(0).getStats().getMissCount() + cluster.cache(1).getStats().getMissCount();
  }

  private static void moveAll(TableName table, int to) throws IOException {
    int regions = (int) open(table);
    // HBase opens a region elsewhere if the server has just started.
    await()
        .until(
            () -> {
              for (HRegion region : primaries(1 - to, table).toList()) {
                cluster.admin.move(
                    region.getRegionInfo().getEncodedNameAsBytes(),
                    cluster.server(to).getServerName());
              }
              return primaries(to, table).count() == regions;
            });
    awaitWarm(table, regions);
  }

  private static int home(TableName table) {
    return primaries(0, table).findAny().isPresent() ? 0 : 1;
  }

  private static String half() {
    return Bytes.toString(LocalCluster.row(ROWS / 2));
  }

  @Test
  void daughtersThatOpenElsewhere() throws Exception {
    TableName table = hot("splits");
    HRegion parent = primaries(home(table), table).findAny().orElseThrow();
    int other = 1 - home(table);
    cluster
        .admin
        .splitRegionAsync(parent.getRegionInfo().getRegionName(), LocalCluster.row(ROWS / 2))
        .get();
    awaitWarm(table, 2);
    assertThat(misses(table, 0)).as("where it split").isZero();

    moveAll(table, other);
    assertThat(misses(table, 0)).isZero();
  }

  @Test
  void aMergeOfRegionsOfTwoServers() throws Exception {
    TableName table = hot("merges", half());
    byte[][] names =
        cluster.admin.getRegions(table).stream()
            .map(region -> region.getEncodedNameAsBytes())
            .toArray(byte[][]::new);
    for (int server : List.of(0, 1)) {
      await()
          .until(
              () -> {
                boolean isThere =
                    primaries(server, table)
                        .map(region -> region.getRegionInfo().getEncodedNameAsBytes())
                        .anyMatch(name -> Arrays.equals(name, names[server]));
                if (!isThere) {
                  cluster.admin.move(names[server], cluster.server(server).getServerName());
                }
                return isThere;
              });
    }
    awaitWarm(table, 2);
    cluster.admin.mergeRegionsAsync(names, false).get();
    awaitWarm(table, 1);
    assertThat(misses(table, 0)).isZero();

    moveAll(table, 1 - home(table));
    assertThat(misses(table, 0)).isZero();
  }

  @Test
  void aReplicaThatIsRead() throws IOException {
    TableName table = hot("replicas");
    cluster.admin.modifyTable(
        TableDescriptorBuilder.newBuilder(cluster.admin.getDescriptor(table))
            .setRegionReplication(2)
            .build());
    await()
        .until(() -> cluster.regionsOf(0, table).size() + cluster.regionsOf(1, table).size() == 2);
    awaitWarm(table, 1);
    assertThat(misses(table, 1)).isZero();
    assertThat(misses(table, 0)).isZero();
  }

  @Test
  void aSnapshotThatIsRestored() throws Exception {
    TableName table = hot("restores");
    cluster.admin.snapshot("of-restores", table);
    HRegion parent = primaries(home(table), table).findAny().orElseThrow();
    cluster
        .admin
        .splitRegionAsync(parent.getRegionInfo().getRegionName(), LocalCluster.row(ROWS / 2))
        .get();
    awaitWarm(table, 2);
    String file = cluster.fileOf(primaries(home(table), table).findAny().orElseThrow());
    cluster.admin.disableTable(table);
    await().until(() -> open(table) == 0);
    cluster.admin.restoreSnapshot("of-restores");
    for (int server : List.of(0, 1)) {
      cluster.cache(server).evictBlocksByHfileName(file);
      assertThat(cluster.cachedBytes(server)).doesNotContainKey(file);
    }
    cluster.admin.enableTable(table);
    awaitWarm(table, 1);
    assertThat(misses(table, 0)).isZero();
    cluster.admin.deleteSnapshot("of-restores");
  }

  @Test
  void aCrashAndARestartOfAllServers() throws Exception {
    TableName table = hot("crashes", half());
    moveAll(table, 1);
    int all = regions(0) + regions(1);
    cluster.abort(1);
    // Regions of other tables miss while they open.
    await().until(() -> regions(0) == all);
    awaitWarm(0);
    cluster.locate(table);
    long before = cluster.cache(0).getStats().getMissCount();
    misses(table, 0);
    assertThat(cluster.cache(0).getStats().getMissCount() - before).as("after a crash").isZero();
    cluster.start(1);

    cluster.restart(0, 1);
    await().until(() -> regions(0) + regions(1) == all);
    awaitWarm(table, 2);
    assertThat(misses(table, 0)).as("after a restart of all").isZero();
  }

  @Test
  void theBalancerComesToRestAndGivesRegionsBackToWhereTheyAreWarm() throws IOException {
    TableName table = hot("balances", "005000", half(), "015000");
    moveAll(table, 0);
    cluster.missesOfScan(table, ROWS);
    moveAll(table, 1);
    long read = figure(0, "bytesReadToWarm");
    cluster.admin.balancerSwitch(true, true);
    try {
      // The master may not know yet where the regions are.
      await().until(() -> balanced(table).values().containsAll(List.of(0, 1)));
      Map<String, Integer> homes = balanced(table);
      assertThat(figure(0, "bytesReadToWarm") - read).as("they were warm here").isLessThan(1 << 18);
      for (int round = 0; round < 3; round++) {
        assertThat(balanced(table)).as("in round %d", round).isEqualTo(homes);
      }
    } finally {
      cluster.admin.balancerSwitch(false, true);
    }
    assertThat(misses(table, 0)).isZero();
  }

  /** Where regions are after a run of the balancer that knows what is cached. */
  private static Map<String, Integer> balanced(TableName table) throws IOException {
    for (int server : List.of(0, 1)) {
      Map<String, Long> cached = cluster.cache(server).getRegionCachedInfo().orElseThrow();
      await()
          .until(
              () ->
                  cluster
                          .admin
                          .getClusterMetrics()
                          .getLiveServerMetrics()
                          .get(cluster.server(server).getServerName())
                          .getRegionCachedInfo()
                          .size()
                      >= cached.size());
    }
    await().until(cluster.admin::balance);
    awaitWarm(table, 4);
    Map<String, Integer> homes = new TreeMap<>();
    for (int server : List.of(0, 1)) {
      primaries(server, table)
          .forEach(region -> homes.put(region.getRegionInfo().getEncodedName(), server));
    }
    return homes;
  }
}
