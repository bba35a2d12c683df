// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

/**
 * Applies a rule to the offers to one tier. Remembers the keys that were offered, and the frequency
 * of those that left. Not thread-safe.
 */
final class OfferFilter {

  /** Weight of the latest key in {@link #meanLeaving}. */
  private static final double WEIGHT = 0.01;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int ONE_IN_EIGHT = Long.SIZE - 3;

  private final SeenKeys offered = new SeenKeys();
  private long turn;

  /**
   * The mean frequency of the keys that leave the tier. A new key should be more frequent.
   *
   * <p>This is the comparison of TinyLFU (Einziger, Friedman, Manes, 2017), for a tier that frees a
   * whole region at a time: when a block is offered, its victim is not known yet.
   */
  private double meanLeaving;

  /**
   * Decides on an offer, and remembers it.
   *
   * @param frequency how often the key left the highest tier recently
   * @param keys how many offered keys to remember
   */
  boolean admits(long keyHash, Rule rule, int frequency, long keys) {
    boolean seen = offered.contains(keyHash);
    if (!seen) {
      offered.add(keyHash, keys);
    }
    turn++;
    return switch (rule) {
      case FEW -> seen && ((turn * GOLDEN) >>> ONE_IN_EIGHT) == 0;
      case FREQUENT -> frequency > meanLeaving;
      case SEEN -> seen;
      case ALL -> true;
    };
  }

  /** Called when the tier evicts a key that no tier above has. */
  void evicted(int frequency) {
    meanLeaving += WEIGHT * (frequency - meanLeaving);
  }

  /** The evidence that a full tier demands of a block. */
  enum Rule {
    /**
     * Admits one in eight of the blocks that were offered before. For loops that do not fit, where
     * each admitted block displaces one that is as likely to be hit.
     */
    FEW,
    /** The block is more frequent than the blocks that leave the tier. */
    FREQUENT,
    /** The block was offered recently: it was read again in between. */
    SEEN,
    /** No evidence: admits all. */
    ALL
  }
}
