// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.JavaProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * A table of a running server, whose rows are checked when they are read.
 *
 * @param connection to the server
 */
record LoadedTable(HBaseServer server, Connection connection, VersionedTable table) {

  /** Creates it, and writes and flushes its rows. */
  void write() throws IOException {
    write(table.descriptor());
  }

  /** The same with another descriptor. */
  void write(TableDescriptor descriptor) throws IOException {
    try (Admin admin = connection.getAdmin();
        Table target = connection.getTable(table.name())) {
      admin.createTable(descriptor);
      List<Put> puts = new ArrayList<>();
      for (long row = 0; row < table.rows(); row++) {
        puts.add(table.put(row));
      }
      target.put(puts);
      admin.flush(table.name());
    }
  }

  /** Reads all rows. */
  void read() throws IOException {
    try (Table source = connection.getTable(table.name());
        ResultScanner scanner = source.getScanner(new Scan().setCaching(500))) {
      long row = 0;
      for (Result result : scanner) {
        assertThat(table.fault(row, result)).isEmpty();
        row++;
      }
      assertThat(row).isEqualTo(table.rows());
    }
  }

  /** Reads all rows again and again until a condition holds. */
  void readUntil(String what, JavaProcess.Condition condition) throws IOException {
    server.await(
        what,
        Patience.LIMIT,
        () -> {
          read();
          return condition.holds();
        });
  }
}
