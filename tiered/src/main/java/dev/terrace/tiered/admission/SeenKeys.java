// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

/**
 * Remembers about the last N keys that were added, with few false positives, in two bytes per key.
 * One thread at a time may add keys; any thread may ask at any time, and may miss a key that is
 * being added.
 *
 * <p>Two Bloom filters (Bloom, 1970). When the newer one is full, the older one is dropped.
 */
public final class SeenKeys {

  private static final int BITS_PER_KEY = 8;

  /**
   * A factor for each of a key's bits. If the bits came from one product with different addends,
   * two keys that share one bit would share all four.
   */
  private static final long[] FACTORS = {
    0x9E3779B97F4A7C15L, 0xD6E8FEB86659FD93L, 0xC2B2AE3D27D4EB4FL, 0xA0761D6478BD642FL
  };

  private static final int HASHES = FACTORS.length;
  private static final int MIN_KEYS = 256;
  private static final int MAX_KEYS = 1 << 28;

  /*
   * A question reads the newer filter first: a key that changes from newer to older while it is
   * asked for is found in one of them, as older is written before newer.
   */
  private volatile long[] newer;
  private volatile long[] older;
  private int added;

  /** Remembers nothing yet. */
  public SeenKeys() {
    this.newer = new long[words(MIN_KEYS)];
    this.older = newer.clone();
  }

  /** Whether a key was added recently. */
  public boolean contains(long hash) {
    return isIn(newer, hash) || isIn(older, hash);
  }

  /**
   * Adds a key.
   *
   * @param keys how many to remember; takes effect with the next new filter
   */
  public void add(long hash, long keys) {
    if (added >= newer.length * (Long.SIZE / BITS_PER_KEY)) {
      older = newer;
      newer = new long[words(Math.min(MAX_KEYS, Math.max(MIN_KEYS, keys)))];
      added = 0;
    }
    for (int i = 0; i < HASHES; i++) {
      long bit = bit(newer, hash, i);
      newer[(int) (bit >>> 6)] |= 1L << bit;
    }
    added++;
  }

  private static int words(long keys) {
    return (int) (Long.highestOneBit(keys) * BITS_PER_KEY / Long.SIZE);
  }

  private static boolean isIn(long[] filter, long hash) {
    for (int i = 0; i < HASHES; i++) {
      long bit = bit(filter, hash, i);
      if ((filter[(int) (bit >>> 6)] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  private static long bit(long[] filter, long hash, int which) {
    return ((hash * FACTORS[which]) >>> 32) & ((long) filter.length * Long.SIZE - 1);
  }
}
