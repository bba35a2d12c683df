// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
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

  /** A table with MOB whose rows have so many cells that a batch of a compaction has several. */
  private static final TableName WIDE = TableName.valueOf("wide");

  private static final int WIDE_ROWS = 2_000;
  private static final int WIDE_COLUMNS = 20;
  private static final byte[] FAMILY = {'f'};

  private HBaseServer server;
  private Connection connection;
  private Admin admin;

  @BeforeEach
  void start() throws IOException {
    Path folder = Setups.emptyFolder("MobCompactionIT");
    Path ssd = Files.createDirectories(folder.resolve("ssd"));
    ServerSetup setup =
        Setups.terrace(
            "mob",
            128L << 20,
            Map.of(
                "hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer",
                "hbase.terrace.dram.size", "4m",
                "hbase.terrace.ssd.paths", ssd.toString(),
                "hbase.terrace.ssd.size", "128m"));
    server = Setups.start(setup, folder);
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterEach
  void stop() throws IOException {
    Setups.stop(server, admin, connection);
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
    return TwoServers.tier(server, name);
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
    assertThat(tier("dram").figures().get("used_bytes"))
        .isGreaterThan(tier("dram").capacityBytes() / 2.0);
    LoadedTable.read(connection, rewritten);
  }

  @Test
  void writesWhatItReadFromTheSsd() throws IOException {
    admin.createTable(wide());
    try (Table wide = connection.getTable(WIDE)) {
      for (int generation = 1; generation <= 2; generation++) {
        wide.put(puts(generation));
        admin.flush(WIDE);
      }
      assertAllRight(wide, 2);
      long hitsBefore = tier("ssd").hits();

      compactToOneFile(WIDE);

      assertThat(tier("ssd").hits() - hitsBefore).isGreaterThan(10_000);
      assertAllRight(wide, 2);
    }
  }

  private static TableDescriptor wide() {
    return TableDescriptorBuilder.newBuilder(WIDE)
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setMobEnabled(true)
                .setMobThreshold(500)
                .setBlocksize(SMALL_BLOCK_BYTES)
                .build())
        .build();
  }

  private static List<Put> puts(int generation) {
    List<Put> puts = new ArrayList<>();
    for (int row = 0; row < WIDE_ROWS; row++) {
      Put put = new Put(key(row));
      for (int column = 0; column < WIDE_COLUMNS; column++) {
        put.addColumn(FAMILY, qualifier(column), value(row, column, generation));
      }
      puts.add(put);
    }
    return puts;
  }

  /** Scans all rows, and gets each of them. */
  private static void assertAllRight(Table wide, int generation) throws IOException {
    List<Result> read = new ArrayList<>();
    try (ResultScanner scanner = wide.getScanner(new Scan().setCaching(100))) {
      scanner.forEach(read::add);
    }
    assertThat(read).hasSize(WIDE_ROWS);
    List<Get> gets = read.stream().map(row -> new Get(row.getRow())).toList();
    read.addAll(List.of(wide.get(gets)));
    for (int i = 0; i < read.size(); i++) {
      int row = i % WIDE_ROWS;
      assertThat(read.get(i).getRow()).isEqualTo(key(row));
      assertThat(read.get(i).size()).isEqualTo(WIDE_COLUMNS);
      for (int column = 0; column < WIDE_COLUMNS; column++) {
        assertThat(read.get(i).getValue(FAMILY, qualifier(column)))
            .as("row %d, column %d", row, column)
            .isEqualTo(value(row, column, generation));
      }
    }
  }

  private static byte[] key(int row) {
    return Bytes.toBytes(String.format(Locale.ROOT, "row%06d", row));
  }

  private static byte[] qualifier(int column) {
    return new byte[] {(byte) ('a' + column)};
  }

  /** Every fifth value is large enough for a MOB file. */
  private static byte[] value(int row, int column, int generation) {
    byte[] value = new byte[column % 5 == 0 ? 600 : 250];
    new Random(((long) generation << 48) + ((long) row << 8) + column).nextBytes(value);
    return value;
  }
}
