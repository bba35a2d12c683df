// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.plan;

import java.util.BitSet;

/**
 * Estimates how many distinct keys were accessed, in 128 KB. Not thread-safe.
 *
 * <p>Linear counting, after Whang et al., "A Linear-Time Probabilistic Counting Algorithm for
 * Database Applications", 1990.
 */
final class Footprint {

  private static final int BITS = 1 << 20;

  /** The later half of the accesses brings fewer new keys than this, once all keys are known. */
  private static final double MAX_GROWTH = 0.1;

  private final BitSet seen = new BitSet(BITS);
  private int ones;
  private long accesses;

  /** The keys at the last power of two of accesses, and at the one before. */
  private double keysAtMark;

  private double keysAtMarkBefore;

  void access(long keyHash) {
    int bit = (int) ((keyHash * 0x9E3779B97F4A7C15L) >>> 44);
    if (!seen.get(bit)) {
      seen.set(bit);
      ones++;
    }
    accesses++;
    if (Long.bitCount(accesses) == 1) {
      keysAtMarkBefore = keysAtMark;
      keysAtMark = keys();
    }
  }

  double keys() {
    return -BITS * Math.log(1 - Math.min(ones, BITS - 1) / (double) BITS);
  }

  /** Whether each key was accessed twice in the mean, and there are few new ones. */
  boolean isSeenTwice() {
    return accesses > 0 && accesses >= 2 * keys() && keys() <= (1 + MAX_GROWTH) * keysAtMarkBefore;
  }
}
