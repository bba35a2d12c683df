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
package dev.terrace.bench.load;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of one column with {@link CheckedValue}s, named and keyed as a load generator expects it.
 * Immutable.
 */
public final class CheckedTable {

  private static final int ROWS_A_CALL = 500;

  /** PerformanceEvaluation's names, for both tables. */
  private static final byte[] FAMILY = PerformanceEvaluation.FAMILY_ZERO;

  private static final byte[] COLUMN = PerformanceEvaluation.COLUMN_ZERO;

  private final TableName name;
  private final int valueBytes;
  private final long rows;
  private final LongFunction<byte[]> keys;
  private final byte[][] splitKeys;

  private CheckedTable(
      String name, int valueBytes, long rows, LongFunction<byte[]> keys, byte[][] splitKeys) {
    this.name = TableName.valueOf(name);
    this.valueBytes = valueBytes;
    this.rows = rows;
    this.keys = keys;
    this.splitKeys = splitKeys;
  }

  /**
   * The table of YCSB's workloads. Its keys are {@code user} and the hash of a number.
   *
   * @param rows rows that it is loaded with, 1 to 2^31 - 1
   * @param valueBytes bytes of a value, 8 or more
   * @param regions how many regions it is created with, 1 to 9
   */
  public static CheckedTable ycsb(long rows, int valueBytes, int regions) {
    // A hash of 63 bits mostly begins with a digit from 1 to 9, each as likely as the others.
    byte[][] splits = splits(regions, region -> Bytes.toBytes("user" + (1 + 9 * region / regions)));
    return new CheckedTable("usertable", valueBytes, rows, YcsbClient.keys(), splits);
  }

  /** The table of HBase's PerformanceEvaluation. */
  public static CheckedTable pe(long rows, int regions) {
    return new CheckedTable(
        PerformanceEvaluation.TABLE_NAME,
        PerformanceEvaluation.DEFAULT_VALUE_LENGTH,
        rows,
        PerformanceEvaluation::format,
        splits(regions, region -> PerformanceEvaluation.format(rows * region / regions)));
  }

  private static byte[][] splits(int regions, IntFunction<byte[]> key) {
    return IntStream.range(1, regions).mapToObj(key).toArray(byte[][]::new);
  }

  public TableName name() {
    return name;
  }

  public long rows() {
    return rows;
  }

  int valueBytes() {
    return valueBytes;
  }

  byte[][] splitKeys() {
    return splitKeys;
  }

  /** Creates the table and writes its rows; they are not flushed to files. */
  void load(Connection connection, int threads) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          splitKeys);
    }
    AtomicLong next = new AtomicLong();
    ClientThreads.run(
        "load",
        threads,
        thread -> {
          try (BufferedMutator target = connection.getBufferedMutator(name)) {
            for (long row = next.getAndIncrement();
                row < rows && !Thread.currentThread().isInterrupted();
                row = next.getAndIncrement()) {
              target.mutate(put(keys.apply(row), row));
            }
          }
        });
  }

  /** Returns what writes a row, with values that tell this stamp. */
  Put put(byte[] key, long stamp) {
    return new Put(key).addColumn(FAMILY, COLUMN, CheckedValue.of(key, COLUMN, stamp, valueBytes));
  }

  /** Scans the whole table, a region in each thread; checks each row, and how many there are. */
  void checkAll(Connection connection, int threads, long expectedRows, RowChecks checks)
      throws IOException {
    AtomicLong found = new AtomicLong();
    ClientThreads.each(
        "check",
        threads,
        splitKeys.length + 1,
        region -> {
          Scan scan = new Scan();
          if (region > 0) {
            scan.withStartRow(splitKeys[region - 1]);
          }
          if (region < splitKeys.length) {
            scan.withStopRow(splitKeys[region]);
          }
          found.addAndGet(check(connection, scan, checks));
        });
    if (found.get() != expectedRows) {
      checks.fault(name + " has " + found + " rows, should have " + expectedRows);
    }
  }

  /** Scans some rows from a random one on and checks them; of a table with ordered keys. */
  void checkSome(Connection connection, int count, RowChecks checks) throws IOException {
    long first = ThreadLocalRandom.current().nextLong(Math.max(1, rows - count + 1));
    long found =
        check(connection, new Scan().withStartRow(keys.apply(first)).setLimit(count), checks);
    if (found != Math.min(count, rows)) {
      checks.fault(name + " has " + found + " rows from number " + first + " on, not " + count);
    }
  }

  private long check(Connection connection, Scan scan, RowChecks checks) throws IOException {
    long found = 0;
    try (Table source = connection.getTable(name);
        ResultScanner scanner = source.getScanner(scan.setCaching(ROWS_A_CALL))) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        checks.row(fault(row));
        found++;
      }
    }
    return found;
  }

  /** Returns what is wrong with a row that was read, or nothing. */
  Optional<String> fault(Result row) {
    String said = name + " row " + Bytes.toStringBinary(row.getRow());
    byte[] value = row.getValue(FAMILY, COLUMN);
    if (value == null || row.size() != 1) {
      return Optional.of(said + " has " + row.size() + " cells, should have one of its column");
    }
    return CheckedValue.fault(row.getRow(), COLUMN, value, valueBytes)
        .map(fault -> said + ": " + fault);
  }

  /** Waits until a lookup in each region is answered. */
  public void awaitAnswer(Connection connection) throws IOException {
    try (Table source = connection.getTable(name)) {
      source.exists(new Get(new byte[] {0}));
      for (byte[] start : splitKeys) {
        source.exists(new Get(start));
      }
    }
  }
}
