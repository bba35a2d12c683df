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
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Runs YCSB's workloads on one HBase. Remembers which rows earlier runs inserted, so one server
 * needs one and the same client for all of its runs. Used by one thread; it starts the threads of
 * its runs itself.
 */
final class YcsbClient {

  /** The length of a point of the series of operations a second. */
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** New keys that the distribution has room for, as a part of the table's rows. */
  private static final double ROOM_FOR_INSERTS = 0.1;

  private final CheckedTable table;
  private final RowChecks checks;
  private long rowsNow;
  private long runs;

  /**
   * A client of a server whose table is as it was loaded.
   *
   * @param checks counts what its runs read
   */
  YcsbClient(CheckedTable table, RowChecks checks) {
    this.table = table;
    this.checks = checks;
    this.rowsNow = table.rows();
  }

  /** Returns how many rows the table has after the loading and all runs. */
  long rowsNow() {
    return rowsNow;
  }

  /**
   * Runs a workload.
   *
   * @param load how fast the threads want to call
   * @throws IOException if a connection fails as a whole; calls that fail are counted, not thrown
   */
  LoadOutcome run(Connection connection, YcsbMix mix, int threads, OfferedLoad load, Duration time)
      throws IOException {
    Operations operations = Operations.with(properties(mix, table, rowsNow));
    long run = ++runs;
    long errorsBefore = checks.errors();
    RunClock clock = RunClock.start(threads, time, INTERVAL);
    ClientThreads.run(
        "ycsb",
        threads,
        thread -> {
          try (Table target = connection.getTable(table.name())) {
            YcsbBinding binding = new YcsbBinding(table, target, checks, run * 1_000 + thread);
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

  /** Returns what makes the key of a row from its number. */
  static LongFunction<byte[]> keys() {
    Properties properties = new Properties();
    properties.setProperty("recordcount", "1");
    Operations operations = Operations.with(properties);
    return row -> Bytes.toBytes(operations.key(row));
  }

  /**
   * Returns YCSB's settings for a run.
   *
   * @param rowsNow rows that the table has by now
   */
  static Properties properties(YcsbMix mix, CheckedTable table, long rowsNow) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("table", table.name().getNameAsString());
    settings.put("fieldcount", 1);
    settings.put("fieldlength", table.valueBytes());
    settings.put("recordcount", rowsNow);
    // The same keys shall stay popular from run to run, however many rows the runs have added.
    settings.put("insertcount", table.rows());
    // YCSB takes this times the share of inserts, doubled, for the number of new keys.
    settings.put(
        "operationcount",
        mix.inserts() == 0 ? 0 : Math.round(table.rows() * ROOM_FOR_INSERTS / (2 * mix.inserts())));
    settings.put("requestdistribution", "zipfian");
    settings.put("scanlengthdistribution", "uniform");
    settings.put("maxscanlength", 100);
    settings.put("readproportion", mix.reads());
    settings.put("updateproportion", mix.updates());
    settings.put("insertproportion", mix.inserts());
    settings.put("scanproportion", mix.scans());
    settings.put("readmodifywriteproportion", mix.readModifyWrites());
    Properties properties = new Properties();
    settings.forEach((key, value) -> properties.setProperty(key, String.valueOf(value)));
    return properties;
  }

  /** YCSB's own workload, which also tells how many rows the table has. */
  static final class Operations extends CoreWorkload {

    private Operations() {}

    static synchronized Operations with(Properties properties) {
      // YCSB's workload reports to a singleton, which takes its settings before its first use; what
      // it gathers is not read.
      Measurements.setProperties(properties);
      Operations operations = new Operations();
      try {
        operations.init(properties);
      } catch (WorkloadException e) {
        throw new IllegalStateException("YCSB refuses its settings " + properties, e);
      }
      return operations;
    }

    String key(long row) {
      return buildKeyName(row);
    }

    /** Returns the number of rows up to the last one before which none is missing. */
    long rows() {
      return transactioninsertkeysequence.lastValue() + 1;
    }
  }
}
