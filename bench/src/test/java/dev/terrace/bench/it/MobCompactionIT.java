/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
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
 * A compaction of MOB files, on a real HBase, which releases none of the blocks that it reads of
 * them, takes nothing from a DRAM tier half as large as what it reads.
 */
@Tag("hadoop")
final class MobCompactionIT {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final VersionedTable MOB_TABLE = new VersionedTable("mob", 8_000, 1, 1, 1_000);
  private static final VersionedTable PLAIN_TABLE = new VersionedTable("plain", 8_000, 1, 1, 1_000);

  private HBaseServer server;
  private Connection connection;
  private Admin admin;

  @BeforeEach
  void start() throws IOException {
    Path folder = HBaseInstall.home().resolve("bench/target/it/MobCompactionIT");
    FileUtils.deleteDirectory(folder.toFile());
    ServerSetup setup =
        Setups.terrace(
            "mob",
            ByteSize.ofMebibytes(128),
            Map.of(
                "hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer",
                "hbase.terrace.dram.size", "4m"));
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

  private static TableDescriptor withMob(VersionedTable table) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table.descriptor());
    for (ColumnFamilyDescriptor family : table.descriptor().getColumnFamilies()) {
      builder.modifyColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family)
              .setMobEnabled(true)
              .setMobThreshold(100)
              .build());
    }
    return builder.build();
  }

  private void write(VersionedTable table) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (long row = 0; row < table.rows(); row++) {
      puts.add(table.put(row));
    }
    try (Table target = connection.getTable(table.name())) {
      target.put(puts);
    }
    admin.flush(table.name());
  }

  private void assertAllRight(VersionedTable table) throws IOException {
    try (Table source = connection.getTable(table.name());
        ResultScanner scanner = source.getScanner(new Scan().setCaching(200))) {
      long row = 0;
      for (Result result : scanner) {
        assertThat(table.fault(row, result)).isEmpty();
        row++;
      }
      assertThat(row).isEqualTo(table.rows());
    }
  }

  private int storeFiles(VersionedTable table) throws IOException {
    int files = 0;
    for (ServerName name : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(name, table.name())) {
        files += region.getStoreFileCount();
      }
    }
    return files;
  }

  private TerraceStats.Tier dram() throws IOException {
    return TwoServers.terrace(server).tier("dram").orElseThrow();
  }

  @Test
  void leavesNothingLeased() throws IOException {
    admin.createTable(withMob(MOB_TABLE));
    admin.createTable(PLAIN_TABLE.descriptor());
    VersionedTable rewritten = MOB_TABLE.nextGeneration();
    write(MOB_TABLE);
    write(rewritten);
    assertThat(storeFiles(MOB_TABLE)).isEqualTo(2);

    admin.majorCompact(MOB_TABLE.name());
    server.await("there was one store file", LIMIT, () -> storeFiles(MOB_TABLE) == 1);
    // Whatever DRAM has of the MOB files makes room for these blocks.
    write(PLAIN_TABLE);
    assertAllRight(PLAIN_TABLE);

    server.await("no block was leased", LIMIT, () -> dram().leasedBytes() == 0);
    assertThat(dram().refusals()).doesNotContainKey("NO_SPACE");
    assertThat(dram().usedBytes()).isGreaterThan(dram().capacityBytes() / 2);
    assertAllRight(rewritten);
  }
}
