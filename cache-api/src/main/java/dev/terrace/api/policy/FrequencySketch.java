// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.policy;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Estimates how often keys occurred recently: never too low, seldom too high.
 *
 * <p>A count-min sketch (Cormode, Muthukrishnan, 2005) with conservative update, whose counters are
 * halved periodically (Einziger, Friedman, Manes, "TinyLFU", 2017).
 *
 * <p>Any thread may add and ask, without a lock; one at a time may grow the sketch. Additions that
 * meet in one word, or meet the growth, may be lost: then a key looks colder. An estimate is never
 * higher than without the race, but for a word that is added to while the counters are halved: it
 * may keep its counts.
 */
public final class FrequencySketch {

  /*
   * Each key has four counters, all in one table; a counter is a nibble of a long. The table has
   * sixteen counters per key, one word, so the four counters of a key seldom all collide.
   */

  public static final int MOST = 15;

  /**
   * A factor per row. If the rows were one product with different addends, two keys that share a
   * counter in one row would share all four.
   */
  private static final long[] FACTORS = {
    0x9E3779B97F4A7C15L, 0xD6E8FEB86659FD93L, 0xC2B2AE3D27D4EB4FL, 0xA0761D6478BD642FL
  };

  private static final int ROWS = FACTORS.length;
  private static final int COUNTERS_PER_WORD = 16;
  private static final int MIN_KEYS = 64;
  private static final int MAX_KEYS = 1 << 26;
  private static final long LOW_THREE_BITS = 0x7777777777777777L;

  /** The counters are halved after this many occurrences per key. */
  private static final int PERIOD = 10;

  /**
   * One addition in this many is counted, for all of them, so that threads seldom share a write.
   */
  public static final int SAMPLING = 16;

  /** Words between two threads' random numbers, so that they do not share a cache line. */
  private static final int PAD = 16;

  private static final int STRIPES =
      Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4 - 1);

  private volatile long[] table = new long[MIN_KEYS];
  private final long[] randoms = new long[STRIPES * PAD];
  private final AtomicLong additions = new AtomicLong();

  /** Grows the sketch to this number of keys, from {@value #MIN_KEYS}. Keeps all estimates. */
  public void ensureKeys(int wanted) {
    while (table.length < Math.min(wanted, MAX_KEYS)) {
      // A counter's place is the low bits of a hash. With one more bit it is the same place in the
      // first or the second half: copying the table into the second half keeps all estimates.
      long[] words = table;
      long[] twice = Arrays.copyOf(words, words.length * 2);
      System.arraycopy(words, 0, twice, words.length, words.length);
      table = twice;
    }
  }

  private static int counter(long[] words, long hash, int row) {
    return (int) ((hash * FACTORS[row]) >>> 32) & (words.length * COUNTERS_PER_WORD - 1);
  }

  private static int read(long[] words, int counter) {
    return (int) (words[counter >>> 4] >>> ((counter & 15) << 2)) & MOST;
  }

  /** How often a key occurred recently, from 0 to {@link #MOST}. */
  public int estimate(long hash) {
    return estimate(table, hash);
  }

  private static int estimate(long[] words, long hash) {
    int least = MOST;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, read(words, counter(words, hash, row)));
    }
    return least;
  }

  /**
   * Adds occurrences of a key.
   *
   * @return true for one in {@value #SAMPLING} additions
   */
  public boolean add(long hash, int occurrences) {
    long[] words = table;
    int target = Math.min(MOST, estimate(words, hash) + occurrences);
    for (int row = 0; row < ROWS; row++) {
      int counter = counter(words, hash, row);
      int shift = (counter & 15) << 2;
      if (read(words, counter) < target) {
        int word = counter >>> 4;
        words[word] = (words[word] & ~((long) MOST << shift)) | ((long) target << shift);
      }
    }
    boolean isCounted = nextRandom() % SAMPLING == 0;
    if (isCounted) {
      age(words, additions.addAndGet((long) SAMPLING * occurrences));
    }
    return isCounted;
  }

  /**
   * A random number, at least 0, by an xorshift (Marsaglia, 2003). If the key decided what is
   * counted, a few hot keys could stop the aging. Each thread draws the same numbers, so that each
   * replay of a trace has the same hits.
   */
  private int nextRandom() {
    int own = ((int) Thread.currentThread().getId() & (STRIPES - 1)) * PAD;
    long random = randoms[own] == 0 ? FACTORS[0] : randoms[own];
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    randoms[own] = random;
    return (int) (random >>> 33);
  }

  /** Halves the counters at the end of a period: one of the threads that meet there does. */
  private void age(long[] words, long added) {
    if (added >= (long) PERIOD * words.length && additions.compareAndSet(added, added / 2)) {
      for (int i = 0; i < words.length; i++) {
        words[i] = (words[i] >>> 1) & LOW_THREE_BITS;
      }
    }
  }

  public long heapBytes() {
    return (long) table.length * Long.BYTES;
  }
}
