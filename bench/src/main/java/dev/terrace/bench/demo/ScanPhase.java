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
import dev.terrace.bench.load.RowChecks;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads the whole table in order, one region in each thread, and checks that every row is there
 * with its values.
 */
final class ScanPhase {

  private static final int ROWS_A_CALL = 500;

  private final Connection connection;
  private final CheckedTable table;
  private final LatencyRecorder latencies;
  private final RowChecks checks;
  private final AtomicInteger nextRegion = new AtomicInteger();
  private final AtomicLong rows = new AtomicLong();
  private final long startNanos = System.nanoTime();

  ScanPhase(
      Connection connection, CheckedTable table, LatencyRecorder latencies, RowChecks checks) {
    this.connection = connection;
    this.table = table;
    this.latencies = latencies;
    this.checks = checks;
  }

  /** The work of one thread: region after region, until none is left. */
  void run(int thread) throws IOException {
    try (Table source = connection.getTable(table.name())) {
      for (int region = nextRegion.getAndIncrement();
          region < table.regions() && !Thread.currentThread().isInterrupted();
          region = nextRegion.getAndIncrement()) {
        scan(source, region, latencies.of(thread));
      }
    }
  }

  long rows() {
    return rows.get();
  }

  /** Says how far the scan is. */
  String progress() {
    return Progress.ofCount("rows", rows(), table.rows(), startNanos);
  }

  private void scan(Table source, int region, Histogram histogram) throws IOException {
    long row = table.firstRowOf(region);
    long end = table.firstRowOf(region + 1);
    Scan scan =
        new Scan().withStartRow(table.key(row)).withStopRow(table.key(end)).setCaching(ROWS_A_CALL);
    try (ResultScanner scanner = source.getScanner(scan)) {
      while (!Thread.currentThread().isInterrupted()) {
        long start = System.nanoTime();
        Result[] batch = scanner.next(ROWS_A_CALL);
        histogram.recordValue(System.nanoTime() - start);
        for (Result result : batch) {
          checks.row(table.fault(row, result));
          row++;
        }
        rows.addAndGet(batch.length);
        if (batch.length < ROWS_A_CALL) {
          break;
        }
      }
    }
    if (row != end) {
      checks.fault(
          "a scan of region "
              + region
              + " ended before row "
              + row
              + ", should end before row "
              + end);
    }
  }
}
