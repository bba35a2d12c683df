// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import static dev.terrace.hbase.LocalCluster.FAMILY;
import static dev.terrace.hbase.reads.TieredServers.assertRight;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Scan.ReadType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
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
 * What a labelled delete has hidden stays hidden while others read, and nothing else is hidden: a
 * scan keeps the tags of deletes from one call to the next.
 */
@Tag("hadoop")
@Tag("cluster")
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
class VisibleCellsTest {

  private static final String SECRET = "secret";
  private static final String TOP = "top";
  private static final Authorizations BOTH = new Authorizations(SECRET, TOP);

  /** How a row's secret cells are deleted. */
  private enum Deletion {
    NONE,
    FAMILY,
    COLUMNS,
    VERSIONS
  }

  private static final int COLUMNS = 40;
  private static final int DELETED_COLUMNS = 20;

  /** So that calls end, and others begin, between the cells that a delete hides. */
  private static final int TOP_EVERY = 5;

  /** No delete hides a cell that only the other label shows. */
  private static final int CELLS =
      COLUMNS + COLUMNS / TOP_EVERY + 2 * (COLUMNS - DELETED_COLUMNS + DELETED_COLUMNS / TOP_EVERY);

  private static final int VALUE = 20_000;
  private static final int BLOCK = 1024;

  private TieredServers servers;
  private final Map<Boolean, TableName> tables = new HashMap<>();
  private final Map<Boolean, List<String>> expected = new HashMap<>();

  @BeforeAll
  void start(@TempDir File folder) throws IOException, InterruptedException {
    servers = new TieredServers(folder, Tiers.tried(), TieredServers.labelSettings());
    servers.addLabels(List.of(SECRET, TOP));
    for (boolean newBehaviour : List.of(false, true)) {
      TableName table = table(newBehaviour);
      servers.move(table, Tiers.LRU);
      List<String> cells = servers.scan(table, new Scan().setAuthorizations(BOTH));
      assertThat(cells).hasSize(CELLS);
      tables.put(newBehaviour, table);
      expected.put(newBehaviour, cells);
    }
  }

  @AfterAll
  void stop() throws IOException {
    if (servers != null) {
      servers.close();
    }
  }

  private static byte[] row(Deletion deletion) {
    return Bytes.toBytes("row" + deletion);
  }

  private static byte[] column(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "q%03d", number));
  }

  private static Put put(Deletion deletion, int column) {
    Put put = KnownCell.put(row(deletion), 1, VALUE, FAMILY, column(column));
    put.setCellVisibility(new CellVisibility(column % TOP_EVERY == 0 ? TOP : SECRET));
    return put;
  }

  private static Delete delete(Deletion deletion) {
    Delete delete = new Delete(row(deletion));
    if (deletion == Deletion.FAMILY) {
      delete.addFamily(FAMILY, 2);
    }
    for (int i = 0; i < DELETED_COLUMNS; i++) {
      if (deletion == Deletion.COLUMNS) {
        delete.addColumns(FAMILY, column(i), 1);
      } else if (deletion == Deletion.VERSIONS) {
        delete.addColumn(FAMILY, column(i), 1);
      }
    }
    delete.setCellVisibility(new CellVisibility(SECRET));
    return delete;
  }

  private TableName table(boolean newBehaviour) throws IOException {
    TableName table =
        servers.create(
            TableDescriptorBuilder.newBuilder(TableName.valueOf("labels" + newBehaviour))
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setBlocksize(BLOCK)
                        .setNewVersionBehavior(newBehaviour)
                        .build())
                .build());
    try (Table writes = servers.cluster.open(table)) {
      for (Deletion deletion : Deletion.values()) {
        for (int column = 0; column < COLUMNS; column++) {
          writes.put(put(deletion, column));
        }
        if (deletion != Deletion.NONE) {
          writes.delete(delete(deletion));
        }
      }
    }
    servers.cluster.admin.flush(table);
    return table;
  }

  private static Stream<Arguments> scans() {
    return Tiers.tried().stream()
        .flatMap(
            tiers ->
                Stream.of(false, true)
                    .flatMap(
                        newBehaviour ->
                            Stream.of(
                                Arguments.of(
                                    tiers,
                                    newBehaviour,
                                    "batch",
                                    new Scan().setBatch(2).setCaching(1)),
                                Arguments.of(
                                    tiers,
                                    newBehaviour,
                                    "size",
                                    new Scan()
                                        .setMaxResultSize(2 * VALUE)
                                        .setReadType(ReadType.PREAD)))));
  }

  @ParameterizedTest(name = "{0}, new behaviour of versions={1}, {2}")
  @MethodSource("scans")
  void hiddenCellsStayHidden(Tiers tiers, boolean newBehaviour, String how, Scan scan)
      throws IOException {
    TableName table = tables.get(newBehaviour);
    servers.warm(table, tiers);
    scan.setAuthorizations(BOTH);
    assertRight(servers.scanAmongOthers(table, tiers, scan), expected.get(newBehaviour));
  }
}
