// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.load.CheckedTable.BulkLoad;
import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows in batches over the whole key space, each of them the same whenever it is written. Gets find
 * each row of a batch that was written, and a scan finds each of them once, and no others.
 */
final class Batches {

  private static final int BATCH_ROWS = 500;
  private static final int MOST_BATCHES = 160;
  private static final int REGIONS = 4;
  private static final int ROWS_A_CALL = 100;
  private static final int VALUE_BYTES = 200;
  private static final int BLOCK_BYTES = 16 << 10;

  private static final CheckedTable ROWS =
      new CheckedTable("fire-batches", (long) BATCH_ROWS * MOST_BATCHES, VALUE_BYTES, REGIONS);

  static final TableName TABLE = ROWS.name();

  private final Connection connection;
  private final RowChecks checks;

  /** The batches that are there as a whole. */
  private final Set<Integer> complete = ConcurrentHashMap.newKeySet();

  /** The next batch to be loaded as a file. */
  private final AtomicInteger nextBulk = new AtomicInteger(MOST_BATCHES);

  Batches(Connection connection, RowChecks checks) {
    this.connection = connection;
    this.checks = checks;
  }

  void create(Admin admin) throws IOException {
    admin.createTable(ROWS.descriptor(BLOCK_BYTES), ROWS.splitKeys());
    write(0);
  }

  /** Writes batch after batch until the fire is over; after the last one the first ones anew. */
  void writeUntil(Timeline fire) throws IOException {
    for (int batch = 1; !fire.isOver(); batch = (batch + 1) % MOST_BATCHES) {
      write(batch);
    }
  }

  private static LongStream rows(int batch) {
    return LongStream.range(0, BATCH_ROWS).map(row -> (long) batch * BATCH_ROWS + row);
  }

  private void write(int batch) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int first = 0; first < BATCH_ROWS; first += ROWS_A_CALL) {
        table.put(rows(batch).skip(first).limit(ROWS_A_CALL).mapToObj(ROWS::put).toList());
      }
      complete.add(batch);
    } catch (IOException e) {
      checks.failed(e);
    }
  }

  /** Gets the rows of random batches until the fire is over; returns how many batches. */
  long readUntil(Timeline fire, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long batches = 0;
    try (Table table = connection.getTable(TABLE)) {
      while (!fire.isOver()) {
        List<Integer> all = complete();
        read(table, all.get(random.nextInt(all.size())));
        batches++;
      }
    }
    return batches;
  }

  private void read(Table table, int batch) throws IOException {
    try {
      for (long row : rows(batch).toArray()) {
        checks.row(ROWS.fault(table.get(new Get(ROWS.key(row))), row));
      }
    } catch (IOException e) {
      checks.failed(e);
    }
  }

  /**
   * Scans a table that is this one, or a copy; each row of these batches must be there once, and
   * none that is foreign.
   */
  void scan(TableName name, List<Integer> batches) throws IOException {
    Map<Long, Integer> found = new HashMap<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(ROWS_A_CALL))) {
      for (Result row : scanner) {
        long number = CheckedTable.stamp(row);
        checks.row(ROWS.fault(row, number));
        found.merge(number / BATCH_ROWS, 1, Integer::sum);
      }
    } catch (IOException e) {
      checks.failed(e);
    }
    for (long batch : batches) {
      int there = found.getOrDefault(batch, 0);
      if (there != BATCH_ROWS) {
        checks.fault(name + " has " + there + " rows of batch " + batch);
      }
    }
  }

  /** Loads one more batch as a file; returns which. */
  String bulkLoad(Configuration client) throws IOException {
    int batch = nextBulk.getAndIncrement();
    Path root = new Path(client.get(HConstants.HBASE_DIR)).getParent();
    Path folder = new Path(root, "fire-bulk-" + batch);
    Path family = new Path(folder, Bytes.toString(CheckedTable.FAMILY));
    long time = System.currentTimeMillis();
    BulkLoad.write(
        client,
        new Path(family, "rows"),
        CheckedTable.FAMILY,
        rows(batch)
            .mapToObj(row -> ROWS.put(row, time))
            .sorted(Comparator.comparing(Row::getRow, Bytes.BYTES_COMPARATOR))
            .iterator());
    BulkLoad.load(client, TABLE, folder);
    folder.getFileSystem(client).delete(folder, true);
    complete.add(batch);
    return "batch " + batch;
  }

  /** Returns the batches that are there as a whole. */
  List<Integer> complete() {
    return List.copyOf(complete);
  }
}
