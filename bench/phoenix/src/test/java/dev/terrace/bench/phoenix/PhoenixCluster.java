// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.phoenix;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** Two region servers with Terrace and Phoenix in this JVM, on the local file system. */
final class PhoenixCluster implements AutoCloseable {

  private static final int SERVERS = 2;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final HBaseTestingUtility hbase = new HBaseTestingUtility();

  /**
   * Starts the servers, each with 1 MB of DRAM above a tier in its own folder.
   *
   * @param tier {@code ssd} or {@code pmem}
   */
  static PhoenixCluster start(String tier, Path folder) throws Exception {
    PhoenixCluster cluster = new PhoenixCluster();
    try {
      cluster.startServers(tier, folder);
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  private void startServers(String tier, Path folder) throws Exception {
    Configuration conf = hbase.getConfiguration();
    conf.set("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer");
    conf.set(
        "hbase.regionserver.wal.codec",
        "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec");
    // Long results come in many calls, between which the server lets go of its blocks.
    conf.setLong("hbase.server.scanner.max.result.size", 64 << 10);
    conf.setInt("hbase.hregion.majorcompaction", 0);
    hbase.startMiniZKCluster();
    addTier(conf, tier, folder.resolve("0"));
    hbase.startMiniHBaseCluster(StartMiniClusterOption.builder().numRegionServers(1).build());
    for (int i = 1; i < SERVERS; i++) {
      addTier(hbase.getMiniHBaseCluster().getConfiguration(), tier, folder.resolve("" + i));
      hbase.getMiniHBaseCluster().startRegionServerAndWait(LIMIT.toMillis());
    }
    hbase.getAdmin().balancerSwitch(false, true);
  }

  private static void addTier(Configuration conf, String tier, Path folder) throws IOException {
    Files.createDirectories(folder);
    conf.set("hbase.terrace.dram.size", "1m");
    conf.set("hbase.terrace." + tier + ".paths", folder.toString());
    conf.set("hbase.terrace." + tier + ".size", "128m");
  }

  Connection connect() throws SQLException {
    String port = hbase.getConfiguration().get("hbase.zookeeper.property.clientPort");
    return DriverManager.getConnection("jdbc:phoenix:localhost:" + port);
  }

  /** Writes the memstores, so that reads need blocks. */
  void flush(String table) throws IOException {
    admin().flush(TableName.valueOf(table));
  }

  /** Splits each region of a table in the middle of its largest file. */
  void split(String table) throws Exception {
    flush(table);
    for (RegionInfo region : regions(table)) {
      admin()
          .splitRegionAsync(region.getRegionName(), null)
          .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Compacts a table, and removes the files that it had before. */
  void compact(String table) throws IOException {
    TableName name = TableName.valueOf(table);
    flush(table);
    List<HRegion> regions = new ArrayList<>();
    for (RegionServerThread server : hbase.getMiniHBaseCluster().getLiveRegionServerThreads()) {
      regions.addAll(server.getRegionServer().getRegions(name));
    }
    admin().majorCompact(name);
    await()
        .atMost(LIMIT)
        .until(
            () ->
                admin().getCompactionState(name) == CompactionState.NONE
                    && regions.stream().allMatch(PhoenixCluster::isCompacted));
    for (HRegion region : regions) {
      for (HStore store : region.getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
    }
  }

  private static boolean isCompacted(HRegion region) {
    return region.getStores().stream()
        .map(HStore::getStorefiles)
        .allMatch(files -> files.size() <= 1 && files.stream().noneMatch(HStoreFile::isReference));
  }

  /** Moves each region of a table to the other server. */
  void move(String table) throws Exception {
    List<ServerName> servers =
        hbase.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
            .map(server -> server.getRegionServer().getServerName())
            .toList();
    for (RegionInfo region : regions(table)) {
      ServerName from =
          hbase
              .getMiniHBaseCluster()
              .getServerHoldingRegion(region.getTable(), region.getRegionName());
      ServerName to = servers.get(servers.get(0).equals(from) ? 1 : 0);
      admin().move(region.getEncodedNameAsBytes(), to);
    }
    hbase.waitUntilNoRegionsInTransition(LIMIT.toMillis());
  }

  private List<RegionInfo> regions(String table) throws IOException {
    return admin().getRegions(TableName.valueOf(table));
  }

  private Admin admin() throws IOException {
    return hbase.getAdmin();
  }

  @Override
  public void close() throws IOException {
    hbase.shutdownMiniHBaseCluster();
    hbase.shutdownMiniZKCluster();
  }
}
