// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts a device's callers that went away without a block, and decides whether these are a share
 * that operators should see. Thread-safe.
 */
final class GiveUps {

  /** One caller in this many matters. */
  private static final int ONE_IN = 20;

  /** Shortest period over which the share is taken. */
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** They are shown for this long after such a period. */
  private static final long SHOWN_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final LongAdder count = new LongAdder();
  private final LongSupplier nanoTime;
  private long periodNanos;
  private long countBefore;
  private long answersBefore;
  private long shownUntilNanos;

  GiveUps(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.periodNanos = nanoTime.getAsLong();
    this.shownUntilNanos = periodNanos;
  }

  void add() {
    count.increment();
  }

  /**
   * Whether many callers gave up lately. Call it about once a second, or more often.
   *
   * @param answers how many callers the device answered so far
   */
  synchronized boolean areMany(long answers) {
    long now = nanoTime.getAsLong();
    if (now - periodNanos >= PERIOD_NANOS) {
      long recent = count.sum() - countBefore;
      long all = recent + answers - answersBefore;
      if (recent > 0 && recent * ONE_IN >= all) {
        shownUntilNanos = now + SHOWN_NANOS;
      }
      periodNanos = now;
      countBefore += recent;
      answersBefore = answers;
    }
    return now - shownUntilNanos < 0;
  }
}
