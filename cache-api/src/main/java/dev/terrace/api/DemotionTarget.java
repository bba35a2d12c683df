// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/**
 * Receives the blocks that a tier evicts to make room.
 *
 * @param <B> the object that readers use
 */
public interface DemotionTarget<B> {

  /** Whether a tier above has the block. */
  enum Above {
    /** No tier above has it. */
    NO,
    /** A tier above has it: the copy below is worth nothing. */
    YES,
    /** Only the highest tier has it, and there is room to keep the copy for a crash. */
    VOLATILE
  }

  /**
   * Called before {@link #offer} for a block that no tier above has. A tier that must read the
   * block first asks before the read; others need not ask.
   *
   * @return whether to offer the block
   */
  boolean wants(BlockInfo info);

  /**
   * Called by the evicting thread, while lookups still find the block; if another thread evicts it
   * at the same time, the target does not take it. Must be quick, must not wait or throw, and may
   * call no method of the tier but {@link TierView#contains}.
   *
   * @param info the block as the tier has it
   * @param block valid during the call; retain it to keep it for longer
   * @param wasHit whether it was read while it was in the tier
   */
  void offer(BlockInfo info, B block, boolean wasHit);

  /** Whether a tier above has the block, and what that means for the tier's own copy. */
  Above above(CacheFile file, long offset);
}
