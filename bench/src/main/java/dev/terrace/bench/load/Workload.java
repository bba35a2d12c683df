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

/** The loads that servers are compared under: YCSB's, and scans. */
public enum Workload {
  YCSB_C("ycsb-c", "YCSB C: reads only, Zipf", YcsbClient.Mix.zipf(1, 0, 0, 0, 0)),
  YCSB_C_UNIFORM("ycsb-c-uniform", "YCSB C with uniform keys", YcsbClient.Mix.UNIFORM_READS),
  YCSB_A(
      "ycsb-a", "YCSB A: 50 % reads, 50 % updates, Zipf", YcsbClient.Mix.zipf(0.5, 0.5, 0, 0, 0)),
  YCSB_F(
      "ycsb-f",
      "YCSB F: 50 % reads, 50 % read-modify-writes, Zipf",
      YcsbClient.Mix.zipf(0.5, 0, 0, 0, 0.5)),
  YCSB_E(
      "ycsb-e",
      "YCSB E: 95 % scans of 1 to 100 rows, 5 % inserts, Zipf",
      YcsbClient.Mix.zipf(0, 0, 0.05, 0.95, 0)),
  YCSB_INSERTS(
      "ycsb-inserts",
      "40 % reads, 55 % inserts, 5 % scans, Zipf",
      YcsbClient.Mix.zipf(0.4, 0, 0.55, 0.05, 0)),
  LATEST_READS("latest-reads", "the reads of YCSB D: latest rows", YcsbClient.Mix.LATEST_READS),
  SCANS_OF_100("scans-of-100", "scans of 100 rows, uniform keys", YcsbClient.Mix.UNIFORM_SCANS),

  /** Takes the time of one scan, whichever was wanted; an operation is a row. */
  TABLE_SCAN(
      "table-scan",
      "one scan of the whole table",
      (server, threads, load, time) -> server.scanAll(threads));

  /** YCSB's own. */
  public static final List<Workload> YCSB = List.copyOf(EnumSet.range(YCSB_C, YCSB_INSERTS));

  private final String id;
  private final String title;

  // Keeps nothing.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Runner runner;

  Workload(String id, String title, YcsbClient.Mix mix) {
    this(
        id,
        title,
        (server, threads, load, time) ->
            server.ycsb().run(server.connection(), mix, threads, load, time));
  }

  Workload(String id, String title, Runner runner) {
    this.id = id;
    this.title = title;
    this.runner = runner;
  }

  /** Returns its name on the command line and in JSON. */
  public String id() {
    return id;
  }

  /** Returns what it does, in words. */
  public String title() {
    return title;
  }

  /** Runs it for about this time, each thread as fast as answers come. */
  public LoadOutcome run(LoadedServer server, int threads, Duration time) throws IOException {
    return run(server, threads, OfferedLoad.unlimited(threads), time);
  }

  /** Runs it for about this time. */
  public LoadOutcome run(LoadedServer server, int threads, OfferedLoad load, Duration time)
      throws IOException {
    return runner.run(server, threads, load, time);
  }

  private interface Runner {

    LoadOutcome run(LoadedServer server, int threads, OfferedLoad load, Duration time)
        throws IOException;
  }

  /**
   * When callers want to call, all of them together. A caller who is late does not catch up: what
   * was not asked for in time is not asked for at all. Each thread uses its own number.
   */
  public static final class OfferedLoad {

    private static final double NANOS_PER_SECOND = 1e9;

    private final long intervalNanos;
    private final Turns turns;
    private final long[] dueNanos;

    private OfferedLoad(long intervalNanos, Turns turns, int threads) {
      this.intervalNanos = intervalNanos;
      this.turns = turns;
      this.dueNanos = new long[threads];
      Arrays.fill(dueNanos, System.nanoTime());
    }

    /** Everyone calls again as soon as the answer has come. */
    public static OfferedLoad unlimited(int threads) {
      return new OfferedLoad(0, Turns.ALWAYS, threads);
    }

    /** The same, but only while it is the turn of these callers. */
    public static OfferedLoad inTurns(Turns turns, int threads) {
      return new OfferedLoad(0, turns, threads);
    }

    /** Everyone calls in turn, at a rate above zero of all threads together. */
    public static OfferedLoad of(double operationsPerSecond, int threads) {
      if (!(operationsPerSecond > 0)) {
        throw new IllegalArgumentException(
            "operationsPerSecond=" + operationsPerSecond + ", must be above 0");
      }
      return new OfferedLoad(
          Math.round(NANOS_PER_SECOND * threads / operationsPerSecond), Turns.ALWAYS, threads);
    }

    /** Waits until it is this thread's turn, or the thread is interrupted. */
    public void await(int thread) {
      long due = Math.max(dueNanos[thread], turns.next(System.nanoTime()));
      dueNanos[thread] = Math.max(due + intervalNanos, Await.nanoTime(due));
    }

    /** Turns that groups of callers take by the clock, and the number of this group, from 0. */
    public record Turns(long turnNanos, int number, int groups) {

      static final Turns ALWAYS = new Turns(1, 0, 1);

      public Turns {
        if (turnNanos < 1 || number < 0 || number >= groups) {
          throw new IllegalArgumentException(
              "turnNanos=" + turnNanos + ", number=" + number + " of groups=" + groups);
        }
      }

      /** Returns this time if it lies in a turn of this group, else the begin of its next one. */
      long next(long nowNanos) {
        long turn = Math.floorDiv(nowNanos, turnNanos);
        long wait = Math.floorMod(number - turn, (long) groups);
        return wait == 0 ? nowNanos : (turn + wait) * turnNanos;
      }
    }
  }
}
