// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Prints what happens, with the time since the start of the fire; counts faults. Thread-safe. */
final class Timeline {

  private final PrintWriter out;
  private final long start = System.nanoTime();
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

  /** Prints and counts a fault that struck. */
  synchronized void struck(String fault, String details, Duration took) {
    faults.merge(fault, 1, Integer::sum);
    tell(fault, String.format(Locale.ROOT, "%s (%.1f s)", details, took.toMillis() / 1e3));
  }

  /** Prints and counts a fault that HBase did not let happen, such as a split beside a move. */
  synchronized void refused(String fault, Exception why) {
    refused++;
    tell(fault, "refused: " + String.valueOf(why.getMessage()).lines().findFirst().orElse(""));
  }

  /** Prints and keeps something that must not be, other than a wrong row. */
  synchronized void found(String what, String details) {
    findings.add(what + ": " + details);
    tell(what, "FOUND: " + details);
  }

  synchronized List<String> findings() {
    return List.copyOf(findings);
  }

  synchronized int faults() {
    return faults.values().stream().mapToInt(Integer::intValue).sum();
  }

  synchronized int refused() {
    return refused;
  }

  /** Returns how often each fault struck. */
  synchronized String byName() {
    return faults.toString();
  }
}
