// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.function.LongSupplier;

/** The time that the operations on a device are judged by. Thread-safe. */
final class StallClock {

  /*
   * Time counts only while somebody reads the clock. After a pause of the whole process, or of its
   * machine, the first reading finds a jump, of which half of a stall counts. So operations that
   * were in progress have time to return before they are called stuck.
   *
   * The rest of a jump is added to unseenNanos before seenNanos is written: who sees the new reading
   * subtracts the rest, too. A thread that read nanoTime before a pause and writes it later makes the
   * next reading find the jump again: a stall is then found late, never early.
   */

  /** Readings, and progress, that are stored in the time of a stall: all readers share them. */
  private static final int NOTES_PER_STALL = 1000;

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

    private final long unstoredNanos;
    private volatile long lastNanos = now();

    /**
     * Progress that begins now.
     *
     * @param mostUnstoredNanos progress so soon after the last that was stored is not stored
     */
    Progress(long mostUnstoredNanos) {
      this.unstoredNanos = Math.min(mostUnstoredNanos, stallNanos / NOTES_PER_STALL);
    }

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
