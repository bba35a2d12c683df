// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.policy;

import java.util.Arrays;

/**
 * Estimates how often keys occurred recently: never too low, seldom too high.
 *
 * <p>A count-min sketch (Cormode, Muthukrishnan, 2005) with conservative update, whose counters are
 * halved periodically (Einziger, Friedman, Manes, "TinyLFU", 2017). Not thread-safe.
 */
public final class FrequencySketch {

  /*
   * Each key has four counters, all in one table; a counter is a nibble of a long. The table has sixteen
   * counters per key, so the four counters of a key seldom all collide.
   */

  /** The greatest estimate. */
  public static final int MOST = 15;

  /**
   * A factor per row. If the rows were one product with different addends, two keys that share a
   * counter in one row would share all four.
   */
  private static final long[] FACTORS = {
    0x9E3779B97F4A7C15L, 0xD6E8FEB86659FD93L, 0xC2B2AE3D27D4EB4FL, 0xA0761D6478BD642FL
  };

  private static final int ROWS = FACTORS.length;
  private static final int COUNTERS_PER_KEY = 16;
  private static final int COUNTERS_PER_WORD = 16;
  private static final int MIN_KEYS = 64;
  private static final int MAX_KEYS = 1 << 26;
  private static final long LOW_THREE_BITS = 0x7777777777777777L;

  /** The counters are halved after this many occurrences per key. */
  private static final int PERIOD = 10;

  private long[] words;
  private int mask;
  private int keys;
  private long additions;

  /** A sketch for few keys. {@link #ensureKeys} grows it. */
  public FrequencySketch() {
    this.keys = MIN_KEYS;
    this.words = new long[MIN_KEYS * COUNTERS_PER_KEY / COUNTERS_PER_WORD];
    this.mask = MIN_KEYS * COUNTERS_PER_KEY - 1;
  }

  /** Grows the sketch to this number of keys. Keeps all estimates. */
  public void ensureKeys(int wanted) {
    while (keys < wanted && keys < MAX_KEYS) {
      // A counter's place is the low bits of a hash. With one more bit it is the same place in the
      // first or the second half: copying the table into the second half keeps all estimates.
      long[] twice = Arrays.copyOf(words, words.length * 2);
      System.arraycopy(words, 0, twice, words.length, words.length);
      words = twice;
      keys *= 2;
      mask = keys * COUNTERS_PER_KEY - 1;
    }
  }

  private int counter(long hash, int row) {
    return (int) ((hash * FACTORS[row]) >>> 32) & mask;
  }

  private int read(int counter) {
    return (int) (words[counter >>> 4] >>> ((counter & 15) << 2)) & MOST;
  }

  /** How often a key occurred recently, from 0 to {@link #MOST}. */
  public int estimate(long hash) {
    int least = MOST;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, read(counter(hash, row)));
    }
    return least;
  }

  /** Adds occurrences of a key. */
  public void add(long hash, int occurrences) {
    int target = Math.min(MOST, estimate(hash) + occurrences);
    for (int row = 0; row < ROWS; row++) {
      int counter = counter(hash, row);
      int shift = (counter & 15) << 2;
      if (read(counter) < target) {
        int word = counter >>> 4;
        words[word] = (words[word] & ~((long) MOST << shift)) | ((long) target << shift);
      }
    }
    additions += occurrences;
    if (additions >= (long) PERIOD * keys) {
      halve();
    }
  }

  private void halve() {
    for (int i = 0; i < words.length; i++) {
      words[i] = (words[i] >>> 1) & LOW_THREE_BITS;
    }
    additions /= 2;
  }

  /** The heap size of the counters. */
  public long heapBytes() {
    return (long) words.length * Long.BYTES;
  }
}
