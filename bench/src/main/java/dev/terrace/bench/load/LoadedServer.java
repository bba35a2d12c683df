// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.load.LoadFigures.CacheUse;
import dev.terrace.bench.load.LoadFigures.LoadOutcome;
import dev.terrace.bench.load.LoadFigures.Usage;
import dev.terrace.bench.report.Summary.LatencyNanos;
import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.ServerSetup;
import java.io.IOException;
import java.time.Duration;
import org.apache.commons.io.function.IOFunction;
import org.apache.commons.io.function.IOSupplier;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A server with its clients. Used by one thread at a time.
 *
 * @param setup what it was started with
 * @param checks counts what the clients read
 * @param recorder records its loads
 */
public record LoadedServer(
    ServerSetup setup,
    HBaseServer server,
    CheckedTable table,
    RowChecks checks,
    Connection connection,
    YcsbClient ycsb,
    LoadRecorder recorder)
    implements AutoCloseable {

  /** Connects clients to a server whose table is as loaded. */
  LoadedServer(ServerSetup setup, HBaseServer server, CheckedTable table, RowChecks checks)
      throws IOException {
    this(
        setup,
        server,
        table,
        checks,
        server.connect(),
        new YcsbClient(table, checks),
        new LoadRecorder(server));
  }

  /** Reads the table through the cache, checks every row, and returns how many it must have. */
  public long readAll(int threads) throws IOException {
    table.checkAll(connection, threads, ycsb.rowsNow(), checks);
    recorder.touched();
    return ycsb.rowsNow();
  }

  /** Does the same as a load; an operation is a row, and latencies are not measured. */
  LoadOutcome scanAll(int threads) throws IOException {
    long start = System.nanoTime();
    long rows = readAll(threads);
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    LatencyNanos none = LatencyNanos.of(LatencyNanos.newHistogram());
    return new LoadOutcome(elapsed, rows, 0, none);
  }

  /**
   * Rewrites the table's rows from the first one on, in steps, in insertion order and with the
   * loaded values; they are not flushed to files.
   */
  public void rewrite(int threads, long first, long step) throws IOException {
    table.write(connection, threads, first, step);
    recorder.touched();
  }

  /** Flushes what was written to one more file in each region. */
  public void flush() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table.name());
    }
    recorder.touched();
  }

  /** Waits until each region of the table answers a lookup. */
  public void awaitAnswer() throws IOException {
    table.awaitAnswer(connection);
  }

  /** Throws if a row was wrong or a call failed. */
  public void requireRight() throws RunFailure {
    checks.requireRight(toString());
  }

  /** Closes the connection; the server keeps running. */
  @Override
  public void close() throws IOException {
    connection.close();
  }

  @Override
  public String toString() {
    return setup.title() + " (" + setup.name() + "), process " + server.pid();
  }

  /**
   * Runs loads against one server and records what they use.
   *
   * <p>HBase's counters of the cache are about two seconds old, so the server must rest between two
   * runs. Asking for a run's figures waits for that; before asking, the caller may do something
   * else, such as run other servers. Used by one thread.
   */
  public static final class LoadRecorder {

    private static final Duration METRICS_LIMIT = Duration.ofMinutes(1);

    /** HBase refreshes its counters every second, and its JMX page a second later. */
    private static final Duration COUNTERS_DELAY = Duration.ofMillis(2_500);

    /** A server is warm once compilation takes less than this share of its processor time. */
    public static final double WARM_BELOW = 0.05;

    private static final Duration WARM_UP_SLICE = Duration.ofSeconds(5);

    private final HBaseServer server;
    private long lastEndNanos;

    LoadRecorder(HBaseServer server) {
      this.server = server;
      this.lastEndNanos = System.nanoTime();
    }

    /**
     * Runs a load, unrecorded, until compilation takes less than this share of the server's
     * processor time; where the system does not report that, until the limit.
     */
    public void warmUp(IOFunction<Duration, LoadOutcome> load, Duration limit, double warmBelow)
        throws IOException {
      long end = System.nanoTime() + limit.toNanos();
      boolean isWarm = false;
      for (long left = limit.toNanos(); left > 0 && !isWarm; left = end - System.nanoTime()) {
        Usage before = Usage.of(server);
        load.apply(Duration.ofNanos(Math.min(left, WARM_UP_SLICE.toNanos())));
        isWarm = Usage.of(server).since(before).compilingShare() < warmBelow;
      }
      touched();
    }

    /** Records that the server was suspended, or that something else moved its counters. */
    void touched() {
      lastEndNanos = System.nanoTime();
    }

    /**
     * Runs a load for about this time. No other load may run against this server until the figures
     * have been asked for.
     */
    public IOSupplier<LoadFigures> run(IOFunction<Duration, LoadOutcome> load, Duration time)
        throws IOException {
      CacheUse cacheBefore = awaitCounters();
      Usage before = Usage.of(server);
      LoadOutcome outcome = load.apply(time);
      Usage used = Usage.of(server).since(before);
      touched();
      return () -> new LoadFigures(outcome, used, awaitCounters().since(cacheBefore));
    }

    private CacheUse awaitCounters() throws IOException {
      long end = lastEndNanos;
      server.await(
          "HBase's counters were refreshed",
          METRICS_LIMIT,
          () ->
              System.nanoTime() - end > COUNTERS_DELAY.toNanos()
                  && CacheUse.read(server.jmx()).isPresent());
      return CacheUse.read(server.jmx()).orElseThrow();
    }
  }
}
