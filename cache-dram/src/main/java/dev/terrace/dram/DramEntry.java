// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockMemory;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.dram.PageAllocator.PageRun;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;

/**
 * A block of the DRAM tier: its memory, and, while it has one, the decoded object that its readers
 * share (see {@link SharedObjects}).
 */
final class DramEntry<B> extends ClockNode implements BlockMemory {

  /*
   *   RESERVED --publish--> RESIDENT --retire--> EVICTING --evicted--> GONE
   *       \-----------------retire-------------------------------------/
   *
   * RESERVED: known to the policy, which may evict it already; its memory belongs to the thread
   * that puts it. RESIDENT: the tier owns the memory; if there is a decoded object, the tier holds
   * one of its references. EVICTING: the thread that made this transition from RESIDENT passes the
   * block to the demotion target, removes it from the index, calls evicted and gives the memory or
   * the reference back; no other thread does.
   *
   * The object is made and dropped under the entry's monitor, and only while the entry is RESERVED
   * or RESIDENT. RESIDENT also ends under the monitor, so after that only the evicting thread makes
   * an object.
   *
   * Why no reader sees another block's bytes: a reader reads nothing before its tryRetain has
   * succeeded. The last release frees the memory; if there is no object, the evicting thread frees
   * it. A count never rises from zero, and each object has a count of its own that is never reused.
   * The bytes are written before the release store that publishes the entry in its slot, and
   * readers load the slot with acquire. A thread that reuses the memory got it through the
   * allocator's monitor, which the last releaser entered after its atomic decrement.
   */
  private static final int RESERVED = 0;
  private static final int RESIDENT = 1;
  private static final int EVICTING = 2;
  private static final int GONE = 3;

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicIntegerFieldUpdater<DramEntry> STATE =
      AtomicIntegerFieldUpdater.newUpdater(DramEntry.class, "state");

  final CacheFile file;
  final long offset;
  final int sizeBytes;
  final BlockTraits traits;
  private final Consumer<? super PageRun> freed;
  private final long putNanos;
  private final byte type;

  /** The format of the bytes, as the block's codec numbers it. */
  private short format;

  // The memory's first run, as fields: this saves an object per block.
  private int firstPage;
  private PageRun furtherRuns;

  /** Written under the monitor. A read without it may be stale. */
  private B block;

  private Holders holders;
  private volatile int state;
  private volatile Runnable beforeRelease;

  /**
   * A reserved entry.
   *
   * @param freed receives the memory once the block's last reference is released
   * @param minPages minimum weight of the entry
   */
  DramEntry(
      Consumer<? super PageRun> freed,
      BlockKey key,
      int sizeBytes,
      int minPages,
      BlockTraits traits,
      long putNanos) {
    super(
        BlockKey.hash(key.file(), key.offset()),
        Math.max(minPages, PageAllocator.pagesFor(sizeBytes)));
    this.freed = freed;
    this.file = key.file();
    this.offset = key.offset();
    this.sizeBytes = sizeBytes;
    this.traits = traits;
    this.type = (byte) traits.type();
    this.putNanos = putNanos;
  }

  /** The block's type, for counting hits. Kept here to spare a hit one dependent load. */
  int type() {
    return type;
  }

  int pages() {
    return PageAllocator.pagesFor(sizeBytes);
  }

  /** The decoded object; null while there is none. */
  B block() {
    return block;
  }

  short format() {
    return format;
  }

  PageRun memory() {
    int further = furtherRuns == null ? 0 : furtherRuns.allPages();
    return new PageRun(firstPage, pages() - further, furtherRuns);
  }

  /** Sets the memory and the format of its bytes, before the entry is published. */
  void fill(PageRun runs, short formatOfBytes) {
    firstPage = runs.firstPage();
    furtherRuns = runs.next();
    format = formatOfBytes;
  }

  /**
   * Sets the decoded object, to which the tier holds one reference. Called under the monitor,
   * before the entry is published, or by the thread that evicts it.
   */
  void keep(B decoded) {
    block = decoded;
  }

  /**
   * Drops the decoded object, if only the tier holds it. Called under the monitor, or before the
   * entry is published.
   *
   * @return whether it was dropped
   */
  boolean dropObject() {
    Holders counted = holders;
    if (isGone() || counted == null || !counted.endUnlessShared()) {
      return false;
    }
    block = null;
    holders = null;
    beforeRelease = null;
    return true;
  }

  boolean publish() {
    return STATE.compareAndSet(this, RESERVED, RESIDENT);
  }

  /**
   * Ends the entry's life. The memory of a reserved entry is freed by the thread that puts it.
   *
   * @return true for the one caller that found it resident: it must call {@link
   *     #releaseTierReference}, then {@link #evicted} even after a failure, and give back the
   *     memory or the tier's reference
   */
  synchronized boolean retire() {
    return !STATE.compareAndSet(this, RESERVED, GONE)
        && STATE.compareAndSet(this, RESIDENT, EVICTING);
  }

  /** Prepares the release of the tier's reference, after {@link #retire}. */
  void releaseTierReference() {
    Runnable action = beforeRelease;
    if (action != null) {
      action.run();
    }
  }

  /** Marks the entry as gone; called by the thread that retired the resident entry. */
  synchronized void evicted() {
    state = GONE;
    notifyAll();
  }

  /** Waits for the thread that retired the entry to call {@link #evicted}. */
  synchronized void awaitEvicted() {
    boolean wasInterrupted = false;
    while (state == EVICTING) {
      try {
        wait();
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the entry is being evicted or is gone. */
  boolean isGone() {
    return state >= EVICTING;
  }

  BlockInfo info() {
    return new BlockInfo(new BlockKey(file, offset), sizeBytes, traits, putNanos);
  }

  /** When it was put, as by {@link System#nanoTime}. */
  long putNanos() {
    return putNanos;
  }

  /** Whether a reader holds the block. During an eviction the tier's reference may count as one. */
  boolean isLeased() {
    Holders counted = holders;
    return counted != null && counted.exceeds(isGone() ? 0 : 1);
  }

  @Override
  public void heldBy(Holders counted) {
    holders = counted;
  }

  @Override
  public void free() {
    freed.accept(memory());
  }

  /**
   * Dekker's pattern with {@link #retire}: each writes its own field before it reads the other's.
   * So at least one sees the other's write, and one or both of them run the action.
   */
  @Override
  public boolean beforeTierRelease(Runnable action) {
    beforeRelease = action;
    return state == RESIDENT;
  }
}
