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
package dev.terrace.bench.demo;

import dev.terrace.bench.hbase.CheckedTable;
import dev.terrace.bench.hbase.HBaseServer;
import dev.terrace.bench.hbase.TableFiles;
import dev.terrace.bench.load.ClientThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Creates the demo's table, writes its rows, and brings them from memory into one file for each
 * store.
 */
final class DataLoader {

  private static final int BATCH_ROWS = 500;

  private final HBaseServer server;
  private final Connection connection;
  private final CheckedTable table;
  private final Console console;
  private final int threads;
  private final AtomicLong nextBatch = new AtomicLong();
  private final AtomicLong written = new AtomicLong();

  DataLoader(
      HBaseServer server, Connection connection, CheckedTable table, Console console, int threads) {
    this.server = server;
    this.connection = connection;
    this.table = table;
    this.console = console;
    this.threads = threads;
  }

  /** Creates the table and writes every row. */
  void load() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table.descriptor(), table.splitKeys());
    }
    long start = System.nanoTime();
    ClientThreads.run(
        "demo-load",
        threads,
        thread -> writeBatches(),
        console.progressInterval(),
        () -> console.progress(Progress.ofCount("rows", written.get(), table.rows(), start)));
  }

  /** Flushes and compacts, so that reads come from files and all runs read the same ones. */
  void settle() throws IOException {
    TableFiles.settle(server, connection, table.name());
  }

  private void writeBatches() throws IOException {
    try (Table target = connection.getTable(table.name())) {
      long batchesOfRegion = table.rows() / table.regions() / BATCH_ROWS + 2;
      long batches = batchesOfRegion * table.regions();
      for (long batch = nextBatch.getAndIncrement();
          batch < batches && !Thread.currentThread().isInterrupted();
          batch = nextBatch.getAndIncrement()) {
        // One batch for each region in turn keeps all regions, and so all write paths, busy.
        int region = (int) (batch % table.regions());
        write(target, region, batch / table.regions());
      }
    }
  }

  private void write(Table target, int region, long batchOfRegion) throws IOException {
    long from = table.firstRowOf(region) + batchOfRegion * BATCH_ROWS;
    long to = Math.min(from + BATCH_ROWS, table.firstRowOf(region + 1));
    List<Put> puts = new ArrayList<>();
    for (long row = from; row < to; row++) {
      puts.add(table.put(row));
    }
    if (!puts.isEmpty()) {
      target.put(puts);
      written.addAndGet(puts.size());
    }
  }
}
