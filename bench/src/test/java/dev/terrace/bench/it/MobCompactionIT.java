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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.commons.io.FileUtils;
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

  /**
   * A table with MOB whose rows have many cells, so that a batch of a compaction has several. Every
   * fifth value is large enough for a MOB file. Values follow from row, column and generation.
   *
   * @param rows how many rows it has
   * @param columns how many cells a row has, at most 26
   */
  private record WideTable(String table, int rows, int columns) {

    private static final byte[] FAMILY = {'f'};
    private static final int MOB_THRESHOLD_BYTES = 500;
    private static final int VALUE_BYTES = 250;
    private static final int MOB_VALUE_BYTES = 600;
    private static final int EVERY_MOB = 5;

    TableName name() {
      return TableName.valueOf(table);
    }

    TableDescriptor descriptor(int blockBytes) {
      return TableDescriptorBuilder.newBuilder(name())
          .setColumnFamily(
              ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                  .setMobEnabled(true)
                  .setMobThreshold(MOB_THRESHOLD_BYTES)
                  .setBlocksize(blockBytes)
                  .build())
          .build();
    }

    /** What writes all rows of a generation. */
    List<Put> puts(int generation) {
      List<Put> puts = new ArrayList<>();
      for (int row = 0; row < rows; row++) {
        Put put = new Put(key(row));
        for (int column = 0; column < columns; column++) {
          put.addColumn(FAMILY, qualifier(column), value(row, column, generation));
        }
        puts.add(put);
      }
      return puts;
    }

    /** Scans all rows, and gets each of them; the rows that are not as they were written. */
    List<String> faults(Table source, int generation) throws IOException {
      List<String> faults = new ArrayList<>();
      int row = 0;
      try (ResultScanner scanner = source.getScanner(new Scan().setCaching(100))) {
        for (Result result : scanner) {
          addFault(faults, "scanned", row++, generation, result);
        }
      }
      if (row != rows) {
        faults.add(row + " rows were scanned, not " + rows);
      }
      List<Get> gets = new ArrayList<>();
      for (row = 0; row < rows; row++) {
        gets.add(new Get(key(row)));
      }
      Result[] results = source.get(gets);
      for (row = 0; row < rows; row++) {
        addFault(faults, "got", row, generation, results[row]);
      }
      return faults;
    }

    private void addFault(List<String> faults, String how, int row, int generation, Result read) {
      boolean isRight = read.size() == columns && Arrays.equals(read.getRow(), key(row));
      for (int column = 0; column < columns && isRight; column++) {
        byte[] value = read.getValue(FAMILY, qualifier(column));
        isRight = Arrays.equals(value, value(row, column, generation));
      }
      if (!isRight) {
        faults.add("row " + row + " was " + how + " as " + read);
      }
    }

    private static byte[] key(int row) {
      return String.format(Locale.ROOT, "row%06d", row).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] qualifier(int column) {
      return new byte[] {(byte) ('a' + column)};
    }

    private static byte[] value(int row, int column, int generation) {
      byte[] value = new byte[column % EVERY_MOB == 0 ? MOB_VALUE_BYTES : VALUE_BYTES];
      new Random(((long) generation << 48) + ((long) row << 8) + column).nextBytes(value);
      return value;
    }
  }
}
