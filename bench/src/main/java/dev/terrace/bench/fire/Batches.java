// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.load.CheckedTable.Values;
import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
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
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;

/**
 * Rows in batches over the whole key space; a rewrite of a batch has the same values. Gets find
 * each row of a batch that was written, and a scan finds each of them once, and no others.
 */
final class Batches {

  /** Written before the fire, so that the first faults find files. */
  private static final int FIRST_BATCHES = 30;

  private static final int BATCH_ROWS = 500;
  private static final int ROWS_PER_CALL = 100;
  private static final int BLOCK_BYTES = 16 << 10;

  private final int maxBatches;
  private final CheckedTable table;
  private final Connection connection;
  private final RowChecks checks;

  private final Set<Integer> complete = ConcurrentHashMap.newKeySet();

  /** The next batch to bulk load. */
  private final AtomicInteger nextBulk;

  private Batches(int maxBatches, CheckedTable table, Connection connection, RowChecks checks) {
    this.maxBatches = maxBatches;
    this.nextBulk = new AtomicInteger(maxBatches);
    this.table = table;
    this.connection = connection;
    this.checks = checks;
  }

  /** Many small rows, and fewer large ones with two families. */
  static List<Batches> both(Connection connection, RowChecks checks) {
    return List.of(
        new Batches(
            160, new CheckedTable("fire-small", 160L * BATCH_ROWS, 200, 4), connection, checks),
        new Batches(
            60,
            new CheckedTable("fire-large", 60L * BATCH_ROWS, 4_096, Values.VARIED, 6, 2),
            connection,
            checks));
  }

  TableName name() {
    return table.name();
  }

  void create(Admin admin) throws IOException {
    admin.createTable(table.descriptor(BLOCK_BYTES), table.splitKeys());
    for (int batch = 0; batch < FIRST_BATCHES; batch++) {
      write(batch);
    }
    admin.flush(name());
  }

  /** Writes batch after batch until the fire is over; after the last one it starts over. */
  void writeUntil(Timeline fire) throws IOException {
    for (int batch = FIRST_BATCHES; !fire.isOver(); batch = (batch + 1) % maxBatches) {
      write(batch);
    }
  }

  private static LongStream rows(int batch) {
    return LongStream.range(0, BATCH_ROWS).map(row -> (long) batch * BATCH_ROWS + row);
  }

  private void write(int batch) throws IOException {
    try (Table target = connection.getTable(name())) {
      for (int first = 0; first < BATCH_ROWS; first += ROWS_PER_CALL) {
        target.put(rows(batch).skip(first).limit(ROWS_PER_CALL).mapToObj(table::put).toList());
      }
      complete.add(batch);
    } catch (IOException e) {
      checks.failed(e);
    }
  }

  /** Gets the rows of random batches until the fire is over; returns the number of batches. */
  long readUntil(Timeline fire, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long batches = 0;
    try (Table source = connection.getTable(name())) {
      while (!fire.isOver()) {
        List<Integer> all = complete();
        read(source, all.get(random.nextInt(all.size())));
        batches++;
      }
    }
    return batches;
  }

  private void read(Table source, int batch) throws IOException {
    try {
      for (long row : rows(batch).toArray()) {
        checks.row(table.fault(source.get(new Get(table.key(row))), row));
      }
    } catch (IOException e) {
      checks.failed(e);
    }
  }

  /** Scans the table; it must find each row of the written batches once, and no others. */
  void scan() throws IOException {
    scan(name(), complete());
  }

  /**
   * Scans this table or a copy that holds these batches completely. A copy's blocks are not cached:
   * its files are deleted with it, and the blocks would stay until space is needed.
   */
  void scan(TableName copy, List<Integer> batches) throws IOException {
    Map<Long, Integer> found = new HashMap<>();
    Scan scan = new Scan().setCacheBlocks(copy.equals(name()));
    try (Table source = connection.getTable(copy);
        ResultScanner scanner = source.getScanner(scan.setCaching(ROWS_PER_CALL))) {
      for (Result row : scanner) {
        long number = CheckedTable.stamp(row);
        checks.row(table.fault(row, number));
        found.merge(number / BATCH_ROWS, 1, Integer::sum);
      }
    } catch (IOException e) {
      checks.failed(e);
    }
    for (long batch : batches) {
      int there = found.getOrDefault(batch, 0);
      if (there != BATCH_ROWS) {
        checks.fault(copy + " has " + there + " rows of batch " + batch);
      }
    }
  }

  String bulkLoad(Configuration client) throws IOException {
    int batch = nextBulk.getAndIncrement();
    Path root = new Path(client.get(HConstants.HBASE_DIR)).getParent();
    Path folder = new Path(root, name() + "-" + batch);
    table.writeFiles(client, folder, "rows", rows(batch));
    BulkLoadHFiles.create(client).bulkLoad(name(), folder);
    folder.getFileSystem(client).delete(folder, true);
    complete.add(batch);
    return "batch " + batch + " of " + name();
  }

  List<Integer> complete() {
    return List.copyOf(complete);
  }
}
