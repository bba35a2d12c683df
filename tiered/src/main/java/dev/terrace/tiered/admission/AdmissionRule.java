// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

/** The evidence that a full tier asks of a block. */
enum AdmissionRule {
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
