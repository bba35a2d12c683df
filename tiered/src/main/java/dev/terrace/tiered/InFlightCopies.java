// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;

/**
 * Tracks the blocks in flight between tiers, and the evictions in progress, so that no copy
 * outlives the eviction of its block. Any thread may call any method; none blocks.
 */
final class InFlightCopies {

  /*
   * A copying thread begins the copy, checks that the block is still in the source tier, puts the
   * copy, checks whether it was marked, and ends it. An evicting thread begins the eviction, which
   * marks the copies of its blocks, goes through all tiers, and ends it. Each of the two writes its
   * own entry before it reads the other's.
   *
   * A copy that begins during the eviction does not take place. One that begins after it finds no
   * block to copy. One that began before it is marked, and its thread then evicts the block again.
   * A thread that missed the mark had put its copy before the eviction reached any tier.
   *
   * A demoted block leaves its tier once its copy has begun, so until it is put, it is in no tier.
   * The copy holds the file, which might have no other block.
   */

  /** A block in flight. */
  static final class Copy {
    private final BlockKey key;
    private final boolean leaves;
    private volatile boolean evicted;

    private Copy(BlockKey key, boolean leaves) {
      this.key = key;
      this.leaves = leaves;
    }

    /** Whether the block was evicted since its copy began. */
    boolean isEvicted() {
      return evicted;
    }

    /** Has the block evicted from all tiers once the copy ends. */
    void evict() {
      evicted = true;
    }
  }

  /** An eviction in progress, of the blocks of a file in a range of offsets. */
  static final class Eviction {
    private final CacheFile file;
    private final long fromOffset;
    private final long toOffset;
    private int left;

    private Eviction(CacheFile file, long fromOffset, long toOffset) {
      this.file = file;
      this.fromOffset = fromOffset;
      this.toOffset = toOffset;
    }

    private boolean concerns(BlockKey key) {
      return key.offset() >= fromOffset && key.offset() <= toOffset && key.file() == file;
    }

    private void mark(Copy copy) {
      if (copy != null && !copy.evicted && concerns(copy.key)) {
        copy.evicted = true;
        left += copy.leaves ? 1 : 0;
      }
    }

    /** How many of its blocks had left their tier when it began. */
    int left() {
      return left;
    }
  }

  private final ObjLongConsumer<CacheFile> eviction;
  private final Map<BlockKey, Copy> copies = new ConcurrentHashMap<>();
  private final Set<Eviction> evictions = ConcurrentHashMap.newKeySet();

  /**
   * Tracks nothing yet.
   *
   * @param eviction evicts a block from all tiers, by its file and offset
   */
  InFlightCopies(ObjLongConsumer<CacheFile> eviction) {
    this.eviction = eviction;
  }

  /**
   * Begins a copy, which the caller must {@link #end}.
   *
   * @param leaves whether the block leaves the tier that it is copied from
   * @return null if the block is being evicted, or is already in flight
   */
  Copy begin(BlockKey key, boolean leaves) {
    if (leaves && !key.file().hold()) {
      return null;
    }
    Copy copy = new Copy(key, leaves);
    Copy before = copies.putIfAbsent(key, copy);
    if (before != null && !(before.evicted && copies.replace(key, before, copy))) {
      release(copy);
      return null;
    }
    for (Eviction each : evictions) {
      if (each.concerns(key)) {
        remove(copy);
        return null;
      }
    }
    return copy;
  }

  /** Why a copy was refused. */
  MoveOutcome refusal(BlockKey key) {
    return isCopied(key) ? MoveOutcome.ALREADY_PRESENT : MoveOutcome.EVICTED;
  }

  /**
   * Ends a copy, done or not. Evicts the block again if it was evicted since the copy began: from
   * all tiers, as the one that took the copy may have passed it on.
   *
   * @return whether it was evicted
   */
  boolean end(Copy copy) {
    remove(copy);
    if (copy.evicted) {
      eviction.accept(copy.key.file(), copy.key.offset());
    }
    return copy.evicted;
  }

  private void remove(Copy copy) {
    copies.remove(copy.key, copy);
    release(copy);
  }

  private static void release(Copy copy) {
    if (copy.leaves) {
      copy.key.file().release();
    }
  }

  /** Whether the block is in flight. */
  boolean isCopied(BlockKey key) {
    return copies.containsKey(key);
  }

  /**
   * Begins an eviction, before it reads any tier; the caller must {@link #endEviction}.
   *
   * @param toOffset the last offset of the range, inclusive
   */
  Eviction beginEviction(CacheFile file, long fromOffset, long toOffset) {
    Eviction eviction = new Eviction(file, fromOffset, toOffset);
    evictions.add(eviction);
    if (fromOffset == toOffset) {
      eviction.mark(copies.get(new BlockKey(file, fromOffset)));
    } else {
      copies.values().forEach(eviction::mark);
    }
    return eviction;
  }

  /** Ends an eviction that has gone through all tiers. */
  void endEviction(Eviction eviction) {
    evictions.remove(eviction);
  }
}
