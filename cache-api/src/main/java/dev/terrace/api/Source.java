// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

/** Why a block is put. */
public enum Source {
  /** A read missed it in all tiers. */
  READ,
  /**
   * It is cached ahead of any read: by a prefetch, a flush or a compaction. Waits briefly for room,
   * but not for a write limit.
   */
  AHEAD,
  /** A compaction made it from resident blocks, which it drops soon. Waits as {@link #AHEAD}. */
  REWRITTEN,
  /** The tier above evicted it. */
  DEMOTION,
  /** A copy for safekeeping: the block stays in the tier above, which a crash empties. */
  SAFEKEEPING,
  /** As {@link #SAFEKEEPING}, before a clean stop: the last chance, so no write limit applies. */
  LAST
}
