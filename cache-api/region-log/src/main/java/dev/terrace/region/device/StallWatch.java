// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Finds out whether the reads and writes inside a device make progress. Any thread may call any
 * method; none blocks.
 */
final class StallWatch {

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

  final LongSupplier nanoTime;
  final IoLimits limits;

  /** Callers inside the device have one each: few, because a hung read cannot be cancelled. */
  final ReadPermits places;

  private final long stallNanos;

  /** Updated when a read or write returns, with a result or an error. */
  final StallClock.Progress readProgress;

  final StallClock.Progress writeProgress;

  /** The log's own reads in progress. */
  private final AtomicInteger ownReads = new AtomicInteger();

  private final AtomicInteger writes = new AtomicInteger();

  private volatile long slowUntilNanos;

  StallWatch(IoLimits limits, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.limits = limits;
    this.stallNanos = limits.stall().toNanos();
    StallClock clock = new StallClock(nanoTime, stallNanos);
    this.readProgress = clock.new Progress();
    this.writeProgress = clock.new Progress();
    this.slowUntilNanos = nanoTime.getAsLong();
    int processors = Runtime.getRuntime().availableProcessors();
    this.places = new ReadPermits(limits.readers(), processors);
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

  /** Whether a busy device has made no progress for a moment. */
  boolean makesNoProgress() {
    return (places.taken() > 0 || ownReads.get() != 0 || writes.get() != 0)
        && readProgress.isOlderThan(SLOW_NANOS)
        && writeProgress.isOlderThan(SLOW_NANOS);
  }

  /** Begins a read of the log; {@link #endRead} ends it. */
  void beginRead() {
    if (ownReads.get() == 0) {
      recordRead();
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
   * count against a new caller. Call it before a read is counted, so that no thread mistakes the
   * idle time before it for a stall.
   */
  void recordRead() {
    if (places.taken() == 0) {
      readProgress.note();
    }
  }
}
