// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Bounds the callers inside a device that is slower than the store below the cache. The others miss
 * at once, and get their blocks from the store. Any thread may call any method; none blocks.
 */
final class ReaderBound {

  /*
   * A saturated device takes longer in proportion to its callers. So the bound is lowered until an answer
   * takes as long as a read of the store, and raised by one while it takes less. One caller stays inside:
   * a device that is faster again is noticed.
   *
   * It is in force while it is not above the number of places. Then no caller waits for a place.
   *
   * The store's time is about the median of the last readers' times. It starts at zero, for unknown, with
   * no bound. Of two updates at once, one may be lost.
   */

  /** A device that answers within this time is not slow, however fast the store is. */
  private static final long PROMPT_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** Shortest period in which the bound is fitted to the device's speed. */
  private static final long FIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The mean of fewer answers may be chance. */
  private static final int MIN_ANSWERS = 16;

  /** Inverse of the share of the median by which an update moves it. */
  private static final int STEPS = 32;

  private final int places;
  private final LongSupplier nanoTime;
  private final LongAdder answers = new LongAdder();
  private final LongAdder answerNanos = new LongAdder();
  private volatile long storeNanos;
  private volatile int bound;
  private volatile long fittedNanos;

  /** The {@link #answers} and their time when the bound was fitted last; guarded by this. */
  private long fittedAnswers;

  private long fittedAnswerNanos;

  /**
   * No bound yet.
   *
   * @param places for callers inside the device
   */
  ReaderBound(int places, LongSupplier nanoTime) {
    this.places = places;
    this.nanoTime = nanoTime;
    this.bound = places + 1;
    this.fittedNanos = nanoTime.getAsLong();
  }

  /** Whether callers beyond the bound are to go to the store, because the device is slower. */
  boolean isInForce() {
    return bound <= places;
  }

  /** How many callers may be inside. */
  int callers() {
    return bound;
  }

  /** Reports how long a reader took to get a block from the store. */
  void storeRead(long nanos) {
    long median = storeNanos;
    long step = Long.signum(nanos - median) * Math.max(1, median / STEPS);
    storeNanos = median == 0 ? nanos : median + step;
  }

  /** Reports that a caller has its block from the device, or none, since a time before it entered. */
  void answered(long startNanos) {
    long now = nanoTime.getAsLong();
    answers.increment();
    answerNanos.add(now - startNanos);
    if (now - fittedNanos > FIT_NANOS) {
      fit(now);
    }
  }

  /** How many callers were answered so far. */
  long answers() {
    return answers.sum();
  }

  private synchronized void fit(long now) {
    long recent = answers.sum() - fittedAnswers;
    if (now - fittedNanos > FIT_NANOS && recent >= MIN_ANSWERS) {
      long mean = (answerNanos.sum() - fittedAnswerNanos) / recent;
      fittedNanos = now;
      fittedAnswers += recent;
      fittedAnswerNanos += mean * recent;
      long enough = Math.max(storeNanos, PROMPT_NANOS);
      int callers = Math.min(bound, places);
      boolean isLate = storeNanos > 0 && mean > enough;
      bound = isLate ? (int) Math.max(1, callers * enough / mean) : callers + 1;
    }
  }
}
