// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.load.LoadFigures.LoadOutcome;
import dev.terrace.bench.server.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The loads that servers are compared under: YCSB's, and scans. Zipf's law has the exponent 0.99;
 * the "latest" distribution favours the rows inserted last.
 */
public enum Workload {
  YCSB_C("YCSB C: reads only, Zipf", "zipfian", 1, Map.of("read", 1.0)),
  YCSB_C_UNIFORM("YCSB C with uniform keys", "uniform", 1, Map.of("read", 1.0)),
  YCSB_A(
      "YCSB A: 50 % reads, 50 % updates, Zipf", "zipfian", 1, Map.of("read", 0.5, "update", 0.5)),
  YCSB_F(
      "YCSB F: 50 % reads, 50 % read-modify-writes, Zipf",
      "zipfian", 1, Map.of("read", 0.5, "readmodifywrite", 0.5)),
  YCSB_E(
      "YCSB E: 95 % scans of 1 to 100 rows, 5 % inserts, Zipf",
      "zipfian", 1, Map.of("insert", 0.05, "scan", 0.95)),
  YCSB_INSERTS(
      "40 % reads, 55 % inserts, 5 % scans, Zipf",
      "zipfian", 1, Map.of("read", 0.4, "insert", 0.55, "scan", 0.05)),
  LATEST_READS("the reads of YCSB D: latest rows", "latest", 1, Map.of("read", 1.0)),
  SCANS_OF_100("scans of 100 rows, uniform keys", "uniform", 100, Map.of("scan", 1.0)),

  /** Takes as long as one scan, whatever time was given; an operation is a row. */
  TABLE_SCAN("one scan of the whole table", "", 0, Map.of());

  public static final List<Workload> YCSB = List.copyOf(EnumSet.range(YCSB_C, YCSB_INSERTS));

  private final String title;
  private final String keys;
  private final int minRows;

  // Of strings and numbers.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Map<String, Double> shares;

  Workload(String title, String keys, int minRows, Map<String, Double> shares) {
    this.title = title;
    this.keys = keys;
    this.minRows = minRows;
    this.shares = shares;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String title() {
    return title;
  }

  /** Returns YCSB's name for the distribution of keys. */
  String keys() {
    return keys;
  }

  int minRows() {
    return minRows;
  }

  double share(String operation) {
    return shares.getOrDefault(operation, 0.0);
  }

  /** Runs it for about this time; each thread calls again as soon as it has an answer. */
  public LoadOutcome run(LoadedServer server, int threads, Duration time) throws IOException {
    return run(server, threads, OfferedLoad.unlimited(threads), time);
  }

  public LoadOutcome run(LoadedServer server, int threads, OfferedLoad load, Duration time)
      throws IOException {
    return this == TABLE_SCAN
        ? server.scanAll(threads)
        : server.ycsb().run(server.connection(), this, threads, load, time);
  }

  /**
   * The schedule of calls, for all callers together. A late caller does not catch up: missed calls
   * are dropped. Each thread uses its own number.
   */
  public static final class OfferedLoad {

    private final long intervalNanos;
    private final long[] dueNanos;

    private OfferedLoad(long intervalNanos, int threads) {
      this.intervalNanos = intervalNanos;
      this.dueNanos = new long[threads];
      Arrays.fill(dueNanos, System.nanoTime());
    }

    /** Each thread calls again as soon as it has an answer. */
    public static OfferedLoad unlimited(int threads) {
      return new OfferedLoad(0, threads);
    }

    /** The threads call in turn, at a total rate above zero. */
    public static OfferedLoad of(double operationsPerSecond, int threads) {
      return new OfferedLoad(Math.round(1e9 * threads / operationsPerSecond), threads);
    }

    /** Waits until this thread's next call is due, or the thread is interrupted. */
    public void await(int thread) {
      long due = dueNanos[thread];
      dueNanos[thread] = Math.max(due + intervalNanos, Await.nanoTime(due));
    }
  }
}
