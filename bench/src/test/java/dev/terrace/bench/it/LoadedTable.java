// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseServer;
import java.io.IOException;
import java.util.List;
import org.apache.commons.io.function.IOSupplier;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * A table of a running server, whose rows are checked when they are read.
 *
 * @param connection to the server
 */
record LoadedTable(HBaseServer server, Connection connection, CheckedTable table) {

  /** Creates it, and writes and flushes its rows. */
  void write() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      table.create(admin);
    }
    fill(connection, table);
  }

  /** Writes and flushes the rows of a table. */
  static void fill(Connection connection, CheckedTable table) throws IOException {
    table.write(connection, 1, 0, 1);
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table.name());
    }
  }

  /** Reads all rows. */
  void read() throws IOException {
    read(connection, table);
  }

  /** Reads all rows of a table. */
  static void read(Connection connection, CheckedTable table) throws IOException {
    read(connection, table, 0, table.rows());
  }

  /** Reads some rows of a table whose keys are in order. */
  static void read(Connection connection, CheckedTable table, long from, long to)
      throws IOException {
    Scan scan = new Scan().setCaching(500).withStartRow(table.key(from)).withStopRow(table.key(to));
    try (Table source = connection.getTable(table.name());
        ResultScanner scanner = source.getScanner(scan)) {
      long row = from;
      for (Result result : scanner) {
        assertThat(table.fault(result, row)).isEmpty();
        row++;
      }
      assertThat(row).isEqualTo(to);
    }
  }

  /** Reads some rows of a table with gets. */
  static void get(Connection connection, CheckedTable table, List<Long> rows) throws IOException {
    try (Table source = connection.getTable(table.name())) {
      Result[] results = source.get(rows.stream().map(row -> new Get(table.key(row))).toList());
      for (int i = 0; i < results.length; i++) {
        assertThat(table.fault(results[i], rows.get(i))).isEmpty();
      }
    }
  }

  /** Reads all rows again and again until a condition holds, which is checked before each time. */
  void readUntil(String what, IOSupplier<Boolean> condition) throws IOException {
    server.await(
        what,
        Patience.LIMIT,
        () -> {
          if (condition.get()) {
            return true;
          }
          read();
          return false;
        });
  }
}
