// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.region.format.RegionLife;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * Finds scans by the places of the records that they read, whatever threads read them.
 *
 * <p>Any thread may call any method; none blocks.
 */
public final class ReadAhead {

  /*
   * A scan begins with the fifth of five records that lie side by side and were read a moment ago.
   * Short scans, of 100 rows or so, are over by then. From there on the device reads ahead, at most as
   * much as the scan has read so far. So what is read in vain is in proportion to what was used.
   *
   * No index knows of the pieces that are read ahead. A lookup finds its block in the index first,
   * and then checks the record as it does one from the device. So blocks that were evicted or moved
   * are not served from here, and evictions need not look here.
   */

  /** The largest number of scans at a time. */
  static final int MOST_SCANS = 12;

  /** The most direct memory that is used for reading ahead in one tier. */
  public static final long MOST_BYTES = (long) MOST_SCANS * AheadScan.MOST_BYTES;

  /** A scan that rests so long may lose its place to another one. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Number of records that are remembered, a power of two. A scan is found if few of them are
   * replaced between two of its reads, by other scans and by random reads.
   */
  private static final int REMEMBERED = 512;

  /** Records side by side before a scan's first one. */
  private static final long RECORDS_BEFORE = 4;

  /** A remembered end has the number of records side by side that end here in its highest bits. */
  private static final int RUN_SHIFT = 60;

  private static final long END_MASK = (1L << RUN_SHIFT) - 1;

  private final LongSupplier nanoTime;
  private final AtomicReferenceArray<AheadScan> scans = new AtomicReferenceArray<>(MOST_SCANS);

  /** Where records ended that were read a moment ago. Racy: a lost one delays a scan's start. */
  private final AtomicLongArray ends = new AtomicLongArray(REMEMBERED);

  private volatile boolean closed;

  /** Knows no scans. */
  public ReadAhead(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * The scan that a record belongs to; null if there is none.
   *
   * @param region the region's number in the tier
   * @param life the region's present life
   * @param position of the record in the region
   */
  public AheadScan scan(int region, RegionLife life, int position, int recordBytes) {
    for (int slot = 0; slot < MOST_SCANS; slot++) {
      AheadScan scan = scans.get(slot);
      if (scan != null && scan.isAt(region, life, position)) {
        scan.used(nanoTime.getAsLong());
        return scan;
      }
    }
    long run = runBefore(region, position);
    remember(region, position + recordBytes, Math.min(run + 1, RECORDS_BEFORE));
    boolean isScan = run == RECORDS_BEFORE && recordBytes <= AheadScan.MOST_RECORD_BYTES;
    return isScan ? begin(region, life, position, recordBytes) : null;
  }

  private long runBefore(int region, int position) {
    long end = end(region, position);
    long found = ends.getOpaque(index(end));
    return (found & END_MASK) == end ? found >>> RUN_SHIFT : 0;
  }

  private void remember(int region, int position, long run) {
    long end = end(region, position);
    ends.setOpaque(index(end), run << RUN_SHIFT | end);
  }

  /** A place in the tier; never 0, because no record starts at the start of a region. */
  private static long end(int region, int position) {
    return (long) region << Integer.SIZE | position;
  }

  /** Mixes twice: scans at equal distances must not share a few places. */
  private static int index(long end) {
    long mixed = end * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> Integer.SIZE)) * 0xBF58476D1CE4E5B9L;
    return (int) (mixed >>> Integer.SIZE) & (REMEMBERED - 1);
  }

  /** A new scan; null if there is no room for it. */
  private AheadScan begin(int region, RegionLife life, int position, int recordBytes) {
    long now = nanoTime.getAsLong();
    int slot = freeSlot(now);
    if (slot < 0 || closed) {
      return null;
    }
    AheadScan old = scans.get(slot);
    long before = RECORDS_BEFORE * recordBytes;
    AheadScan scan = new AheadScan(region, life, position, before, now);
    if (!isFree(old, now) || !scans.compareAndSet(slot, old, scan)) {
      return null;
    }
    if (old != null) {
      old.end();
    }
    if (closed) {
      scan.end();
    }
    return scan;
  }

  private int freeSlot(long nowNanos) {
    for (int slot = 0; slot < MOST_SCANS; slot++) {
      if (isFree(scans.get(slot), nowNanos)) {
        return slot;
      }
    }
    return -1;
  }

  private static boolean isFree(AheadScan scan, long nowNanos) {
    return scan == null || scan.isOver() || scan.isUnusedFor(REST_NANOS, nowNanos);
  }

  /** Frees what was read for scans that nobody continues. Call it about once a second. */
  public void dropIdle() {
    long now = nanoTime.getAsLong();
    for (int slot = 0; slot < MOST_SCANS; slot++) {
      AheadScan scan = scans.get(slot);
      if (scan != null
          && scan.isUnusedFor(IDLE_NANOS, now)
          && scans.compareAndSet(slot, scan, null)) {
        scan.end();
      }
    }
  }

  /** Frees what was read, and reads nothing ahead from now on. */
  public void close() {
    closed = true;
    for (int slot = 0; slot < MOST_SCANS; slot++) {
      AheadScan scan = scans.get(slot);
      if (scan != null) {
        scan.end();
      }
    }
  }
}
