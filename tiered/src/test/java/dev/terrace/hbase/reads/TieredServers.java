// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import static dev.terrace.hbase.LocalCluster.FAMILY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.LocalCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A server for each kind of cache. Tables of one region move from one to the other. Each server
 * also has a table of other rows: reading them has the cache use released memory again.
 */
final class TieredServers implements AutoCloseable {

  /** The size of a value that has a block of its own. */
  static final int LARGE = 110_000;

  private static final int OTHERS = 48;
  private static final int OTHERS_PER_CALL = 10;
  private static final int CALLS = 2;
  private static final Path TMPFS = Path.of("/dev/shm");

  final LocalCluster cluster;
  private final File memory;
  private final List<Tiers> tiers;
  private final Map<Tiers, Table> others = new EnumMap<>(Tiers.class);

  TieredServers(File folder, List<Tiers> tiers, Map<String, String> further)
      throws IOException, InterruptedException {
    this.tiers = List.copyOf(tiers);
    memory =
        Files.isWritable(TMPFS)
            ? Files.createTempDirectory(TMPFS, "terrace-cells").toFile()
            : new File(folder, "memory");
    Map<String, String> settings = new HashMap<>(further);
    // HBase's pool of buffers uses them again as soon as it has no others.
    settings.put("hbase.server.allocator.max.buffer.count", "40");
    // A cell that HBase cannot read fails each of its tries.
    settings.put("hbase.client.retries.number", "5");
    settings.put("hbase.client.pause", "50");
    cluster =
        new LocalCluster(
            folder, tiers.stream().map(each -> each.settings(folder, memory)).toList(), settings);
    cluster.admin.balancerSwitch(false, true);
    for (Tiers each : tiers) {
      TableName table =
          create(
              TableDescriptorBuilder.newBuilder(TableName.valueOf("others_" + each))
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build());
      Table open = cluster.open(table);
      for (int row = 0; row < OTHERS; row++) {
        open.put(KnownCell.put(other(row), 1, LARGE, FAMILY, FAMILY));
      }
      cluster.admin.flush(table);
      move(table, each);
      others.put(each, open);
    }
  }

  /** Of the length of the rows of tests, and after them: a key that became one is never reached. */
  private static byte[] other(int number) {
    return Bytes.toBytes("row" + (900_000 + number));
  }

  TableName create(TableDescriptor table) throws IOException {
    cluster.admin.createTable(table);
    return table.getTableName();
  }

  /** Settings of servers that know labels of visibility, and heed them. */
  static Map<String, String> labelSettings() throws IOException {
    String controller = VisibilityController.class.getName();
    return Map.of(
        "hbase.security.authorization",
        "true",
        "hbase.superuser",
        User.getCurrent().getShortName(),
        "hbase.coprocessor.master.classes",
        controller,
        "hbase.coprocessor.region.classes",
        controller);
  }

  /** Makes labels of visibility known, and has the user see all of them. */
  void addLabels(List<String> labels) throws IOException {
    String[] names = labels.toArray(String[]::new);
    try {
      VisibilityClient.addLabels(cluster.admin.getConnection(), names);
      VisibilityClient.setAuths(
          cluster.admin.getConnection(), names, User.getCurrent().getShortName());
    } catch (Throwable e) {
      throw new IOException("labels=" + labels, e);
    }
  }

  /** Moves a table to the server of a cache. */
  void move(TableName table, Tiers to) throws IOException {
    int number = tiers.indexOf(to);
    if (cluster.regionsOf(number, table).isEmpty()) {
      RegionInfo region = cluster.admin.getRegions(table).get(0);
      cluster.admin.move(region.getEncodedNameAsBytes(), cluster.server(number).getServerName());
      await().until(() -> !cluster.regionsOf(number, table).isEmpty());
      cluster.locate(table);
    }
  }

  /** The region of a table on the server of a cache. */
  HRegion region(TableName table, Tiers on) {
    return cluster.regionsOf(tiers.indexOf(on), table).get(0);
  }

  /** Moves a table, and reads it until a part of it is in the tier that the test is about. */
  void warm(TableName table, Tiers to) throws IOException {
    move(table, to);
    await()
        .until(
            () -> {
              readOthers(to);
              long before = hits(to);
              int cells = scan(table, new Scan()).size();
              return to == Tiers.LRU || hits(to) - before >= cells / 10;
            });
  }

  private long hits(Tiers of) {
    return of == Tiers.LRU
        ? 0
        : cluster.cache(tiers.indexOf(of)).tierStats().get(of.largest()).reads().hits().counted();
  }

  /** The names of the cells that a scan finds. */
  List<String> scan(TableName table, Scan scan) throws IOException {
    return scan(table, scan, () -> {});
  }

  /** The same, while the rows of others are read between one row, or part of it, and the next. */
  List<String> scanAmongOthers(TableName table, Tiers tiers, Scan scan) throws IOException {
    return scan(table, scan, () -> readOthers(tiers));
  }

  private interface Reads {
    void read() throws IOException;
  }

  private List<String> scan(TableName table, Scan scan, Reads between) throws IOException {
    List<String> cells = new ArrayList<>();
    try (Table reads = cluster.open(table);
        ResultScanner results = reads.getScanner(scan)) {
      for (Result result : results) {
        cells.addAll(names(result));
        between.read();
      }
    }
    return cells;
  }

  static List<String> names(Result result) {
    List<String> names = new ArrayList<>();
    if (!result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        names.add(KnownCell.name(cell));
      }
    }
    return names;
  }

  /** Reads more than waits in the cache before it is used again. */
  void readOthers(Tiers on) throws IOException {
    for (int call = 0; call < CALLS; call++) {
      List<Get> gets = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < OTHERS_PER_CALL; i++) {
        byte[] row = other(ThreadLocalRandom.current().nextInt(OTHERS));
        gets.add(new Get(row));
        expected.add(KnownCell.name(row, FAMILY, FAMILY, 1));
      }
      List<String> seen = new ArrayList<>();
      for (Result result : others.get(on).get(gets)) {
        seen.addAll(names(result));
      }
      assertThat(seen).as("other rows").isEqualTo(expected);
    }
  }

  /** Checks the cells of an answer, and tells of the first that differs. */
  static void assertRight(List<String> seen, List<String> expected) {
    int first = 0;
    while (first < Math.min(seen.size(), expected.size())
        && seen.get(first).equals(expected.get(first))) {
      first++;
    }
    assertThat(first == Math.max(seen.size(), expected.size()))
        .as(
            "%d of %d cells; cell %d is %s in place of %s",
            seen.size(), expected.size(), first, at(seen, first), at(expected, first))
        .isTrue();
  }

  private static String at(List<String> cells, int index) {
    return index < cells.size() ? cells.get(index) : "missing";
  }

  @Override
  public void close() throws IOException {
    for (Table each : others.values()) {
      each.close();
    }
    cluster.close();
    FileUtil.fullyDelete(memory);
  }
}
