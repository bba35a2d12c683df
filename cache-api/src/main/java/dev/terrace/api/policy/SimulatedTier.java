// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api.policy;

/**
 * A tier without blocks: which keys it would hold, by the rules of the real one. A simulation costs
 * some hundred bytes a key. Not thread-safe.
 */
public interface SimulatedTier extends TierFill {

  /** Receives the keys that a tier evicts to make room. */
  @FunctionalInterface
  interface Evictions {
    /**
     * Called for each key, after it left.
     *
     * @param wasHit whether it was hit since it came
     */
    void evicted(long keyHash, int sizeBytes, boolean wasHit);
  }

  /** Looks a key up, and counts the hit for its block's stay; true for a hit. */
  default boolean get(long keyHash) {
    touch(keyHash);
    return contains(keyHash);
  }

  /** Whether the tier holds a key. Not counted as a hit. */
  boolean contains(long keyHash);

  /**
   * Adds an absent key. May evict others.
   *
   * @return whether the tier holds it now
   */
  boolean put(long keyHash, int sizeBytes);

  /** Adds an absent key that was hit in a tier below, and stays there; else as {@link #put}. */
  default boolean promote(long keyHash, int sizeBytes) {
    return put(keyHash, sizeBytes);
  }

  /** Counts a hit that the block had in a tier above. */
  void touch(long keyHash);

  /** Bytes written so far, with those written anew to keep them. */
  long bytesWritten();
}
