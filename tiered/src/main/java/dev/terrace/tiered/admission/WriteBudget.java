// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the bytes that are offered to a tier a second. A burst may take the bytes of one second,
 * or a few blocks. It is checked before a block is copied; the tier paces the writes themselves.
 * Thread-safe.
 */
final class WriteBudget {

  /** The largest block must pass. */
  private static final long LEAST_BURST_BYTES = 4 << 20;

  private final double bytesPerNano;
  private final double burstBytes;
  private final LongSupplier nanoTime;
  private double leftBytes;
  private long asOfNanos;

  /**
   * A budget.
   *
   * @param bytesPerSecond the limit, at least 1
   * @param nanoTime like {@link System#nanoTime}
   */
  WriteBudget(long bytesPerSecond, LongSupplier nanoTime) {
    this.bytesPerNano = (double) bytesPerSecond / TimeUnit.SECONDS.toNanos(1);
    this.burstBytes = Math.max(LEAST_BURST_BYTES, bytesPerSecond);
    this.nanoTime = nanoTime;
    this.leftBytes = burstBytes;
    this.asOfNanos = nanoTime.getAsLong();
  }

  /** Spends bytes; returns false and spends none if too few are left. */
  synchronized boolean take(int bytes) {
    long now = nanoTime.getAsLong();
    leftBytes = Math.min(burstBytes, leftBytes + (now - asOfNanos) * bytesPerNano);
    asOfNanos = now;
    if (bytes > leftBytes) {
      return false;
    }
    leftBytes -= bytes;
    return true;
  }
}
