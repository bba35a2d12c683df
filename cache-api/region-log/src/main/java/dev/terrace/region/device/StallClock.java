// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The clock that stalls of a device are measured by. Thread-safe. */
final class StallClock {

  /*
   * Time advances only while someone reads the clock. After the whole process or its machine was
   * suspended, the first reading sees a jump, of which half a stall interval counts. So operations
   * that were in progress have time to return before they count as stalled.
   *
   * The rest of a jump is added to unseenNanos before seenNanos is written, so a thread that sees
   * the new reading also subtracts the rest. A thread that read nanoTime before a pause and stores
   * it afterwards makes the next reading see the jump again: a stall is then detected late, never
   * early.
   */

  /** Most stores of the time or of progress per stall interval: all readers share the fields. */
  private static final int NOTES_PER_STALL = 1000;

  /** Longest time for which progress is not stored. */
  private static final long UNSTORED_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final LongSupplier nanoTime;
  private final long stallNanos;

  /** The last stored reading, and the time that no reading has seen. */
  private volatile long seenNanos;

  private volatile long unseenNanos;

  StallClock(LongSupplier nanoTime, long stallNanos) {
    this.nanoTime = nanoTime;
    this.stallNanos = stallNanos;
    this.seenNanos = nanoTime.getAsLong();
  }

  long now() {
    long real = nanoTime.getAsLong();
    long passed = real - seenNanos;
    if (passed > stallNanos / 2) {
      return afterJump();
    }
    if (passed > stallNanos / NOTES_PER_STALL) {
      seenNanos = real;
    }
    return real - unseenNanos;
  }

  private synchronized long afterJump() {
    long real = nanoTime.getAsLong();
    long jump = real - seenNanos;
    if (jump > stallNanos / 2) {
      unseenNanos += jump - stallNanos / 2;
      seenNanos = real;
    }
    return real - unseenNanos;
  }

  /** When one kind of operation last made progress. */
  final class Progress {

    /** Progress is not stored within this time of the last stored progress. */
    private final long unstoredNanos = Math.min(UNSTORED_NANOS, stallNanos / NOTES_PER_STALL);

    private volatile long lastNanos = now();

    void note() {
      long now = now();
      if (now - lastNanos > unstoredNanos) {
        lastNanos = now;
      }
    }

    boolean isOlderThan(long nanos) {
      return now() - lastNanos > nanos;
    }
  }
}
