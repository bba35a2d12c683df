/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The stripes in which contended counts are kept, one cache line a stripe, and how many counts may
 * have them at the same time. Thread-safe.
 *
 * <p>A thread adds to the stripe of its id. So a stripe alone says nothing, and may be negative:
 * only the sum of all stripes is a count. Once a stripe is closed its value is taken and what is
 * added to it later does not count.
 */
final class LeaseStripes {

  /*
   *   | header | pad | stripe 0 | pad | stripe 1 | ... | pad |       LINE longs from stripe to stripe
   *
   * Two cache lines from one to the next, as processors fetch them in pairs. A stripe is a long:
   * threads that only retain and threads that only release drive their stripes apart for ever.
   */
  private static final int LINE_POWER = 4;

  private static final int LINE = 1 << LINE_POWER;

  /** More stripes would cost more memory than they save time. */
  private static final int MOST_STRIPES = 16;

  private static final long CLOSED = Long.MIN_VALUE / 2;

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  private final int stripes;
  private final int mostSets;
  private final AtomicInteger sets = new AtomicInteger();

  /**
   * Stripes for some threads.
   *
   * @param threads how many threads run at the same time
   * @param mostSets how many counts may be striped at the same time
   */
  LeaseStripes(int threads, int mostSets) {
    // Twice as many stripes as threads, for their ids are spread by chance.
    this.stripes = Integer.highestOneBit(Math.min(Math.max(threads * 4 - 1, 2), MOST_STRIPES));
    this.mostSets = mostSets;
  }

  /** A set of open stripes that are all zero; null if no more may be had now. */
  long[] take() {
    if (sets.get() >= mostSets) {
      return null;
    }
    if (sets.incrementAndGet() > mostSets) {
      giveBack();
      return null;
    }
    return new long[(stripes + 2) << LINE_POWER];
  }

  /** Allows for another set, as one is not in use any more. */
  void giveBack() {
    sets.decrementAndGet();
  }

  /** How many sets are in use. */
  int inUse() {
    return sets.get();
  }

  /**
   * Adds to the current thread's stripe.
   *
   * @return false if the stripe was closed already, so that this does not count
   */
  static boolean add(long[] set, int delta) {
    int mask = (set.length >>> LINE_POWER) - 3;
    int stripe = (int) Thread.currentThread().getId() & mask;
    return (long) CELLS.getAndAdd(set, (stripe + 1) << LINE_POWER, (long) delta) > CLOSED / 2;
  }

  /**
   * Closes all stripes of a set, once.
   *
   * @return the sum of what was added to them before they were closed
   */
  static long close(long[] set) {
    long sum = 0;
    for (int cell = LINE; cell < set.length - LINE; cell += LINE) {
      sum += (long) CELLS.getAndSet(set, cell, CLOSED);
    }
    return sum;
  }
}
