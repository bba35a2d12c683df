// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real HBase, with Terrace from the release, and with tiers that survive its end: after signal 9,
 * and after a clean stop, it serves from them at once, and every value is right.
 */
@Tag("hadoop")
final class LastingTiersIT {

  private static final CheckedTable TABLE = CheckedTable.ordered("lasting", 30_000, 1_000, 2, 1);
  private static final long PMEM_BYTES = 64L << 20;
  private static final long SSD_BYTES = 128L << 20;

  /** Where the release and the tiers lie. */
  @TempDir Path folder;

  private InstalledRelease release;

  /** Where HBase lies; it stays for a look at the logs. */
  private Path logs;

  private HBaseServer server;

  @AfterEach
  void stop() throws IOException {
    Setups.stop(server);
  }

  /** The properties that the README shows, with sizes for a test. */
  private Map<String, String> settings(long dramBytes, boolean pmem, boolean ssd)
      throws IOException {
    return sized(release.settings(), dramBytes, pmem, ssd);
  }

  private static Map<String, String> sized(
      Map<String, String> properties, long dramBytes, boolean pmem, boolean ssd) {
    Map<String, String> settings = new HashMap<>(properties);
    // A region that closes has its blocks evicted then, unless it is because its server stops.
    settings.put("hbase.rs.evictblocksonclose", "true");
    // What is counted here came back by itself, and was not read from HBase's files again.
    settings.put("hbase.terrace.warm.rate", "0");
    settings.put("hbase.terrace.dram.size", Long.toString(dramBytes));
    settings.replace("hbase.terrace.pmem.size", Long.toString(PMEM_BYTES));
    settings.replace("hbase.terrace.ssd.size", Long.toString(SSD_BYTES));
    if (!pmem) {
      settings.keySet().removeIf(key -> key.startsWith("hbase.terrace.pmem."));
    }
    if (!ssd) {
      settings.keySet().removeIf(key -> key.startsWith("hbase.terrace.ssd."));
    }
    return settings;
  }

  @BeforeEach
  void install(TestInfo test) throws IOException {
    release = InstalledRelease.into(folder, 384L << 20);
    logs = Setups.emptyFolder("LastingTiersIT/" + test.getTestMethod().orElseThrow().getName());
  }

  private void start(Map<String, String> settings) throws IOException {
    ServerSetup setup = Setups.terrace("lasting", release.directMemory(), settings);
    server = HBaseServer.start(release.hbaseInstall(), setup, logs);
  }

  private void write() throws IOException {
    try (Connection connection = server.connect()) {
      new LoadedTable(server, connection, TABLE).write();
    }
  }

  private void assertAllRight() throws IOException {
    assertRight(0, TABLE.rows());
  }

  private void assertRight(long fromRow, long toRow) throws IOException {
    try (Connection connection = server.connect()) {
      LoadedTable.read(connection, TABLE, fromRow, toRow);
    }
  }

  private TerraceStats.Tier tier(String name) throws IOException {
    return TwoServers.tier(server, name);
  }

  /** Reads all once, and returns how many of the blocks were in a tier since before the start. */
  private long hitsOfFirstScan(String name) throws IOException {
    long before = tier(name).hits();
    assertAllRight();
    return intact(name).hits() - before;
  }

  private TerraceStats.Tier intact(String name) throws IOException {
    TerraceStats.Tier tier = tier(name);
    assertThat(tier.faults()).isEmpty();
    assertThat(tier.evictions()).doesNotContainKey("CORRUPTION");
    return tier;
  }

  /** Reads rows of all the table, some more often than others. */
  private void assertAllTiersServe() throws IOException {
    Map<String, Long> before = new HashMap<>();
    for (String name : List.of("dram", "pmem", "ssd")) {
      before.put(name, tier(name).hits());
    }
    SplittableRandom random = new SplittableRandom(1);
    try (Connection connection = server.connect();
        Table source = connection.getTable(TABLE.name())) {
      for (int i = 0; i < 3_000; i++) {
        long rank = (long) (TABLE.rows() * Math.pow(random.nextDouble(), 3));
        long row = rank * 7_919 % TABLE.rows();
        assertThat(TABLE.fault(source.get(new Get(TABLE.key(row))), row)).isEmpty();
      }
    }
    for (String name : before.keySet()) {
      assertThat(tier(name).hits() - before.get(name)).as("hits in " + name).isGreaterThan(100);
    }
  }

  /** HBase does not tell such a cache which server it belongs to, nor that it stops. */
  @Test
  @Tag("long")
  void ssdBelowHBasesOwnCache() throws IOException {
    Map<String, String> settings = sized(release.sample("external.xml"), 0, false, true);
    start(settings);
    write();
    assertAllRight();
    long blocks = tier("ssd").blocks();
    assertThat(blocks).isGreaterThan(TABLE.rows() / 70);

    server.stop();
    for (String disk : List.of("nvme0", "nvme1")) {
      String path = release.disks().resolve(disk).resolve("hbase").toString();
      assertThat(release.terrace("inspect", "--verify", path).output()).endsWith("all right\n");
    }
    start(settings);
    assertThat(hitsOfFirstScan("ssd")).isGreaterThanOrEqualTo(blocks * 95 / 100);
  }

  /** PMem is small, so that blocks go on to SSD. */
  @Test
  void allThreeTiersServeAndTheLowerTwoOutlastAKill() throws IOException {
    Map<String, String> settings = settings(3L << 20, true, true);
    settings.put("hbase.terrace.pmem.size", "8m");
    start(settings);
    write();
    assertAllRight();
    assertAllTiersServe();
    server.kill();

    start(settings);
    assertAllRight();
    for (String name : List.of("pmem", "ssd")) {
      assertThat(intact(name).hits()).as("hits in " + name).isGreaterThan(20);
    }
  }

  /** Each of the two lower tiers alone, then all three over what these two held before. */
  @Test
  @Tag("long")
  void eachTierComesBackAfterACleanStopAndAfterAKill() throws IOException {
    long half = TABLE.rows() / 2;
    start(settings(0, true, false));
    write();
    assertRight(0, half);
    long pmemBlocks = tier("pmem").blocks();
    assertThat(pmemBlocks).isGreaterThan(half / 70);
    server.stop();

    start(settings(0, false, true));
    assertRight(half, TABLE.rows());
    long ssdBlocks = tier("ssd").blocks();
    assertThat(ssdBlocks).isGreaterThan(half / 70);
    server.stop();

    // The table is ten times as large as DRAM.
    Map<String, String> settings = settings(3L << 20, true, true);
    start(settings);
    assertThat(TwoServers.terrace(server).startLine())
        .contains("dram 3 MB")
        .contains("pmem 64 MB in " + release.disks() + "/pmem0/hbase, ")
        .contains("ssd 128 MB in " + release.disks() + "/nvme0/hbase, ");
    assertAllRight();
    assertThat(tier("pmem").hits()).isGreaterThanOrEqualTo(pmemBlocks * 95 / 100);
    assertThat(tier("ssd").hits()).isGreaterThanOrEqualTo(ssdBlocks * 90 / 100);
    assertAllTiersServe();
    server.kill();

    start(settings);
    assertAllRight();
    // Blocks are of 64 KB, rows of about 1 KB; regions that were open do not survive a kill.
    for (String name : List.of("pmem", "ssd")) {
      assertThat(intact(name).hits()).isGreaterThan(half / 80);
    }
  }
}
