// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Cells for contended counts. A count has one cell in each stripe, and a thread adds to the cell in
 * the stripe of its id. A bounded number of counts may have cells at the same time. Thread-safe.
 *
 * <p>A single cell means nothing and may be negative; the count is the sum over the stripes.
 * Closing a cell takes its value; later additions fail.
 */
final class RefCountStripes {

  /*
   * Cells come in sets. A row is a stripe; a column holds the cells of one count. So the cells in a
   * cache line belong to many counts, but to the same threads, and a thread that goes from count to
   * count touches few lines.
   *
   *   row 0:      | columns taken | columns closed | unused ...           |
   *   row 1:      | cell of column 1 | of column 2 | ... | pad of 2 lines |   first stripe
   *   row 2:      | cell of column 1 | of column 2 | ... | pad of 2 lines |   second stripe
   *   ...
   *   last row:   | unused                                                |
   *
   * A column is never reused, because a late thread may still add to it. Once all columns of a set
   * are closed, another set may take its place; the old one is left to the garbage collector.
   *
   * Cells are longs: threads that only retain and threads that only release drive them apart for as
   * long as the count is striped.
   */
  private static final int ROW_POWER = 6;

  private static final int ROW = 1 << ROW_POWER;
  private static final int PAD = 16;

  /** Columns are numbered from 1 to this. */
  static final int COLUMNS = ROW - PAD;

  private static final int TAKEN = 0;
  private static final int CLOSED_COLUMNS = 1;

  private static final int MAX_STRIPES = 128;

  /** Limit of all sets in use together. */
  private static final long MAX_BYTES = 32 << 20;

  private static final long CLOSED = Long.MIN_VALUE / 2;

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  private final int stripes;
  private final int maxSets;
  private final AtomicInteger sets = new AtomicInteger();
  private final AtomicReference<long[]> newest = new AtomicReference<>();

  /**
   * Creates stripes.
   *
   * @param threads how many threads run at the same time
   * @param maxSets how many sets of {@link #COLUMNS} counts may be in use at the same time; fewer
   *     where there are many stripes, so that they take 32 MB at most
   */
  RefCountStripes(int threads, int maxSets) {
    // About twice as many stripes as threads, since thread ids map to them at random.
    this.stripes = Math.min(Integer.highestOneBit(Math.max(threads * 4 - 1, 1)), MAX_STRIPES);
    this.maxSets = (int) Math.min(maxSets, MAX_BYTES / ((long) longs(stripes) * Long.BYTES));
  }

  private static int longs(int stripes) {
    return (stripes + 2) << ROW_POWER;
  }

  /** A set with free columns; null if there is none now. */
  long[] open() {
    long[] set = newest.get();
    if (set != null && (long) CELLS.getOpaque(set, TAKEN) < COLUMNS) {
      return set;
    }
    if (sets.get() >= maxSets) {
      return null;
    }
    long[] fresh = new long[longs(stripes)];
    if (newest.compareAndSet(set, fresh)) {
      sets.incrementAndGet();
      return fresh;
    }
    return null;
  }

  /**
   * Takes a column, whose cells are open and zero. Close it exactly once.
   *
   * @return the column, or 0 if none is left
   */
  static int take(long[] set) {
    long taken = (long) CELLS.getAndAdd(set, TAKEN, 1L);
    return taken < COLUMNS ? (int) taken + 1 : 0;
  }

  /**
   * Adds to the current thread's cell of a column.
   *
   * @return false if the cell was already closed; nothing was added then
   */
  static boolean add(long[] set, int column, int delta) {
    int stripe = (int) Thread.currentThread().getId() & ((set.length >>> ROW_POWER) - 3);
    int cell = ((stripe + 1) << ROW_POWER) + column - 1;
    return (long) CELLS.getAndAdd(set, cell, (long) delta) > CLOSED / 2;
  }

  /**
   * Closes the cells of a column.
   *
   * @return the sum of all additions before they were closed
   */
  long close(long[] set, int column) {
    long sum = 0;
    for (int cell = ROW + column - 1; cell < set.length - ROW; cell += ROW) {
      sum += (long) CELLS.getAndSet(set, cell, CLOSED);
    }
    if ((long) CELLS.getAndAdd(set, CLOSED_COLUMNS, 1L) == COLUMNS - 1) {
      sets.decrementAndGet();
    }
    return sum;
  }

  /**
   * Sums a column's cells, read one after another.
   *
   * @return the sum; larger than any count if a cell is closed
   */
  static long sum(long[] set, int column) {
    long sum = 0;
    for (int cell = ROW + column - 1; cell < set.length - ROW; cell += ROW) {
      long value = (long) CELLS.getVolatile(set, cell);
      if (value <= CLOSED / 2) {
        return Long.MAX_VALUE / 2;
      }
      sum += value;
    }
    return sum;
  }

  int sets() {
    return sets.get();
  }
}
