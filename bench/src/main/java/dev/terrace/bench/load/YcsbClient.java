// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.load.CheckedTable.Operations;
import dev.terrace.bench.load.LoadFigures.LoadOutcome;
import dev.terrace.bench.load.Workload.OfferedLoad;
import dev.terrace.bench.report.Summary.LatencyNanos;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Vector;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.commons.io.function.IORunnable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Runs YCSB's workloads on one HBase. It remembers the rows that earlier runs inserted, so all runs
 * on a server need the same client. Used by one thread, which starts the threads of its runs.
 */
final class YcsbClient {

  /** New keys that the distribution has room for, as a share of the table's rows. */
  private static final double ROOM_FOR_INSERTS = 0.1;

  private static final int MAX_ROWS = 100;

  private final CheckedTable table;
  private final RowChecks checks;
  private long rowsNow;
  private long runs;

  YcsbClient(CheckedTable table, RowChecks checks) {
    this.table = table;
    this.checks = checks;
    this.rowsNow = table.rows();
  }

  /** Returns how many rows the table has after loading and all runs. */
  long rowsNow() {
    return rowsNow;
  }

  /** Runs a workload. Failed calls are counted, not thrown. */
  LoadOutcome run(
      Connection connection, Workload workload, int threads, OfferedLoad load, Duration time)
      throws IOException {
    Operations operations = operations(workload, table, rowsNow);
    long run = ++runs;
    long errorsBefore = checks.errors();
    List<Histogram> latencies = Stream.generate(LatencyNanos::newHistogram).limit(threads).toList();
    long begin = System.nanoTime();
    ClientThreads.run(
        "ycsb",
        threads,
        thread -> {
          try (Table target = connection.getTable(table.name())) {
            Binding binding = new Binding(target, run * 1_000 + thread);
            load.await(thread);
            for (long start = System.nanoTime();
                start - begin < time.toNanos() && !Thread.currentThread().isInterrupted();
                start = System.nanoTime()) {
              operations.doTransaction(binding, null);
              latencies.get(thread).recordValue(System.nanoTime() - start);
              load.await(thread);
            }
          }
        });
    rowsNow = Math.max(rowsNow, operations.rows());
    Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
    Histogram all = LatencyNanos.newHistogram();
    latencies.forEach(all::add);
    return new LoadOutcome(
        elapsed, all.getTotalCount(), checks.errors() - errorsBefore, LatencyNanos.of(all));
  }

  /** Returns YCSB's workload for a run over the rows that the table has now. */
  static Operations operations(Workload workload, CheckedTable table, long rowsNow) {
    double inserts = workload.share("insert");
    Map<String, Object> settings = new HashMap<>();
    settings.put("table", table.name().getNameAsString());
    settings.put("fieldcount", 1);
    settings.put("fieldlength", table.valueBytes());
    settings.put("recordcount", rowsNow);
    // The same keys stay popular from run to run, however many rows the runs have added.
    settings.put("insertcount", table.rows());
    // YCSB expects twice this number times the share of inserts as new keys.
    settings.put(
        "operationcount",
        inserts == 0 ? 0 : Math.round(table.rows() * ROOM_FOR_INSERTS / (2 * inserts)));
    settings.put("requestdistribution", workload.keys());
    settings.put("scanlengthdistribution", "uniform");
    settings.put("minscanlength", workload.minRows());
    settings.put("maxscanlength", MAX_ROWS);
    for (String kind : List.of("read", "update", "insert", "scan", "readmodifywrite")) {
      settings.put(kind + "proportion", workload.share(kind));
    }
    return Operations.with(settings);
  }

  /**
   * YCSB's operations over HBase's client. YCSB chooses rows and operations; each row read is
   * checked. The result containers that YCSB passes stay empty, as it does not use them. Used by
   * one thread.
   */
  private final class Binding extends DB {

    private final Table target;
    private final SplittableRandom stamps;

    Binding(Table target, long seed) {
      this.target = target;
      this.stamps = new SplittableRandom(seed);
    }

    @Override
    public Status read(
        String tableName, String key, Set<String> fields, Map<String, ByteIterator> result) {
      return called(
          () -> {
            Result row = target.get(new Get(Bytes.toBytes(key)));
            if (row.isEmpty()) {
              checks.fault("row " + key + " is missing");
            } else {
              checks.row(table.fault(row));
            }
          });
    }

    // NonApiType: YCSB's signature.
    @SuppressWarnings("NonApiType")
    @Override
    public Status scan(
        String tableName,
        String startKey,
        int count,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      Scan scan =
          new Scan().withStartRow(Bytes.toBytes(startKey)).setLimit(count).setCaching(count);
      return called(
          () -> {
            boolean found = false;
            try (ResultScanner rows = target.getScanner(scan)) {
              for (Result row = rows.next(); row != null; row = rows.next()) {
                checks.row(table.fault(row));
                found = true;
              }
            }
            if (!found) {
              checks.fault("a scan from row " + startKey + " found no row");
            }
          });
    }

    @Override
    public Status update(String tableName, String key, Map<String, ByteIterator> values) {
      return called(() -> target.put(table.put(Bytes.toBytes(key), stamps.nextLong())));
    }

    @Override
    public Status insert(String tableName, String key, Map<String, ByteIterator> values) {
      return update(tableName, key, values);
    }

    @Override
    public Status delete(String tableName, String key) {
      return called(() -> target.delete(new Delete(Bytes.toBytes(key))));
    }

    private Status called(IORunnable call) {
      try {
        call.run();
        return Status.OK;
      } catch (IOException e) {
        checks.error(e);
        return Status.ERROR;
      }
    }
  }
}
