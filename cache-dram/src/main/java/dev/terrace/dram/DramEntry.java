// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockMemory;
import dev.terrace.api.BlockTraits;
import dev.terrace.dram.PageAllocator.PageRun;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
   * RESERVED: known to the policy, which may evict it already; its memory belongs to the thread that
   * puts it. RESIDENT: the tier owns the memory; if there is a decoded object, the tier holds one of its
   * references. EVICTING: the thread that made this transition from RESIDENT passes the block to the
   * demotion target, removes it from the index, calls evicted and gives the memory or the reference
   * back; no other thread does.
   *
   * The object comes and goes under the entry's monitor, and only while the entry is RESERVED or RESIDENT.
   * RESIDENT ends under the monitor, too. So after that only the evicting thread makes an object.
   *
   * Why no reader sees another block's bytes: it reads nothing before tryRetain succeeded. The last
   * release frees the memory, or the evicting thread if there is no object. A count never rises from
   * zero, and each object has one of its own, which is not reused. The bytes are written before the
   * release store that publishes the entry in its slot, and readers load the slot with acquire. Whoever
   * reuses memory got it through the allocator's monitor, which the last releaser entered after its
   * atomic decrement.
   */
  private static final int RESERVED = 0;
  private static final int RESIDENT = 1;
  private static final int EVICTING = 2;
  private static final int GONE = 3;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(DramEntry.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final String file;
  final long offset;
  final int sizeBytes;
  final BlockTraits traits;
  private final Consumer<? super PageRun> freed;
  private final long putNanos;
  private final byte type;

  /** What the block's codec calls the format of its bytes. */
  private short format;

  // The memory's first run, in parts: an object less for each block.
  private int firstPage;
  private PageRun furtherRuns;

  /** Changes under the monitor. Others may look too early or too late. */
  private B block;

  private Holders holders;
  private volatile int state;
  private volatile Runnable lettingGo;

  /**
   * A reserved entry.
   *
   * @param freed receives the memory when the block's last reference was released
   * @param leastPages what the entry weighs at least
   */
  DramEntry(
      Consumer<? super PageRun> freed,
      BlockKey key,
      int sizeBytes,
      int leastPages,
      BlockTraits traits,
      long putNanos) {
    super(
        BlockKey.hash(key.file(), key.offset()),
        Math.max(leastPages, PageAllocator.pagesFor(sizeBytes)));
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

  /** The pages that the block takes. */
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

  /** Sets the memory and the format of what it will have, before the entry is published. */
  void occupy(PageRun runs, short formatOfBytes) {
    firstPage = runs.firstPage();
    furtherRuns = runs.next();
    format = formatOfBytes;
  }

  /**
   * Sets the decoded object, of which the tier has one reference. Under the monitor, or before the
   * entry is published, or by the thread that evicts it.
   */
  void keep(B decoded) {
    block = decoded;
  }

  /**
   * Lets go of the decoded object, if nobody but the tier holds it. Under the monitor, or before
   * the entry is published.
   *
   * @return whether there is none any more
   */
  boolean dropObject() {
    Holders counted = holders;
    if (isGone() || counted == null || !counted.endUnlessShared()) {
      return false;
    }
    block = null;
    holders = null;
    lettingGo = null;
    return true;
  }

  /** Makes the entry resident, unless it is gone already. */
  boolean publish() {
    return STATE.compareAndSet(this, RESERVED, RESIDENT);
  }

  /**
   * Ends the entry's life. The thread that puts a reserved entry frees its memory.
   *
   * @return true for the one caller that found it resident: it calls {@link #letGo}, whatever
   *     happens then {@link #evicted}, and gives back the memory or the tier's reference
   */
  synchronized boolean retire() {
    return !STATE.compareAndSet(this, RESERVED, GONE)
        && STATE.compareAndSet(this, RESIDENT, EVICTING);
  }

  /** Prepares the release of the tier's reference, after {@link #retire}. */
  void letGo() {
    Runnable action = lettingGo;
    if (action != null) {
      action.run();
    }
  }

  /** Marks the entry as gone; called by the thread that retired the resident entry. */
  void evicted() {
    state = GONE;
  }

  /** Waits for the thread that retired the entry to call {@link #evicted}. */
  void awaitEvicted() {
    while (state == EVICTING) {
      Thread.onSpinWait();
    }
  }

  /** Whether the entry is being evicted or gone. */
  boolean isGone() {
    return state >= EVICTING;
  }

  BlockInfo info() {
    return new BlockInfo(new BlockKey(file, offset), sizeBytes, traits, putNanos);
  }

  /**
   * Whether a reader holds the block. While the entry is evicted, the tier may pass for a reader.
   */
  boolean isLeased() {
    Holders counted = holders;
    return counted != null && counted.areMoreThan(isGone() ? 0 : 1);
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
   * Dekker's pattern with {@link #retire}: each writes its field before it reads the other's. So at
   * least one of them sees the other, and one of them or both run the action.
   */
  @Override
  public boolean beforeLettingGo(Runnable action) {
    lettingGo = action;
    return state == RESIDENT;
  }
}
