// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import static dev.terrace.hbase.LocalCluster.FAMILY;
import static dev.terrace.hbase.reads.TieredServers.LARGE;
import static dev.terrace.hbase.reads.TieredServers.assertRight;
import static org.assertj.core.api.Assertions.assertThat;

import acme.FamilyFirst;
import acme.FirstOfGroup;
import acme.KeptRows;
import acme.NewGroup;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.acme.KeptRowsBelowHBase;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Scan.ReadType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Readers that keep a cell beyond the call that found it, while others read: each cache must answer
 * as HBase's own does. HBase keeps cells itself between two calls of a scan: the keys that a store
 * file is yet to look for lie over the row of another file's block, and of the block of a row that
 * its scan goes on with only the next cell is copied.
 */
@Tag("hadoop")
@Tag("cluster")
@TestInstance(Lifecycle.PER_CLASS)
abstract class KeptCellsContract {

  private static final int ROWS = 24;
  private static final int GROUPS = 16;
  private static final int ROWS_PER_GROUP = 3;
  private static final int KEPT_ROWS = 3;
  private static final byte[] OTHER_FAMILY = Bytes.toBytes("g");
  private static final byte[] A = Bytes.toBytes("a");
  private static final byte[] B = Bytes.toBytes("b");
  private static final byte[] C = Bytes.toBytes("c");

  /** One cell ends a call, and two end it within a row of three. */
  private static final int SIZE = 150_000;

  private TieredServers servers;
  private TableName columns;
  private TableName blooms;
  private TableName groups;
  private TableName families;
  private TableName mob;

  @BeforeAll
  void start(@TempDir File folder) throws IOException, InterruptedException {
    servers = new TieredServers(folder, Tiers.tried(), Map.of());
    columns = threeColumns("columns", BloomType.ROW, A, B, C);
    blooms = threeColumns("blooms", BloomType.ROWCOL, C);
    groups = groups();
    families = families();
    mob = mob();
  }

  @AfterAll
  void stop() throws IOException {
    if (servers != null) {
      servers.close();
    }
  }

  private TableName create(String name, ColumnFamilyDescriptor... families) throws IOException {
    return servers.create(
        TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
            .setColumnFamilies(List.of(families))
            .build());
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "row%06d", number));
  }

  /** Two files: the second has newer versions of some columns in each third row. */
  private TableName threeColumns(String name, BloomType bloom, byte[]... newer) throws IOException {
    TableName table =
        create(
            name,
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBloomFilterType(bloom).build());
    try (Table writes = servers.cluster.open(table)) {
      for (int i = 0; i < ROWS; i++) {
        writes.put(KnownCell.put(row(i), 1, LARGE, FAMILY, A, B, C));
      }
      servers.cluster.admin.flush(table);
      for (int i = 0; i < ROWS; i += 3) {
        writes.put(KnownCell.put(row(i), 2, LARGE, FAMILY, newer));
      }
      servers.cluster.admin.flush(table);
    }
    return table;
  }

  private static List<String> expectedColumns(byte[]... newer) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      for (byte[] column : List.of(A, B, C)) {
        boolean isNewer = i % 3 == 0 && List.of(newer).contains(column);
        cells.add(KnownCell.name(row(i), FAMILY, column, isNewer ? 2 : 1));
      }
    }
    return cells;
  }

  private static Scan scanOfColumns() {
    return new Scan().addColumn(FAMILY, A).addColumn(FAMILY, B).addColumn(FAMILY, C);
  }

  private static Stream<Arguments> scansOfColumns() {
    return Tiers.tried().stream()
        .flatMap(
            tiers ->
                Stream.of(
                    Arguments.of(tiers, "size", scanOfColumns().setMaxResultSize(SIZE)),
                    Arguments.of(
                        tiers,
                        "size, pread",
                        scanOfColumns().setMaxResultSize(SIZE).setReadType(ReadType.PREAD)),
                    Arguments.of(tiers, "batch", scanOfColumns().setBatch(1).setCaching(1)),
                    Arguments.of(
                        tiers,
                        "batch, stream",
                        scanOfColumns().setBatch(1).setCaching(1).setReadType(ReadType.STREAM))));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("scansOfColumns")
  void aScanOfColumnsFindsEachCell(Tiers tiers, String how, Scan scan) throws IOException {
    servers.warm(columns, tiers);
    assertRight(servers.scanAmongOthers(columns, tiers, scan), expectedColumns(A, B, C));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("scansOfColumns")
  void bloomFiltersOfColumnsHideNoCell(Tiers tiers, String how, Scan scan) throws IOException {
    servers.warm(blooms, tiers);
    assertRight(servers.scanAmongOthers(blooms, tiers, scan), expectedColumns(C));
  }

  @ParameterizedTest
  @MethodSource("dev.terrace.hbase.reads.Tiers#tried")
  void aReversedScanFindsEachCell(Tiers tiers) throws IOException {
    List<String> expected = new ArrayList<>();
    List<String> forward = expectedColumns(A, B, C);
    for (int i = ROWS - 1; i >= 0; i--) {
      expected.addAll(forward.subList(3 * i, 3 * i + 3));
    }
    servers.warm(columns, tiers);
    Scan scan = scanOfColumns().setReversed(true).setMaxResultSize(SIZE);
    assertRight(servers.scanAmongOthers(columns, tiers, scan), expected);
  }

  private TableName mob() throws IOException {
    TableName table =
        create(
            "mob",
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setMobEnabled(true)
                .setMobThreshold(LARGE / 2)
                .build());
    try (Table writes = servers.cluster.open(table)) {
      for (int version = 1; version <= 2; version++) {
        for (int i = 0; i < ROWS; i += version) {
          writes.put(KnownCell.put(row(i), version, LARGE, FAMILY, A));
          writes.put(KnownCell.put(row(i), version, 1000, FAMILY, B));
        }
        servers.cluster.admin.flush(table);
      }
    }
    return table;
  }

  @ParameterizedTest
  @MethodSource("dev.terrace.hbase.reads.Tiers#tried")
  void aScanOfMobFindsEachCell(Tiers tiers) throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      for (byte[] column : List.of(A, B)) {
        expected.add(KnownCell.name(row(i), FAMILY, column, i % 2 == 0 ? 2 : 1));
      }
    }
    servers.move(mob, tiers);
    for (int round = 0; round < 2; round++) {
      Scan scan = new Scan().addColumn(FAMILY, A).addColumn(FAMILY, B).setBatch(1).setCaching(1);
      assertRight(servers.scanAmongOthers(mob, tiers, scan), expected);
    }
  }

  private TableName families() throws IOException {
    TableName table =
        create(
            "families",
            ColumnFamilyDescriptorBuilder.of(FAMILY),
            ColumnFamilyDescriptorBuilder.of(OTHER_FAMILY));
    try (Table writes = servers.cluster.open(table)) {
      for (int i = 0; i < ROWS; i++) {
        writes.put(KnownCell.put(row(i), 1, LARGE, FAMILY, A));
        writes.put(KnownCell.put(row(i), 1, LARGE, OTHER_FAMILY, A, B, C));
      }
    }
    servers.cluster.admin.flush(table);
    return table;
  }

  private static Stream<Arguments> scansOnDemand() {
    SingleColumnValueFilter value =
        new SingleColumnValueFilter(FAMILY, A, CompareOperator.NOT_EQUAL, A);
    value.setFilterIfMissing(true);
    return Tiers.tried().stream()
        .flatMap(
            tiers ->
                Stream.of(
                    Arguments.of(tiers, "value", new Scan().setCaching(1).setFilter(value)),
                    Arguments.of(
                        tiers,
                        "batch",
                        new Scan().setBatch(2).setCaching(1).setFilter(new FamilyFirst(FAMILY)))));
  }

  /** A call that ends in the family that is read on demand keeps the row. */
  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("scansOnDemand")
  void aFamilyOnDemandGoesWithItsRow(Tiers tiers, String how, Scan scan) throws IOException {
    scan.setLoadColumnFamiliesOnDemand(true);
    servers.move(families, Tiers.LRU);
    // In batches HBase itself leaves cells out.
    List<String> expected = servers.scan(families, scan);
    assertThat(expected).hasSizeGreaterThan(ROWS);
    servers.warm(families, tiers);
    assertRight(servers.scanAmongOthers(families, tiers, scan), expected);
  }

  private static byte[] row(int group, int member) {
    return Bytes.toBytes(String.format(Locale.ROOT, "row%04d%02d", group, member));
  }

  private TableName groups() throws IOException {
    TableName table = create("groups", ColumnFamilyDescriptorBuilder.of(FAMILY));
    try (Table writes = servers.cluster.open(table)) {
      for (int group = 0; group < GROUPS; group++) {
        for (int member = 0; member < ROWS_PER_GROUP; member++) {
          writes.put(KnownCell.put(row(group, member), 1, LARGE, FAMILY, A));
        }
      }
    }
    servers.cluster.admin.flush(table);
    return table;
  }

  private static Stream<Arguments> filtersOfClients() {
    return Tiers.tried().stream()
        .flatMap(
            tiers ->
                Stream.of(new FirstOfGroup(), new RowFilter(CompareOperator.EQUAL, new NewGroup()))
                    .flatMap(
                        filter ->
                            Stream.of(ReadType.PREAD, ReadType.STREAM)
                                .map(type -> Arguments.of(tiers, filter, type))));
  }

  @ParameterizedTest(name = "{0}, {1}, {2}")
  @MethodSource("filtersOfClients")
  void aClientsFilterMayKeepCells(Tiers tiers, Filter filter, ReadType type) throws IOException {
    List<String> expected = new ArrayList<>();
    for (int group = 0; group < GROUPS; group++) {
      expected.add(KnownCell.name(row(group, 0), FAMILY, A, 1));
    }
    servers.warm(groups, tiers);
    Scan scan = new Scan().setFilter(filter).setCaching(1).setReadType(type);
    assertRight(servers.scanAmongOthers(groups, tiers, scan), expected);
  }

  private static Stream<Arguments> observers() {
    return Tiers.tried().stream()
        .flatMap(
            tiers ->
                Stream.of(KeptRows.class, KeptRowsBelowHBase.class)
                    .flatMap(
                        observer ->
                            Stream.of(true, false)
                                .map(isWarm -> Arguments.of(tiers, observer, isWarm))));
  }

  /** Rows of a cold cache come from HBase's files, those of a warm one from a tier. */
  @ParameterizedTest(name = "{0}, {1}, warm={2}")
  @MethodSource("observers")
  void anObserverMayKeepCells(Tiers tiers, Class<?> observer, boolean isWarm) throws IOException {
    TableName table =
        servers.create(
            TableDescriptorBuilder.newBuilder(
                    TableName.valueOf(observer.getSimpleName() + tiers + isWarm))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .setCoprocessor(observer.getName())
                .build());
    try (Table rows = servers.cluster.open(table)) {
      for (int i = 0; i < ROWS; i++) {
        rows.put(KnownCell.put(row(i), 1, LARGE, FAMILY, A));
      }
      servers.cluster.admin.flush(table);
      servers.move(table, tiers);
      if (isWarm) {
        servers.warm(table, tiers);
      }
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < KEPT_ROWS; i++) {
          assertRight(
              TieredServers.names(rows.get(new Get(row(i)))),
              List.of(KnownCell.name(row(i), FAMILY, A, 1)));
        }
        servers.readOthers(tiers);
      }
    }
  }
}
