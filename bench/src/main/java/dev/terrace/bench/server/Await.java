// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for the effect of other threads; for that of a process see {@link JavaProcess#await}. */
public final class Await {

  private static final long LOOK_EVERY_NANOS = Duration.ofMillis(1).toNanos();

  private Await() {}

  /** Waits until a condition holds; returns false after the limit, or if interrupted. */
  public static boolean until(BooleanSupplier condition, Duration limit) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos() || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
    return true;
  }

  /** Waits until a {@link System#nanoTime}; returns it, or an earlier time if interrupted. */
  public static long nanoTime(long due) {
    long now = System.nanoTime();
    while (now - due < 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(due - now);
      now = System.nanoTime();
    }
    return now;
  }
}
