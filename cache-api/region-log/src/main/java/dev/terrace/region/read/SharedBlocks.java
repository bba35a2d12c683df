// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockMemory;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.log.Residents;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;

/**
 * The decoded objects of the most-hit blocks of a mapped tier. All readers share them, so a hit
 * takes a reference instead of making an object. Their number is bounded.
 *
 * <p>Each object pins its region until its block is evicted, another object replaces it, or all
 * objects of the region are dropped. Any thread may call any method; none blocks.
 *
 * @param <B> the object that readers use
 */
public final class SharedBlocks<B> implements Residents.SharedObjects {

  /*
   * A set-associative table: a key's hash selects a set of WAYS adjacent slots. A new object takes
   * a free slot, or else the slot of an object that had no hit since the hits of the set were last
   * cleared.
   *
   * No lookup may find an object after its block's eviction has returned. An object enters its slot
   * as NEW, and lookups skip it. Then its thread asks the index whether the block is still there,
   * and if so makes the object LIVE. An eviction first removes the block from the index, and then
   * kills the block's objects in the set, NEW or LIVE. If it scanned the set before the object was
   * in its slot, the thread asks the index after the removal, and the answer is no.
   *
   * Between the two steps of an eviction, a reader may search for the object too early, and search
   * the index too late. It misses, but after it another lookup may find the object, or make it
   * LIVE. So a reader that misses in the index does the eviction's second step itself. From then on
   * no lookup finds the object.
   *
   * Once the object is in its slot, the thread also asks whether objects of the region may be
   * shared. To end the sharing, that answer first becomes no, and then removeRegions visits the
   * slots. So one of the two kills the object. A lookup concurrent with removeRegions either
   * retains the block before the table's reference goes, and holds the region until it releases the
   * block, or it fails, and makes an object of its own.
   */

  private static final int WAYS = 4;

  private final AtomicReferenceArray<Shared<B>> slots;
  private final int setMask;
  private final BlockCodec<B> codec;
  private final IntPredicate isShared;

  /**
   * An object in its slot. It stands between the block and its memory, so that the block's
   * reference count can ask whether this table holds a reference.
   */
  static final class Shared<B> implements BlockMemory {

    private static final int NEW = 0;
    private static final int LIVE = 1;
    private static final int DEAD = 2;

    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    private static final AtomicIntegerFieldUpdater<Shared> STATE =
        AtomicIntegerFieldUpdater.newUpdater(Shared.class, "state");

    /** The block's index entry from before it was read. */
    final IndexEntry entry;

    final BlockTraits traits;
    private final CacheFile file;
    private final long offset;
    private final BlockMemory memory;
    private B block;
    private volatile Runnable beforeRelease;
    private volatile int state = NEW;
    private boolean hit;
    private int touches;

    /**
     * An entry without its object yet.
     *
     * @param entry the block's index entry from before it was read
     * @param memory the block's memory
     */
    Shared(IndexEntry entry, BlockMemory memory) {
      this.entry = entry;
      this.file = entry.file();
      this.offset = entry.offset();
      this.traits = entry.traits();
      this.memory = memory;
    }

    B block() {
      return block;
    }

    private int region() {
      return BlockAddress.region(entry.address());
    }

    private boolean isOf(CacheFile wantedFile, long wantedOffset) {
      return offset == wantedOffset && file.equals(wantedFile);
    }

    @Override
    public void free() {
      memory.free();
    }

    /** This and {@link #die} each write their own field before they read the other's. */
    @Override
    public boolean beforeTierRelease(Runnable action) {
      beforeRelease = action;
      return state == LIVE;
    }

    private boolean die() {
      if (STATE.getAndSet(this, DEAD) == DEAD) {
        return false;
      }
      Runnable action = beforeRelease;
      if (action != null) {
        action.run();
      }
      return true;
    }

    /** Whether this hit is one of the first few of the object. Racy: only a hint. */
    boolean isEarlyTouch(int early) {
      if (!hit) {
        hit = true;
      }
      if (touches >= early) {
        return false;
      }
      touches++;
      return true;
    }
  }

  /**
   * A table without objects.
   *
   * @param capacity largest number of objects, a power of two
   * @param isShared whether objects of the region with this number may be shared
   */
  public SharedBlocks(BlockCodec<B> codec, int capacity, IntPredicate isShared) {
    this.codec = codec;
    this.isShared = isShared;
    this.slots = new AtomicReferenceArray<>(capacity);
    this.setMask = capacity / WAYS - 1;
  }

  private int firstSlot(CacheFile file, long offset) {
    return ((int) BlockKey.hash(file, offset) & setMask) * WAYS;
  }

  /** The object of a block with one more reference; null if there is none. */
  Shared<B> find(CacheFile file, long offset) {
    int first = firstSlot(file, offset);
    for (int i = first; i < first + WAYS; i++) {
      Shared<B> shared = slots.getAcquire(i);
      if (shared != null && shared.isOf(file, offset)) {
        boolean found = shared.state == Shared.LIVE && codec.tryRetain(shared.block);
        return found ? shared : null;
      }
    }
    return null;
  }

  /**
   * Shares a decoded object.
   *
   * @param shared a new one, not in the table
   * @param block its object, of which this table takes over one reference
   */
  void share(Shared<B> shared, B block, RegionIndex index) {
    shared.block = block;
    int first = firstSlot(shared.file, shared.offset);
    int slot = -1;
    for (int i = first; i < first + WAYS; i++) {
      Shared<B> there = slots.get(i);
      if (there == null) {
        slot = slot < 0 ? i : slot;
      } else if (there.isOf(shared.file, shared.offset)) {
        kill(shared);
        return;
      }
    }
    Shared<B> victim = null;
    if (slot < 0) {
      slot = coldest(first);
      victim = slot < 0 ? null : slots.get(slot);
    }
    if (slot < 0 || !slots.compareAndSet(slot, victim, shared)) {
      kill(shared);
      return;
    }
    if (victim != null) {
      kill(victim);
    }
    if (!index.isCurrent(shared.entry) || !isShared.test(shared.region())) {
      take(slot, shared);
    } else {
      Shared.STATE.compareAndSet(shared, Shared.NEW, Shared.LIVE);
    }
  }

  private int coldest(int first) {
    for (int i = first; i < first + WAYS; i++) {
      Shared<B> there = slots.get(i);
      if (there != null && !there.hit) {
        return i;
      }
    }
    for (int i = first; i < first + WAYS; i++) {
      Shared<B> there = slots.get(i);
      if (there != null) {
        there.hit = false;
      }
    }
    return -1;
  }

  @Override
  public void remove(CacheFile file, long offset) {
    int first = firstSlot(file, offset);
    for (int i = first; i < first + WAYS; i++) {
      Shared<B> there = slots.get(i);
      if (there != null && there.isOf(file, offset)) {
        take(i, there);
      }
    }
  }

  @Override
  public void removeRegions(IntPredicate regions) {
    for (int i = 0; i < slots.length(); i++) {
      Shared<B> there = slots.get(i);
      if (there != null && regions.test(there.region())) {
        take(i, there);
      }
    }
  }

  private void take(int slot, Shared<B> shared) {
    slots.compareAndSet(slot, shared, null);
    kill(shared);
  }

  private void kill(Shared<B> shared) {
    if (shared.die()) {
      codec.release(shared.block);
    }
  }
}
