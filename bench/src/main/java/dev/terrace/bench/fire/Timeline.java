// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The event log of a fire run: prints what happens, with the time since its start, and counts
 * faults. Thread-safe.
 */
final class Timeline {

  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private final PrintWriter out;
  private final long start = System.nanoTime();
  private final CountDownLatch over = new CountDownLatch(1);
  private final TreeMap<String, Integer> faults = new TreeMap<>();
  private int refused;
  private final List<String> findings = new ArrayList<>();

  Timeline(PrintWriter out) {
    this.out = out;
  }

  /** Prints a line. */
  synchronized void tell(String what, String details) {
    double seconds = (System.nanoTime() - start) / 1e9;
    out.printf(Locale.ROOT, "%8.1f s  %-16s %s%n", seconds, what, details);
    out.flush();
  }

  synchronized void struck(String fault, String details, Duration took) {
    faults.merge(fault, 1, Integer::sum);
    tell(fault, String.format(Locale.ROOT, "%s (%.1f s)", details, took.toMillis() / 1e3));
  }

  /** Prints and counts a fault that HBase refused, such as a split during a move. */
  synchronized void refused(String fault, Exception why) {
    refused++;
    tell(fault, "refused: " + String.valueOf(why.getMessage()).lines().findFirst().orElse(""));
  }

  /** Prints and keeps a finding that must not occur, other than a wrong row. */
  synchronized void found(String what, String details) {
    findings.add(what + ": " + details);
    tell(what, "FOUND: " + details);
  }

  synchronized List<String> findings() {
    return List.copyOf(findings);
  }

  synchronized long refused() {
    return refused;
  }

  synchronized SortedMap<String, Integer> faults() {
    return new TreeMap<>(faults);
  }

  void end() {
    over.countDown();
  }

  boolean isOver() {
    return over.getCount() == 0;
  }

  /** Returns after the time, or as soon as the fire is over; returns whether it is over. */
  boolean pause(Duration time) throws IOException {
    return await(over, time);
  }

  /** Returns after the time, even if the fire is over. */
  static void sleep(Duration time) throws IOException {
    boolean unused = await(NEVER, time);
  }

  private static boolean await(CountDownLatch end, Duration time) throws IOException {
    try {
      return end.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }
}
