// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.phoenix;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** A table of Phoenix with two global indexes, and a model of the rows that it must have. */
final class IndexedTable {

  private static final int BATCH = 500;

  /** A row of the index on {@code v}. */
  private record IndexRow(String v, long id) {}

  private final PhoenixCluster cluster;
  private final String name;
  private final SortedMap<Long, Row> model = new TreeMap<>();

  private IndexedTable(PhoenixCluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  /**
   * Creates a table without rows.
   *
   * @param kind {@code ""} or {@code "IMMUTABLE"}
   * @param options of the table, with a comma before each
   */
  static IndexedTable create(PhoenixCluster cluster, String name, String kind, String options)
      throws SQLException {
    IndexedTable table = new IndexedTable(cluster, name);
    table.execute(
        "CREATE "
            + kind
            + " TABLE "
            + name
            + " (id BIGINT NOT NULL PRIMARY KEY, k INTEGER, v VARCHAR, w VARCHAR) BLOCKSIZE=8192"
            + options);
    table.execute("CREATE INDEX " + table.indexOnK() + " ON " + name + "(k) INCLUDE(v)");
    table.execute("CREATE INDEX " + table.indexOnV() + " ON " + name + "(v)");
    return table;
  }

  String name() {
    return name;
  }

  String indexOnK() {
    return name + "_K";
  }

  String indexOnV() {
    return name + "_V";
  }

  Collection<Row> rows() {
    return model.values();
  }

  /** Writes the rows of one generation, in batches, and flushes them. */
  void upsert(long from, long to, int generation) throws Exception {
    try (Connection connection = cluster.connect();
        PreparedStatement upsert =
            connection.prepareStatement("UPSERT INTO " + name + " VALUES(?, ?, ?, ?)")) {
      for (long id = from; id < to; id++) {
        Row row = Row.of(id, generation);
        upsert.setLong(1, row.id());
        upsert.setInt(2, row.k());
        upsert.setString(3, row.v());
        upsert.setString(4, row.w());
        upsert.executeUpdate();
        model.put(id, row);
        if ((id + 1) % BATCH == 0) {
          connection.commit();
        }
      }
      connection.commit();
    }
    flush();
  }

  /** Deletes rows that the client reads first. */
  void deleteByClient(long from, long to) throws Exception {
    try (Connection connection = cluster.connect();
        Statement statement = connection.createStatement()) {
      String sql = deletion(from, to);
      assertThat(plan(statement, sql)).contains("DELETE ROWS CLIENT SELECT");
      statement.executeUpdate(sql);
      connection.commit();
    }
    model.subMap(from, to).clear();
    flush();
  }

  /** Deletes rows in their region servers: a scan of a client writes there. */
  void deleteOnServer(long from, long to) throws Exception {
    executeAtOnce(deletion(from, to), "DELETE ROWS SERVER SELECT");
    model.subMap(from, to).clear();
    flush();
  }

  private String deletion(long from, long to) {
    return "DELETE FROM " + name + " WHERE id >= " + from + " AND id < " + to;
  }

  /**
   * Changes {@code v} of all rows by an UPSERT SELECT.
   *
   * @param step of its plan: {@code UPSERT ROWS} if region servers write, {@code UPSERT SELECT} if
   *     the client does
   */
  void change(String suffix, String step) throws Exception {
    executeAtOnce(
        "UPSERT INTO " + name + "(id, v) SELECT id, v || '" + suffix + "' FROM " + name, step);
    model.replaceAll((id, row) -> new Row(id, row.k(), row.v() + suffix, row.w()));
    flush();
  }

  private void executeAtOnce(String sql, String step) throws SQLException {
    try (Connection connection = cluster.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      assertThat(plan(statement, sql)).contains(step);
      statement.executeUpdate(sql);
    }
  }

  private static String plan(Statement statement, String sql) throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (ResultSet steps = statement.executeQuery("EXPLAIN " + sql)) {
      while (steps.next()) {
        plan.append(steps.getString(1)).append('\n');
      }
    }
    return plan.toString();
  }

  /** Checks that the table and both indexes have the rows of the model, and no others. */
  void check() throws SQLException {
    List<Row> stored = rows("SELECT /*+ NO_INDEX */ id, k, v, w FROM " + name);
    assertSame(name, stored, model.values());
    List<IndexRow> onV = new ArrayList<>();
    query(
        "SELECT \"0:V\", \":ID\" FROM " + indexOnV(),
        row -> onV.add(new IndexRow(row.getString(1), row.getLong(2))));
    List<IndexRow> expected =
        model.values().stream().map(row -> new IndexRow(row.v(), row.id())).toList();
    assertSame(indexOnV(), onV, expected);
    List<IndexRow> onK = new ArrayList<>();
    query(
        "SELECT \"0:V\", \":ID\" FROM " + indexOnK(),
        row -> onK.add(new IndexRow(row.getString(1), row.getLong(2))));
    assertSame(indexOnK(), onK, expected);
  }

  /** Names the first rows that differ: thousands may. */
  static <T> void assertSame(String what, List<T> actual, Collection<T> expected) {
    Set<T> surplus = new HashSet<>(actual);
    surplus.removeAll(new HashSet<>(expected));
    Set<T> missing = new HashSet<>(expected);
    missing.removeAll(new HashSet<>(actual));
    assertThat(surplus.stream().limit(5))
        .as("of %s, %d rows that it must not have", what, surplus.size())
        .isEmpty();
    assertThat(missing.stream().limit(5))
        .as("of %s, %d rows that it lacks", what, missing.size())
        .isEmpty();
    assertThat(actual).as("rows of %s", what).hasSameSizeAs(expected);
  }

  /** The rows of a query for id, k, v and w, in its order. */
  List<Row> rows(String sql) throws SQLException {
    List<Row> rows = new ArrayList<>();
    query(
        sql,
        row ->
            rows.add(new Row(row.getLong(1), row.getInt(2), row.getString(3), row.getString(4))));
    return rows;
  }

  /** What reads a row of a result. */
  @FunctionalInterface
  interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  void query(String sql, RowReader reader) throws SQLException {
    try (Connection connection = cluster.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        reader.read(result);
      }
    }
  }

  List<Row> sorted(Comparator<Row> order) {
    return model.values().stream().sorted(order).toList();
  }

  void flush() throws Exception {
    for (String table : List.of(name, indexOnK(), indexOnV())) {
      cluster.flush(table);
    }
  }

  void split() throws Exception {
    cluster.split(name);
    cluster.split(indexOnV());
  }

  void compact() throws Exception {
    for (String table : List.of(name, indexOnK(), indexOnV())) {
      cluster.compact(table);
    }
  }

  void move() throws Exception {
    for (String table : List.of(name, indexOnK(), indexOnV())) {
      cluster.move(table);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = cluster.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
