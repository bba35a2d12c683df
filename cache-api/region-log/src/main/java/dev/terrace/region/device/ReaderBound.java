// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Lets callers into a device: as many as there are places, and fewer while the device is slower
 * than the store below the cache. The others miss at once, and get their blocks from the store. Any
 * thread may call any method.
 */
final class ReaderBound {

  /*
   * A saturated device takes longer in proportion to its callers. So the bound is lowered until an
   * answer takes as long as a read of the store, and raised by one while it takes less. One caller
   * stays inside: a device that is faster again is noticed.
   *
   * The bound is in force while it is not above the number of places. Then no caller waits for a
   * place who could go to the store.
   *
   * The store's time is about the median of the last readers' times. It starts at zero, for
   * unknown, with no bound. Of two updates at once, one may be lost.
   */

  /** A device that answers within this time is not slow, however fast the store is. */
  private static final long PROMPT_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** Shortest period in which the bound is fitted to the device's speed. */
  private static final long FIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** What fewer callers saw may be chance. */
  private static final int MIN_CALLERS = 16;

  /** Inverse of the share of the median by which an update moves it. */
  private static final int STEPS = 32;

  /** One caller in this many that gives up is what operators should see. */
  private static final int MANY_ONE_IN = 20;

  /** They see it for this long. */
  private static final long AVOIDED_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final int readers;
  private final StallWatch stalls;
  private final LongSupplier nanoTime;

  /** Callers since the bound was fitted last: those answered, how long that took, the others. */
  private final LongAdder answers = new LongAdder();

  private final LongAdder answerNanos = new LongAdder();
  private final LongAdder giveUps = new LongAdder();

  private volatile long storeNanos;
  private volatile int bound;
  private volatile long fittedNanos;
  private volatile long avoidedUntilNanos;

  ReaderBound(StallWatch stalls, LongSupplier nanoTime) {
    this.readers = stalls.limits.readers();
    this.stalls = stalls;
    this.nanoTime = nanoTime;
    this.bound = readers + 1;
    this.fittedNanos = nanoTime.getAsLong();
    this.avoidedUntilNanos = fittedNanos;
  }

  /**
   * Takes a place inside the device for a caller's read. If none is free, and the device makes
   * progress and is faster than the store, waits a moment for one.
   *
   * @param hasStore whether the store has what the caller wants
   * @return null if there is no place
   */
  Semaphore tryEnter(boolean hasStore) {
    stalls.recordRead();
    ReadPermits places = stalls.places;
    boolean goesAround = hasStore && isInForce();
    if (goesAround && places.taken() >= bound) {
      return null;
    }
    Semaphore place = places.tryTake();
    return place == null && !goesAround && !stalls.makesNoProgress() ? places.await() : place;
  }

  /** Whether callers beyond the bound are to go to the store, because the device is slower. */
  boolean isInForce() {
    return bound <= readers;
  }

  /** Whether many callers gave up lately. */
  boolean isAvoided() {
    return nanoTime.getAsLong() - avoidedUntilNanos < 0;
  }

  /** Reports how long a reader took to get a block from the store. */
  void storeRead(long nanos) {
    long median = storeNanos;
    long step = Long.signum(nanos - median) * Math.max(1, median / STEPS);
    storeNanos = median == 0 ? nanos : median + step;
  }

  /** Reports that a caller has its block from the device, or none, since before it entered. */
  void answered(long startNanos) {
    long now = nanoTime.getAsLong();
    answers.increment();
    answerNanos.add(now - startNanos);
    fitIfDue(now);
  }

  /** Reports that a caller found no place, or did not wait for the end of its read. */
  void gaveUp() {
    giveUps.increment();
    fitIfDue(nanoTime.getAsLong());
  }

  private void fitIfDue(long now) {
    if (now - fittedNanos > FIT_NANOS) {
      fit(now);
    }
  }

  private synchronized void fit(long now) {
    long answered = answers.sum();
    long gone = giveUps.sum();
    if (now - fittedNanos <= FIT_NANOS || answered + gone < MIN_CALLERS) {
      return;
    }
    fittedNanos = now;
    giveUps.reset();
    if (gone * MANY_ONE_IN >= answered + gone) {
      avoidedUntilNanos = now + AVOIDED_NANOS;
    }
    if (answered >= MIN_CALLERS) {
      long mean = answerNanos.sumThenReset() / answers.sumThenReset();
      long enough = Math.max(storeNanos, PROMPT_NANOS);
      int callers = Math.min(bound, readers);
      boolean isLate = storeNanos > 0 && mean > enough;
      bound = isLate ? (int) Math.max(1, callers * enough / mean) : callers + 1;
    }
  }
}
