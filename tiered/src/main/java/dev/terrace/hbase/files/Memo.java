// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A cached value. HBase asks for some figures once per region, and a walk over everything that is
 * cached is too expensive for that. So a value is reused for a hundred times as long as it took to
 * compute, a minute at most: a computation of less than 0.6 s takes at most 1 % of one core, and a
 * quick one is fresh. Thread-safe.
 */
public final class Memo<T> {

  private static final int REUSE_FACTOR = 100;

  /** A limit, since a computation's duration includes pauses and waits, which are not its cost. */
  static final Duration LONGEST_REUSE = Duration.ofMinutes(1);

  private final Supplier<T> computation;
  private final LongSupplier nanoClock;
  private volatile Computed<T> last;

  /**
   * Starts empty.
   *
   * @param nanoClock such as {@link System#nanoTime}
   */
  public Memo(Supplier<T> computation, LongSupplier nanoClock) {
    this.computation = computation;
    this.nanoClock = nanoClock;
  }

  public T get() {
    Computed<T> known = last;
    if (known != null && nanoClock.getAsLong() - known.goodUntilNanos < 0) {
      return known.value;
    }
    return compute();
  }

  /** The last computed value; null before the first. Never computes. */
  public T last() {
    Computed<T> known = last;
    return known == null ? null : known.value;
  }

  private synchronized T compute() {
    long start = nanoClock.getAsLong();
    Computed<T> known = last;
    if (known != null && start - known.goodUntilNanos < 0) {
      return known.value;
    }
    T value = computation.get();
    long end = nanoClock.getAsLong();
    long reuseNanos = Math.min((end - start) * REUSE_FACTOR, LONGEST_REUSE.toNanos());
    last = new Computed<>(value, end + reuseNanos);
    return value;
  }

  private record Computed<T>(T value, long goodUntilNanos) {}
}
