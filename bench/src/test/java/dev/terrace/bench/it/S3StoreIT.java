// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.terrace.api.Patience;
import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseInstall;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.ServerSetup;
import dev.terrace.bench.server.TerraceStats;
import dev.terrace.bench.slow.S3Server;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.filefilter.PrefixFileFilter;
import org.apache.commons.io.filefilter.TrueFileFilter;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hbase.thirdparty.com.google.common.collect.Iterables;
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

  /** In the access log, a read of the table's file. */
  private static final Predicate<String> READ =
      Pattern.compile("GET .*/data/default/parts/[^/]*/f/[0-9a-f]{32}$").asPredicate();

  /** In the access log, the read of a list of hot blocks. */
  private static final Predicate<String> LIST =
      Pattern.compile("GET .*/data/default/parts/[^/]*/.terrace-heat[.0-9a-f]*$").asPredicate();

  /** About as many as the table's file has. */
  private static final int BLOCKS = 185;

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
      double countedBefore = figure("store", "read_requests_total");
      readAll(connection);
      long made = s3.reads(NAME) - before;
      assertThat(made).as("reads of an empty cache").isGreaterThan(150);
      assertThat(figure("store", "read_requests_total") - countedBefore)
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

  @Test
  void countsTheRequestsOfWarmingListsAndPrefetch() throws Exception {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      TABLE.create(admin);
      LoadedTable.fill(connection, TABLE);
      readAll(connection);
      // Leaves a list.
      admin.disableTable(TABLE.name());
      admin.enableTable(TABLE.name());
      disableWithoutBlocks(admin);

      double callsBefore = figure("warm", "list_store_calls_total");
      int before = s3.accessLog().size();
      admin.enableTable(TABLE.name());
      server.await(
          "it has warmed the region",
          Patience.LIMIT,
          () -> TwoServers.terrace(server).blocks() >= BLOCKS && figure("warm", "regions") == 0);
      List<String> requests = since(before);
      int list = Iterables.indexOf(requests, LIST::test);
      long toOpen = requests.subList(0, list).stream().filter(READ).count();
      long warmed = requests.stream().filter(READ).count() - toOpen;
      assertThat(warmed).as("reads of up to 1 MB").isBetween(12L, 40L);
      assertThat(figure("warm", "read_requests_total")).isEqualTo((double) warmed);
      assertThat(figure("warm", "list_store_calls_total") - callsBefore)
          .as("calls to find and read a list")
          .isEqualTo(2);

      disableWithoutBlocks(admin);
      for (File left :
          FileUtils.listFiles(
              folder.resolve(NAME).resolve("data/hbase/data/default/parts").toFile(),
              new PrefixFileFilter(".terrace-heat"),
              TrueFileFilter.TRUE)) {
        Files.delete(left.toPath());
      }
      admin.modifyColumnFamily(
          TABLE.name(),
          ColumnFamilyDescriptorBuilder.newBuilder(
                  admin.getDescriptor(TABLE.name()).getColumnFamily(CheckedTable.FAMILY))
              .setPrefetchBlocksOnOpen(true)
              .build());
      int beforePrefetch = s3.accessLog().size();
      admin.enableTable(TABLE.name());
      server.await(
          "prefetch has read the file",
          Patience.LIMIT,
          () -> since(beforePrefetch).stream().filter(READ).count() >= toOpen + BLOCKS);
      assertThat(figure("store", "prefetch_requests_total"))
          .isCloseTo(
              (double) since(beforePrefetch).stream().filter(READ).count() - toOpen,
              withinPercentage(2));
    }
  }

  /** Disables the table; its list of hot blocks stays, since none is written without blocks. */
  private void disableWithoutBlocks(Admin admin) throws IOException {
    admin.clearBlockCache(TABLE.name());
    admin.disableTable(TABLE.name());
    assertThat(TwoServers.terrace(server).blocks()).isLessThan(20);
  }

  private List<String> since(int before) throws IOException {
    List<String> all = s3.accessLog();
    return all.subList(before, all.size());
  }

  private static void readAll(Connection connection) throws IOException {
    for (long first = 0; first < TABLE.rows(); first += ROWS_PER_CALL) {
      LoadedTable.get(
          connection, TABLE, LongStream.range(first, first + ROWS_PER_CALL).boxed().toList());
    }
  }

  private double figure(String group, String figure) throws IOException {
    return TerraceStats.figure(server.jmx(), group, figure);
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
