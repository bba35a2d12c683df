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
package dev.terrace.bench.pe;

import dev.terrace.bench.load.CheckedValue;
import dev.terrace.bench.load.ClientThreads;
import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * PerformanceEvaluation's table: its name, keys, family, column and length of values, but with
 * {@link CheckedValue}s, since its own are random.
 *
 * @param rows how many rows it has
 * @param regions how many regions it is created with
 */
public record PeTable(long rows, int regions) {

  /** The table's name. */
  public static final TableName NAME = TableName.valueOf(PerformanceEvaluation.TABLE_NAME);

  /** Bytes of a value. */
  public static final int VALUE_BYTES = PerformanceEvaluation.DEFAULT_VALUE_LENGTH;

  private static final int ROWS_A_REPORT = 1000;
  private static final int ROWS_A_CALL = 500;

  /** PerformanceEvaluation repeats one random letter so many times, and then takes another one. */
  private static final int LETTERS_ALIKE = 8;

  /** Checks the ranges. */
  public PeTable {
    if (rows < regions || regions < 1) {
      throw new IllegalArgumentException("rows=" + rows + ", regions=" + regions);
    }
  }

  /**
   * Creates the table and writes its rows; they are not flushed to files.
   *
   * @param progress is told now and then how many rows were written; called by several threads
   * @throws IOException if HBase refuses something
   */
  public void load(Connection connection, int threads, LongConsumer progress) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(PerformanceEvaluation.FAMILY_ZERO))
              .build(),
          splitKeys());
    }
    AtomicLong next = new AtomicLong();
    ClientThreads.run(
        "pe-load",
        threads,
        thread -> {
          try (BufferedMutator target = connection.getBufferedMutator(NAME)) {
            for (long row = next.getAndIncrement();
                row < rows && !Thread.currentThread().isInterrupted();
                row = next.getAndIncrement()) {
              target.mutate(put(row));
              if (row % ROWS_A_REPORT == 0) {
                progress.accept(row);
              }
            }
          }
        });
  }

  private byte[][] splitKeys() {
    byte[][] keys = new byte[regions - 1][];
    for (int region = 1; region < regions; region++) {
      keys[region - 1] = PerformanceEvaluation.format(rows * region / regions);
    }
    return keys;
  }

  private static Put put(long row) {
    byte[] key = PerformanceEvaluation.format(row);
    byte[] column = PerformanceEvaluation.COLUMN_ZERO;
    return new Put(key)
        .addColumn(
            PerformanceEvaluation.FAMILY_ZERO,
            column,
            CheckedValue.of(key, column, row, VALUE_BYTES));
  }

  /**
   * Scans some rows from a random one on and checks them.
   *
   * @param count how many rows at most
   * @throws IOException if HBase refuses
   */
  public void check(Connection connection, long count, RowChecks checks) throws IOException {
    long first = ThreadLocalRandom.current().nextLong(Math.max(1, rows - count + 1));
    check(connection, first, Math.min(rows, first + count), checks);
  }

  /**
   * Scans all rows in several threads and checks them.
   *
   * @throws IOException if HBase refuses
   */
  public void checkAll(Connection connection, int threads, RowChecks checks) throws IOException {
    ClientThreads.run(
        "pe-check",
        threads,
        thread ->
            check(connection, rows * thread / threads, rows * (thread + 1) / threads, checks));
  }

  private static void check(Connection connection, long from, long to, RowChecks checks)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(PerformanceEvaluation.format(from))
            .withStopRow(PerformanceEvaluation.format(to))
            .setCaching(ROWS_A_CALL);
    long found = 0;
    try (Table table = connection.getTable(NAME);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        check(row, checks);
        found++;
      }
    }
    if (found != to - from) {
      checks.fault(NAME + " has " + found + " rows from " + from + " to " + to);
    }
  }

  private static void check(Result row, RowChecks checks) {
    checks.row();
    byte[] column = PerformanceEvaluation.COLUMN_ZERO;
    byte[] value = row.getValue(PerformanceEvaluation.FAMILY_ZERO, column);
    String name = "row " + new String(row.getRow(), StandardCharsets.UTF_8) + " of " + NAME;
    if (value == null) {
      checks.fault(name + " has no value");
    } else if (!isWrittenByPe(value)) {
      CheckedValue.fault(row.getRow(), column, value, 0, value.length, VALUE_BYTES)
          .ifPresent(fault -> checks.fault(name + ": " + fault));
    }
  }

  /** Returns whether a value is one that PerformanceEvaluation's writes leave behind. */
  static boolean isWrittenByPe(byte[] value) {
    for (int i = 0; i < value.length; i++) {
      boolean letter = value[i] >= 'A' && value[i] <= 'Z';
      if (!letter || value[i] != value[i - i % LETTERS_ALIKE]) {
        return false;
      }
    }
    return value.length == VALUE_BYTES;
  }
}
