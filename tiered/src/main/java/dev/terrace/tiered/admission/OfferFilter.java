// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

/**
 * Applies a rule to the offers to one tier. Remembers the keys that were offered, and the frequency
 * of those that left. Not thread-safe.
 */
final class OfferFilter {

  private final SeenKeys offered = new SeenKeys();
  private final FrequencyBar bar = new FrequencyBar();
  private long turn;

  /**
   * Decides on an offer, and remembers it.
   *
   * @param frequency how often the key left the highest tier lately
   * @param keys how many offered keys to remember
   */
  boolean admits(long keyHash, Rule rule, int frequency, long keys) {
    boolean seen = offered.contains(keyHash);
    if (!seen) {
      offered.add(keyHash, keys);
    }
    return rule.admits(seen, bar.isBelow(frequency), ++turn);
  }

  /** Called when a key leaves the tier that no tier above has. */
  void evicted(int frequency) {
    bar.evicted(frequency);
  }

  /**
   * The mean frequency of the keys that leave a tier. A new key should be more frequent. Not
   * thread-safe.
   *
   * <p>It is the comparison of TinyLFU (Einziger, Friedman, Manes, 2017) for a tier that does not
   * know its victim when it is offered a block, because it makes room a region at a time.
   */
  static final class FrequencyBar {

    /** Weight of the latest key in the mean. */
    private static final double WEIGHT = 0.01;

    private double mean;

    /** Adds the frequency of a key that leaves. */
    void evicted(int frequency) {
      mean += WEIGHT * (frequency - mean);
    }

    /** Whether a frequency is above the mean of the keys that leave. */
    boolean isBelow(int frequency) {
      return frequency > mean;
    }
  }

  /** The evidence that a full tier asks of a block. */
  enum Rule {
    /**
     * One in eight of the blocks that were offered before. For loops that do not fit, where each
     * admitted block costs one that would be hit as surely.
     */
    FEW,
    /** The block is more frequent than the blocks that leave the tier. */
    FREQUENT,
    /** The block was offered before, not long ago: it was read again in between. */
    SEEN,
    /** None: admits all. */
    ALL;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final int ONE_IN_EIGHT = Long.SIZE - 3;

    /**
     * Whether to admit a block.
     *
     * @param seen whether it was offered before, not long ago
     * @param frequent whether it is more frequent than what leaves, see {@link
     *     OfferFilter.FrequencyBar}
     * @param turn the number of the offer
     */
    boolean admits(boolean seen, boolean frequent, long turn) {
      return switch (this) {
        case FEW -> seen && ((turn * GOLDEN) >>> ONE_IN_EIGHT) == 0;
        case FREQUENT -> frequent;
        case SEEN -> seen;
        case ALL -> true;
      };
    }
  }
}
