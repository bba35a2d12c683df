// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks the copies and the evictions in progress, so that no copy outlives the eviction of its
 * block: promotions to the highest tier, and copies from it down. Any thread may call any method;
 * none blocks.
 */
final class InFlightCopies {

  /*
   * A copying thread begins the copy, looks whether the block is still in the source tier, puts the
   * copy, and ends it. An evicting thread begins the eviction, which marks the copies of its blocks,
   * goes through the tiers from the highest to the lowest, and ends it.
   *
   * A copy that begins during the eviction does not take place. One that begins later finds no block
   * to copy. One that began before is marked, and then its thread evicts the block once more; unless
   * it had put its copy already, and then the eviction comes to the target after the copy, and finds
   * it there or on its way down (see Demoter).
   */

  /** A copy in progress. */
  static final class Copy {
    private final String file;
    private final long offset;
    private volatile boolean evicted;

    private Copy(String file, long offset) {
      this.file = file;
      this.offset = offset;
    }
  }

  /** An eviction in progress, of the blocks of a file in a range of offsets. */
  static final class Eviction {
    private final String file;
    private final long fromOffset;
    private final long toOffset;

    private Eviction(String file, long fromOffset, long toOffset) {
      this.file = file;
      this.fromOffset = fromOffset;
      this.toOffset = toOffset;
    }

    private boolean concerns(Copy copy) {
      return copy.offset >= fromOffset && copy.offset <= toOffset && copy.file.equals(file);
    }
  }

  private final Set<Copy> copies = ConcurrentHashMap.newKeySet();
  private final Set<Eviction> evictions = ConcurrentHashMap.newKeySet();

  /** Begins a copy, which the caller must {@link #end}; null if the block is being evicted. */
  Copy begin(String file, long offset) {
    Copy copy = new Copy(file, offset);
    copies.add(copy);
    for (Eviction eviction : evictions) {
      if (eviction.concerns(copy)) {
        copies.remove(copy);
        return null;
      }
    }
    return copy;
  }

  /**
   * Ends a copy.
   *
   * @return whether the block was evicted meanwhile; then the caller evicts the copy
   */
  boolean end(Copy copy) {
    copies.remove(copy);
    return copy.evicted;
  }

  /** Whether a copy of the block is in progress. */
  boolean isCopied(String file, long offset) {
    return copies.stream().anyMatch(copy -> copy.offset == offset && copy.file.equals(file));
  }

  /**
   * Begins an eviction, before it looks into any tier; the caller must {@link #endEviction}.
   *
   * @param toOffset the last offset of the range, inclusive
   */
  Eviction beginEviction(String file, long fromOffset, long toOffset) {
    Eviction eviction = new Eviction(file, fromOffset, toOffset);
    evictions.add(eviction);
    for (Copy copy : copies) {
      if (eviction.concerns(copy)) {
        copy.evicted = true;
      }
    }
    return eviction;
  }

  /** Ends an eviction that has gone through all tiers. */
  void endEviction(Eviction eviction) {
    evictions.remove(eviction);
  }
}
