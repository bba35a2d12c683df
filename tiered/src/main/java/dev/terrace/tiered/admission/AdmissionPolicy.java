// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import dev.terrace.api.BlockKey;
import dev.terrace.api.Source;

/** Decides whether a tier takes a block that is offered to it. Thread-safe; quick; never blocks. */
public interface AdmissionPolicy {

  /** The answer to an offer. */
  enum Verdict {
    /** The block is worth its write. */
    ADMIT,
    /** The block shows no sign of being read again. */
    NOT_ADMITTED,
    /** The block is worth a write, but the write limit is used up. */
    OVER_BUDGET
  }

  /**
   * Decides on an offer.
   *
   * @param keyHash of the block's key, see {@link BlockKey#hash}
   * @param sizeBytes the block's encoded size
   * @param source why it is offered
   * @param isFull whether another block of its quota would leave for it
   */
  Verdict offer(long keyHash, int sizeBytes, Source source, boolean isFull);

  /** Called when a lookup missed all tiers above. */
  default void requested(long keyHash) {}

  /**
   * Called when the tier above evicts a block to make room, before any offer, or rejects a promoted
   * block that it would soon have evicted.
   */
  default void evictedAbove(long keyHash) {}

  /** Called when the tier evicts a block to make room and no tier above has it. */
  default void evicted(long keyHash) {}

  /** Takes everything. */
  static AdmissionPolicy everything() {
    return (keyHash, sizeBytes, source, isFull) -> Verdict.ADMIT;
  }
}
