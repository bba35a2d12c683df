// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs warnings at a {@link Backoff}, with the number of suppressed ones. For faults that may
 * affect every block: the caller carries on, so no method throws, or waits for the log.
 * Thread-safe.
 */
public final class RateLimitedLog {

  private final Logger log;
  private final LongSupplier nanoClock;
  private final Backoff backoff;
  private final LongAdder suppressed = new LongAdder();

  /** A log of a class, by the system's clock, whose first warning is never suppressed. */
  public RateLimitedLog(Class<?> type) {
    this(LoggerFactory.getLogger(type), System::nanoTime);
  }

  /** A log whose first warning is never suppressed. */
  public RateLimitedLog(Logger log, LongSupplier nanoClock) {
    this.log = log;
    this.nanoClock = nanoClock;
    this.backoff = new Backoff(nanoClock.getAsLong());
  }

  /** Logs a warning, or counts it as suppressed. */
  public void warn(String message, Throwable cause) {
    if (backoff.tryAcquire(nanoClock.getAsLong())) {
      long quiet = suppressed.sumThenReset();
      String more = quiet == 0 ? "" : " (and " + quiet + " more since the last such line)";
      LogQueue.add(() -> log.warn(message + more, cause));
    } else {
      suppressed.increment();
    }
  }

  /**
   * Logs how many warnings were suppressed, if there are any and it is time. For the end of a
   * burst, when no further warning comes.
   *
   * @param what the warnings
   */
  public void flushSuppressed(String what) {
    if (suppressed.sum() > 0 && backoff.tryAcquire(nanoClock.getAsLong())) {
      LogQueue.warn(log, "{}: {} more since the last such line", what, suppressed.sumThenReset());
    }
  }

  /**
   * Exponential backoff for a recurring log line: one minute, doubling up to a day. It resets after
   * a quiet period longer than the last interval. Thread-safe.
   */
  public static final class Backoff {

    private static final long SHORTEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(1);

    private volatile long nextNanos;
    private volatile long pauseNanos;

    /** A backoff whose first turn is now. */
    public Backoff(long nowNanos) {
      this.nextNanos = nowNanos;
    }

    /** Whether it is time to log. If so, the caller must: no other may during the next pause. */
    public boolean tryAcquire(long nowNanos) {
      return nowNanos - nextNanos >= 0 && take(nowNanos);
    }

    private synchronized boolean take(long nowNanos) {
      long overdue = nowNanos - nextNanos;
      if (overdue < 0) {
        return false;
      }
      pauseNanos =
          overdue > pauseNanos || pauseNanos == 0
              ? SHORTEST_NANOS
              : Math.min(2 * pauseNanos, LONGEST_NANOS);
      nextNanos = nowNanos + pauseNanos;
      return true;
    }

    /** Whether it was quiet for so long that the next turn resets the backoff. */
    public boolean isReset(long nowNanos) {
      return nowNanos - nextNanos > pauseNanos;
    }
  }
}
