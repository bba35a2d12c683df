// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compactions of families with MOB, on a real HBase. They release none of the blocks that they read
 * of MOB files, and release those of store files in the middle of a batch of cells that lie in
 * them. Neither takes anything from a DRAM tier half as large as what is read, nor harms what is
 * written.
 */
@Tag("hadoop")
@Tag("long")
final class MobCompactionIT {

  private static final CheckedTable MOB_TABLE = CheckedTable.ordered("mob", 8_000, 1_000, 1, 1);
  private static final CheckedTable PLAIN_TABLE = CheckedTable.ordered("plain", 8_000, 1_000, 1, 1);

  /** The cells of a batch of a compaction lie in several blocks of this size. */
  private static final int SMALL_BLOCK_BYTES = 1_024;

  private static final WideTable WIDE_TABLE = new WideTable("wide", 2_000, 20);

  private HBaseServer server;
  private Connection connection;
  private Admin admin;

  @BeforeEach
  void start() throws IOException {
    Path folder = HBaseInstall.home().resolve("bench/target/it/MobCompactionIT");
    FileUtils.deleteDirectory(folder.toFile());
    Path ssd = Files.createDirectories(folder.resolve("ssd"));
    ServerSetup setup =
        Setups.terrace(
            "mob",
            ByteSize.ofMebibytes(128),
            Map.of(
                "hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer",
                "hbase.terrace.dram.size", "4m",
                "hbase.terrace.ssd.paths", ssd.toString(),
                "hbase.terrace.ssd.size", "128m"));
    server = HBaseServer.start(HBaseInstall.in(HBaseInstall.home()), setup, folder);
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterEach
  void stop() throws IOException {
    if (admin != null) {
      admin.close();
      connection.close();
    }
    if (server != null) {
      server.kill9();
    }
  }

  private static TableDescriptor withMob(CheckedTable table) {
    TableDescriptor plain = table.descriptor(HConstants.DEFAULT_BLOCKSIZE);
    return TableDescriptorBuilder.newBuilder(plain)
        .modifyColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(plain.getColumnFamilies()[0])
                .setMobEnabled(true)
                .setMobThreshold(100)
                .build())
        .build();
  }

  private void compactToOneFile(TableName table) throws IOException {
    assertThat(storeFiles(table)).isEqualTo(2);
    admin.majorCompact(table);
    server.await("there was one store file", Patience.LIMIT, () -> storeFiles(table) == 1);
  }

  private int storeFiles(TableName table) throws IOException {
    int files = 0;
    for (ServerName name : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(name, table)) {
        files += region.getStoreFileCount();
      }
    }
    return files;
  }

  private TerraceStats.Tier tier(String name) throws IOException {
    return TwoServers.terrace(server).tier(name).orElseThrow();
  }

  @Test
  void leavesNothingLeased() throws IOException {
    admin.createTable(withMob(MOB_TABLE));
    CheckedTable rewritten = MOB_TABLE.nextGeneration();
    LoadedTable.fill(connection, MOB_TABLE);
    LoadedTable.fill(connection, rewritten);

    compactToOneFile(MOB_TABLE.name());
    // Whatever DRAM has of the MOB files makes room for these blocks.
    LoadedTable plain = new LoadedTable(server, connection, PLAIN_TABLE);
    plain.write();
    plain.read();

    server.await("no block was leased", Patience.LIMIT, () -> tier("dram").leasedBytes() == 0);
    assertThat(tier("dram").refusals()).doesNotContainKey("NO_SPACE");
    assertThat(tier("dram").usedBytes()).isGreaterThan(tier("dram").capacityBytes() / 2);
    LoadedTable.read(connection, rewritten);
  }

  @Test
  void writesWhatItReadFromTheSsd() throws IOException {
    admin.createTable(WIDE_TABLE.descriptor(SMALL_BLOCK_BYTES));
    try (Table wide = connection.getTable(WIDE_TABLE.name())) {
      for (int generation = 1; generation <= 2; generation++) {
        wide.put(WIDE_TABLE.puts(generation));
        admin.flush(WIDE_TABLE.name());
      }
      assertThat(WIDE_TABLE.faults(wide, 2)).isEmpty();
      long hitsBefore = tier("ssd").hits();

      compactToOneFile(WIDE_TABLE.name());

      assertThat(tier("ssd").hits() - hitsBefore).isGreaterThan(10_000);
      assertThat(WIDE_TABLE.faults(wide, 2)).isEmpty();
    }
  }
}
