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
package dev.terrace.bench.ycsb;

import dev.terrace.bench.load.ClientThreads;
import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.OfferedLoad;
import dev.terrace.bench.load.RowChecks;
import dev.terrace.bench.load.RunClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * Loads YCSB's table into one HBase and runs workloads on it. Remembers which rows earlier runs
 * inserted, so one server needs one and the same client for all of its runs. Used by one thread; it
 * starts the threads of its runs itself.
 */
public final class YcsbClient {

  private static final int ROWS_A_REPORT = 1000;

  private final YcsbTable table;
  private final RowChecks checks;
  private long rowsNow;
  private long runs;

  /**
   * A client of a server whose table is as it was loaded.
   *
   * @param checks counts what its runs read
   */
  public YcsbClient(YcsbTable table, RowChecks checks) {
    this.table = table;
    this.checks = checks;
    this.rowsNow = table.rows();
  }

  /** Returns the table. */
  public YcsbTable table() {
    return table;
  }

  /** Returns how many rows the table has after the loading and all runs. */
  public long rowsNow() {
    return rowsNow;
  }

  /**
   * Creates the table and writes its rows; they are not flushed to files.
   *
   * @param threads how many threads write
   * @param progress is told now and then how many rows were written; called by several threads
   * @throws IOException if HBase refuses something
   */
  public void load(Connection connection, int threads, LongConsumer progress) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table.descriptor(), table.splitKeys());
    }
    CountedWorkload workload = CountedWorkload.with(YcsbWorkload.loading(table));
    AtomicLong next = new AtomicLong();
    ClientThreads.run(
        "ycsb-load",
        threads,
        thread -> {
          try (Table target = connection.getTable(YcsbTable.NAME);
              BufferedMutator buffer = connection.getBufferedMutator(YcsbTable.NAME)) {
            HBaseBinding binding =
                new HBaseBinding(table, target, Optional.of(buffer), checks, -1 - thread);
            for (long row = next.getAndIncrement();
                row < table.rows() && !Thread.currentThread().isInterrupted();
                row = next.getAndIncrement()) {
              if (!workload.doInsert(binding, null)) {
                throw new IOException("a row cannot be written", checks.firstError().orElse(null));
              }
              if (row % ROWS_A_REPORT == 0) {
                progress.accept(row);
              }
            }
          }
        });
  }

  /**
   * Scans the whole table and checks every row.
   *
   * @throws IOException if HBase refuses
   */
  public void checkAll(Connection connection, int threads) throws IOException {
    byte[][] splits = table.splitKeys();
    AtomicLong found = new AtomicLong();
    AtomicLong nextPart = new AtomicLong();
    ClientThreads.run(
        "ycsb-check",
        threads,
        thread -> {
          try (Table source = connection.getTable(YcsbTable.NAME)) {
            HBaseBinding binding = new HBaseBinding(table, source, Optional.empty(), checks, 0);
            for (int part = (int) nextPart.getAndIncrement();
                part <= splits.length && !Thread.currentThread().isInterrupted();
                part = (int) nextPart.getAndIncrement()) {
              byte[] from = part == 0 ? HConstants.EMPTY_START_ROW : splits[part - 1];
              byte[] to = part == splits.length ? HConstants.EMPTY_END_ROW : splits[part];
              found.addAndGet(binding.checkRange(from, to));
            }
          }
        });
    if (found.get() != rowsNow) {
      checks.fault(YcsbTable.NAME + " has " + found + " rows, should have " + rowsNow);
    }
  }

  /**
   * Runs a workload.
   *
   * @param threads how many threads call, each as fast as answers come
   * @param time how long
   * @param interval the length of a point of the series of operations a second
   * @throws IOException if a connection fails as a whole; calls that fail are counted, not thrown
   */
  public LoadOutcome run(
      Connection connection, YcsbWorkload workload, int threads, Duration time, Duration interval)
      throws IOException {
    return run(connection, workload, threads, OfferedLoad.unlimited(threads), time, interval);
  }

  /**
   * The same at a pace.
   *
   * @param load how fast the threads want to call
   */
  public LoadOutcome run(
      Connection connection,
      YcsbWorkload workload,
      int threads,
      OfferedLoad load,
      Duration time,
      Duration interval)
      throws IOException {
    CountedWorkload operations = CountedWorkload.with(workload.properties(table, rowsNow));
    long run = ++runs;
    long errorsBefore = checks.errors();
    RunClock clock = RunClock.start(threads, time, interval);
    ClientThreads.run(
        workload.id(),
        threads,
        thread -> {
          try (Table target = connection.getTable(YcsbTable.NAME)) {
            HBaseBinding binding =
                new HBaseBinding(table, target, Optional.empty(), checks, run * 1_000 + thread);
            load.await(thread);
            for (long start = clock.now(); clock.allows(start); start = clock.now()) {
              operations.doTransaction(binding, null);
              clock.count(thread, start);
              load.await(thread);
            }
          }
        });
    rowsNow = Math.max(rowsNow, operations.rows());
    return clock.outcome(checks.errors() - errorsBefore);
  }
}
