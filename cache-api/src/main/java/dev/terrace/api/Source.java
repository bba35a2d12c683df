// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/** Why a block is put. */
public enum Source {
  /** A read missed it in all tiers. */
  READ,
  /** A prefetch reads it ahead of its readers. */
  PREFETCH,
  FLUSH,
  COMPACTION,
  /** A compaction made it from resident blocks, which it drops soon, or a warm-up read it. */
  REWRITTEN,
  /** The tier above evicted it. */
  DEMOTION,
  /** A copy for safekeeping: the block stays in the tier above, which a crash empties. */
  SAFEKEEPING,
  /** As {@link #SAFEKEEPING}, before a clean stop: the last chance, so no write limit applies. */
  LAST;

  /**
   * Whether nobody has read the block yet. Its put waits briefly for room, but not for a write
   * limit.
   */
  public boolean isAhead() {
    return this == PREFETCH || this == FLUSH || this == COMPACTION;
  }
}
