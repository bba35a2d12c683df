// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.CheckedTable;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A region server that comes back with a warm tier reports which regions it has blocks of, and
 * HBase's cache-aware balancer gives it these regions again.
 */
@Tag("hadoop")
@Tag("long")
final class WarmRestartIT {

  private static final int REGIONS = 6;
  private static final CheckedTable TABLE = CheckedTable.ordered("warm", 18_000, 1_000, REGIONS, 1);

  private static final Map<String, String> SETTINGS =
      Map.of(
          "hbase.regionserver.impl",
          "dev.terrace.hbase.TerraceRegionServer",
          "hbase.terrace.create.paths",
          "true",
          "hbase.terrace.pmem.paths",
          "${hbase.tmp.dir}/pmem",
          "hbase.terrace.pmem.size",
          "64m",
          "hbase.master.loadbalancer.class",
          "org.apache.hadoop.hbase.master.balancer.CacheAwareLoadBalancer",
          // Without it the balancer does not look at caches; no server has a bucket cache.
          "hbase.bucketcache.persistent.path",
          "${hbase.tmp.dir}/unused",
          "hbase.master.balancer.move.throttlingMillis",
          "0",
          "hbase.regionserver.msginterval",
          "500");

  private static Set<String> regionsOf(TwoServers cluster) throws IOException {
    return cluster.admin().getRegions(cluster.nameOf(cluster.second())).stream()
        .filter(region -> region.getTable().equals(TABLE.name()))
        .map(RegionInfo::getEncodedName)
        .collect(Collectors.toSet());
  }

  private static Set<String> cachedRegionsOf(TwoServers cluster) throws IOException {
    ServerMetrics metrics =
        cluster
            .admin()
            .getClusterMetrics()
            .getLiveServerMetrics()
            .get(cluster.nameOf(cluster.second()));
    return metrics.getRegionCachedInfo().entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  @Test
  void regionsComeBackToTheServerThatHasThem() throws IOException {
    try (TwoServers cluster = new TwoServers("WarmRestartIT", SETTINGS, SETTINGS)) {
      cluster.create(TABLE);
      cluster.write(TABLE);
      cluster.assertAllRight(TABLE);
      Set<String> held = regionsOf(cluster);
      assertThat(held).hasSize(REGIONS / 2);
      cluster.await("all is reported", () -> cachedRegionsOf(cluster).containsAll(held));

      cluster.second().stop();
      cluster.await(
          "the first server has all regions",
          () ->
              cluster.admin().getRegions(cluster.nameOf(cluster.first())).stream()
                      .filter(region -> region.getTable().equals(TABLE.name()))
                      .count()
                  == REGIONS);
      cluster.startSecond();

      cluster.await("what is warm is reported", () -> cachedRegionsOf(cluster).containsAll(held));
      assertThat(regionsOf(cluster)).as("before the balancer runs").isEmpty();
      cluster.admin().balancerSwitch(true, true);
      cluster.await(
          "the regions are back",
          () -> {
            cluster.admin().balance();
            return regionsOf(cluster).equals(held);
          });
      cluster.assertAllRight(TABLE);
      assertThat(TwoServers.terrace(cluster.second()).hits()).isGreaterThan(TABLE.rows() / 2 / 70);
    }
  }
}
