// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.region.inspect.CacheInspection;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Prints how many regions are read: a line that overwrites itself on a terminal, otherwise a line
 * every five seconds. Used by one thread.
 */
final class VerifyProgress implements CacheInspection.Watcher {

  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;
  private final LongSupplier nanoTime;
  private final long intervalNanos;
  private long lastNanos;
  private boolean shown;

  VerifyProgress(PrintWriter out, boolean terminal, LongSupplier nanoTime) {
    this.out = out;
    this.terminal = terminal;
    this.nanoTime = nanoTime;
    this.intervalNanos = Duration.ofMillis(terminal ? 250 : 5000).toNanos();
    this.lastNanos = nanoTime.getAsLong();
  }

  @Override
  public void done(int regions, int ofRegions) {
    long now = nanoTime.getAsLong();
    if (now - lastNanos < intervalNanos) {
      return;
    }
    lastNanos = now;
    String line =
        String.format(
            Locale.ROOT,
            "%,d of %,d regions read, %d %%",
            regions,
            ofRegions,
            100L * regions / ofRegions);
    if (terminal) {
      out.print(CLEAR_LINE + line);
      shown = true;
    } else {
      out.println(line);
    }
    out.flush();
  }

  /** Clears the line. */
  void end() {
    if (shown) {
      out.print(CLEAR_LINE);
      out.flush();
    }
  }
}
