// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.slow.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A real HBase with Terrace, whose files Hadoop's client has in S3: a real server of it, slowed.
 */
@Tag("hadoop")
@Tag("long")
final class S3StoreIT {

  private static final String NAME = "over-s3";

  /** A file of it has several parts. */
  private static final CheckedTable TABLE = CheckedTable.ordered("parts", 12_000, 1_000, 1, 1);

  private static final int ROWS_PER_CALL = 500;

  private HBaseInstall install;
  private Path folder;
  private S3Server s3;
  private ServerSetup setup;
  private HBaseServer server;

  @BeforeEach
  void start() throws IOException {
    install = HBaseInstall.overS3();
    folder = Setups.emptyFolder("S3StoreIT");
    Files.createDirectories(folder.resolve(NAME));
    s3 = S3Server.start(folder);
    Path wal = folder.resolve(NAME).resolve("data/wal");
    setup =
        s3.hold(
                Setups.terrace(
                    NAME,
                    512L << 20,
                    Map.of(
                        "hbase.regionserver.impl",
                        "dev.terrace.hbase.TerraceRegionServer",
                        "hbase.terrace.create.paths",
                        "true",
                        // A third of the table, so that the other tier serves, too.
                        "hbase.terrace.dram.size",
                        "4m",
                        "hbase.terrace.ssd.paths",
                        "${hbase.tmp.dir}/ssd",
                        "hbase.terrace.ssd.size",
                        "64m",
                        "hbase.wal.dir",
                        wal.toUri().toString())),
                "data")
            .with(S3Server.FILES_STAY);
    server = HBaseServer.start(install, setup, folder.resolve(NAME));
  }

  @AfterEach
  void stop() throws IOException {
    Setups.stop(server);
    if (s3 != null) {
      s3.close();
    }
  }

  @Test
  void staysRightThroughPartsCompactionRestartAndLoss() throws Exception {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      TABLE.create(admin);
      TABLE.write(connection, 1, 0, 2);
      admin.flush(TABLE.name());
      TABLE.write(connection, 1, 1, 2);
      admin.flush(TABLE.name());
      long asked = System.currentTimeMillis();
      admin.majorCompact(TABLE.name());
      server.await(
          "it compacted",
          Duration.ofMinutes(10),
          HBaseServer.compactedSince(admin, TABLE.name(), asked));
      assertThat(files()).as("no file was renamed into its place").hasSizeGreaterThan(0);

      readAll(connection);
      long once = s3.reads(NAME);
      readAll(connection);
      assertThat(s3.reads(NAME) - once).as("nothing is read twice").isLessThan(10);
    }

    server.stop();
    server = HBaseServer.start(install, setup, folder.resolve(NAME));
    try (Connection connection = impatient();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE.name())) {
      long atStart = s3.reads(NAME);
      readAll(connection);
      assertThat(s3.reads(NAME) - atStart).as("it is warm").isLessThan(20);
      assertThat(TwoServers.tier(server, "ssd").hits()).isPositive();

      admin.clearBlockCache(TABLE.name());
      long before = s3.reads(NAME);
      double countedBefore = readRequests();
      readAll(connection);
      long made = s3.reads(NAME) - before;
      assertThat(made).as("reads of an empty cache").isGreaterThan(150);
      assertThat(readRequests() - countedBefore)
          .as("requests made, as Terrace counts them")
          .isCloseTo((double) made, withinPercentage(2));

      for (Path file : files()) {
        Files.delete(file);
      }
      readAll(connection);
      admin.clearBlockCache(TABLE.name());
      assertThatThrownBy(() -> table.get(new Get(TABLE.key(TABLE.rows() / 2))))
          .isInstanceOf(IOException.class);
    }
  }

  private static void readAll(Connection connection) throws IOException {
    for (long first = 0; first < TABLE.rows(); first += ROWS_PER_CALL) {
      LoadedTable.get(
          connection, TABLE, LongStream.range(first, first + ROWS_PER_CALL).boxed().toList());
    }
  }

  private double readRequests() throws IOException {
    return TerraceStats.figure(server.jmx(), "store", "read_requests_total");
  }

  private Connection impatient() throws IOException {
    Configuration client = server.clientConfiguration();
    client.setInt("hbase.client.retries.number", 1);
    return ConnectionFactory.createConnection(client);
  }

  /** Returns the table's files as they lie below S3. */
  private List<Path> files() throws IOException {
    Path table = folder.resolve(NAME).resolve("data/hbase/data/default").resolve("parts");
    try (Stream<Path> all = Files.walk(table)) {
      return all.filter(file -> file.getFileName().toString().matches("[0-9a-f]{32}"))
          .filter(Files::isRegularFile)
          .toList();
    }
  }
}
