// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Tracks the operations inside a device, and whether they make progress. Bounds the callers among
 * them, because a hung read cannot be cancelled.
 *
 * <p>Any thread may call any method; none blocks, but {@link #tryEnter} may wait for a moment.
 */
final class Operations {

  /*
   * Reads and writes are each judged by their own progress: reads from the page cache succeed while
   * a write hangs, and a read that has just begun is not as old as the force beside it.
   */

  /** Factor on the stall limit for the log's own I/O: a whole region takes longer than a block. */
  private static final int PATIENCE_WITH_LOG = 10;

  /** A busy device that makes no progress for this long is slow. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A device that has stalled counts as slow for this long. */
  private static final long SLOW_AFTER_STALL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** A device that answers within this time is not slow, however fast the store is. */
  private static final long PROMPT_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** Shortest period in which the bound on callers is fitted to the device's speed. */
  private static final long FIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The mean of fewer answers may be chance. */
  private static final int MIN_ANSWERS = 16;

  final LongSupplier nanoTime;
  final IoLimits limits;
  final ReadPermits places;
  private final long stallNanos;

  /** Updated when a read or write returns, with a result or an error. */
  final StallClock.Progress readProgress;

  final StallClock.Progress writeProgress;

  /** The log's own reads in progress. */
  private final AtomicInteger ownReads = new AtomicInteger();

  /** Writes and forces in progress. */
  private final AtomicInteger writes = new AtomicInteger();

  private volatile long slowUntilNanos;

  /** How many callers may be inside; if one more than there are places, callers wait for one. */
  private volatile int bound;

  /** How often callers were answered since the bound was fitted last, and after how long. */
  private final LongAdder answers = new LongAdder();

  private final LongAdder answerNanos = new LongAdder();
  private volatile long fittedNanos;

  Operations(IoLimits limits, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.limits = limits;
    this.stallNanos = limits.stall().toNanos();
    StallClock clock = new StallClock(nanoTime, stallNanos);
    this.readProgress = clock.new Progress();
    this.writeProgress = clock.new Progress();
    this.slowUntilNanos = nanoTime.getAsLong();
    int processors = Runtime.getRuntime().availableProcessors();
    this.places = new ReadPermits(limits.readers(), processors);
    this.bound = limits.readers() + 1;
    this.fittedNanos = nanoTime.getAsLong();
  }

  boolean readsStalled() {
    return places.taken() > 0
        ? readProgress.isOlderThan(stallNanos)
        : ownReads.get() != 0 && readProgress.isOlderThan(stallNanos * PATIENCE_WITH_LOG);
  }

  boolean writesStalled() {
    return writes.get() != 0 && writeProgress.isOlderThan(stallNanos * PATIENCE_WITH_LOG);
  }

  /** Marks the device as slow after a stall of reads, and describes the stall. */
  String readStall() {
    slowUntilNanos = nanoTime.getAsLong() + SLOW_AFTER_STALL_NANOS;
    return "no read ended for " + limits.stall().toMillis() + " ms";
  }

  String writeStall() {
    return "no write ended for " + limits.stall().toMillis() * PATIENCE_WITH_LOG + " ms";
  }

  /** Whether the next operation may take much longer than usual. */
  boolean isSlow() {
    return nanoTime.getAsLong() - slowUntilNanos < 0 || makesNoProgress();
  }

  private boolean makesNoProgress() {
    return (places.taken() > 0 || ownReads.get() != 0 || writes.get() != 0)
        && readProgress.isOlderThan(SLOW_NANOS)
        && writeProgress.isOlderThan(SLOW_NANOS);
  }

  /**
   * Takes a place inside the device for a caller's read. If none is free, and the device makes
   * progress and is faster than the store, waits a moment for one.
   *
   * @param hasStore whether the store has what the caller wants
   * @return null if there is no place
   */
  ReadPermits.Stripe tryEnter(boolean hasStore) {
    noteRead();
    boolean goesAround = hasStore && isBounded();
    if (goesAround && places.taken() >= bound) {
      return null;
    }
    ReadPermits.Stripe place = places.tryTake();
    return place == null && !goesAround && !makesNoProgress() ? places.await() : place;
  }

  /** Whether callers beyond a bound get their blocks from the store, as the device is slower. */
  boolean isBounded() {
    return bound <= limits.readers();
  }

  /** Reports that a caller has its block, or none, since before {@link #tryEnter}. */
  void answered(long startNanos) {
    long now = nanoTime.getAsLong();
    answers.increment();
    answerNanos.add(now - startNanos);
    if (now - fittedNanos > FIT_NANOS) {
      fitBound(now);
    }
  }

  /**
   * Lowers the bound so that answers take as long as the store's, given that a saturated device
   * takes longer in proportion to its callers; else raises it by one.
   */
  private synchronized void fitBound(long now) {
    if (now - fittedNanos > FIT_NANOS && answers.sum() >= MIN_ANSWERS) {
      fittedNanos = now;
      long mean = answerNanos.sumThenReset() / answers.sumThenReset();
      long storeNanos = limits.storeNanos().getAsLong();
      long enough = Math.max(storeNanos, PROMPT_NANOS);
      int callers = Math.min(bound, limits.readers());
      boolean isLate = storeNanos > 0 && mean > enough;
      bound = isLate ? (int) Math.max(1, callers * enough / mean) : callers + 1;
    }
  }

  /** Begins a read of the log; {@link #endRead} ends it. */
  void beginRead() {
    if (ownReads.get() == 0) {
      noteRead();
    }
    ownReads.incrementAndGet();
  }

  /** Ends a read of the log, after its result was reported. */
  void endRead() {
    ownReads.decrementAndGet();
  }

  /** Begins a write or a force; {@link #endWrite} ends it. */
  void beginWrite() {
    if (writes.get() == 0) {
      writeProgress.note();
    }
    writes.incrementAndGet();
  }

  /** Ends a write or a force, after its result was reported. */
  void endWrite() {
    writes.decrementAndGet();
  }

  /**
   * Restarts the stall time of reads, unless a caller is inside: a long read of the log must not
   * count against a new caller. Called before the read is counted, so that no thread mistakes the
   * idle time before it for a stall.
   */
  private void noteRead() {
    if (places.taken() == 0) {
      readProgress.note();
    }
  }

  /** The clock that stalls of a device are measured by. Thread-safe. */
  static final class StallClock {

    /*
     * Time advances only while someone reads the clock. After the whole process or its machine was
     * suspended, the first reading sees a jump, of which half a stall interval counts. So operations that
     * were in progress have time to return before they count as stalled.
     *
     * The rest of a jump is added to unseenNanos before seenNanos is written, so a thread that sees the
     * new reading also subtracts the rest. A thread that read nanoTime before a pause and stores it
     * afterwards makes the next reading see the jump again: a stall is then detected late, never early.
     */

    /** Most stores of the time or of progress per stall interval: all readers share the fields. */
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

      /** Progress is not stored within this time of the last stored progress. */
      private final long unstoredNanos = Math.min(SLOW_NANOS / 20, stallNanos / NOTES_PER_STALL);

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
}
