// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.BlockMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hbase.thirdparty.io.netty.util.IllegalReferenceCountException;
import org.apache.hbase.thirdparty.io.netty.util.ReferenceCounted;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector.Level;

/**
 * The count of a resident block's holders. Built for many threads that retain and release at the
 * same time.
 *
 * <p>It has no leak tracker. By default HBase tracks about one count in a hundred, and a tracked
 * one takes a stack trace on every retain and release. For a buffer of one request that is a
 * sample; for a block that stays in memory and is hit a million times it is a fixed and arbitrary
 * penalty. So blocks are tracked only where somebody is looking for a leak: from the level {@code
 * advanced} on.
 */
final class LeaseCount extends RefCnt implements BlockMemory.Holders {

  /*
   * The count begins as one number. When two threads meet on it while the tier holds a reference of
   * its own, it is striped: from then on a retain or a release is an addition to a cell in a line that
   * the thread mostly has to itself. No thread could detect that a striped count reached zero. None needs to while the tier holds its
   * reference. Before the tier releases it, the cells are drained into the one number for good.
   *
   *   one number --stripe--> striped --drain--> one number --last release, or end--> DEAD
   *
   *   stripe:  central += BIAS;  column = a new one;  cells = its set;
   *            have the tier drain before it lets go; if it is too late for that: drain
   *   drain:   cells = null (the thread that finds them goes on);  close the column
   *            central += the sum of the column - BIAS
   *
   * The BIAS keeps the one number far above zero while some references are counted elsewhere, and
   * lets only one thread stripe. A closed cell redirects late readers to the one number. A thread
   * that stripes or drains holds a reference until it is done, so neither can make the count zero.
   *
   * The tier's release is central. retire sets EVICTING, then letGo reads lettingGo; a striping thread
   * sets lettingGo, then reads the state. One sees the other and drains, or both try and one gets the
   * set. A tier that found nothing to drain releases centrally, and the striping thread drains while it
   * still holds its reference.
   *
   * Nothing is lost. An addition to a cell precedes the exchange that closes it, and is in the sum; or
   * it finds the cell closed and goes to the one number. Columns are never reused, so that holds for a
   * thread with an old set, too.
   *
   * Never zero while references are elsewhere. BIAS is added before cells can be seen, and is taken off
   * in the addition that brings the sum. Afterwards the number is exact, and reaches zero only by a
   * central release: one compare-and-set from the last reference to DEAD frees the memory.
   *
   * Order. A reader's accesses precede its addition to a cell, which precedes the exchange, the addition
   * of the sum, and the release that frees.
   *
   * A surplus release goes unnoticed while striped, and makes the drained sum too small. If that is not
   * positive the count is DEAD, the tier's release throws, and the memory is never freed.
   */
  private static final int BIAS = 1 << 30;

  /** How often the retaining thread changes before a count is striped that nobody collided on. */
  private static final int TURNS_BEFORE_STRIPING = 64;

  /**
   * One sum may miss a reference whose cell changed before it was read; hardly so many in a row.
   */
  private static final int SUMS = 3;

  /** So far below zero that late retains, which take themselves back, do not reach it. */
  private static final int DEAD = Integer.MIN_VALUE / 2;

  private static final VarHandle CENTRAL;
  private static final VarHandle CELLS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CENTRAL = lookup.findVarHandle(LeaseCount.class, "central", int.class);
      CELLS = lookup.findVarHandle(LeaseCount.class, "cells", long[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BlockMemory memory;
  private final LeaseStripes stripes;
  private volatile int central = 1;
  private volatile long[] cells;

  /** 0 until the count is striped; does not change afterwards. Read after {@link #cells}. */
  private byte column;

  private byte lastThread;
  private byte turns;

  /** Of the block, as long as a reader has it: collections clear it. */
  private volatile WeakReference<HFileBlock> heapCopy;

  LeaseCount(BlockMemory memory, LeaseStripes stripes) {
    super(ByteBuffAllocator.NONE);
    this.memory = memory;
    this.stripes = stripes;
  }

  /**
   * A count of one.
   *
   * @param memory freed with the last reference; learns the count
   * @param stripes where the count gets cells once it is contended
   */
  static RefCnt over(BlockMemory memory, LeaseStripes stripes) {
    boolean lookingForLeaks = ResourceLeakDetector.getLevel().compareTo(Level.SIMPLE) > 0;
    if (lookingForLeaks) {
      RefCnt tracked = RefCnt.create(memory::free);
      memory.heldBy(references -> tracked.refCnt() > references);
      return tracked;
    }
    LeaseCount count = new LeaseCount(memory, stripes);
    memory.heldBy(count);
    return count;
  }

  /** The copy of the block that readers share; null if none has one any more. */
  HFileBlock heapCopy() {
    WeakReference<HFileBlock> kept = heapCopy;
    return kept == null ? null : kept.get();
  }

  /** Keeps a copy for later readers, as long as one of them has it. */
  void keepHeapCopy(HFileBlock copy) {
    heapCopy = new WeakReference<>(copy);
  }

  /** True, so that HBase checks at each access that the block was not released too early. */
  @Override
  public boolean hasRecycler() {
    return true;
  }

  /** The references; while the count is striped, 1 for "at least one". 0 only if all are gone. */
  @Override
  public int refCnt() {
    int count = central;
    if (isBiased(count)) {
      return 1;
    }
    return Math.max(count, 0);
  }

  /**
   * The same, and true in the moment in which the count is striped or drained. While threads
   * release what others retain, a reference may be overlooked: one thread retains in a cell that
   * was read already, another releases in one that was not. Hence several sums.
   */
  @Override
  public boolean areMoreThan(int references) {
    for (int i = 0; i < SUMS; i++) {
      long[] set = cells;
      long inCells = set == null ? BIAS : LeaseStripes.sum(set, column);
      // After the cells: a reader that retains here while the count is striped releases there.
      int count = central;
      boolean isMoving = isBiased(count) != (set != null);
      if (isMoving || count - BIAS + inCells > references) {
        return true;
      }
    }
    return false;
  }

  /** No longer striped, if it was, even if it does not end: then it is leased again at once. */
  @Override
  public boolean endUnlessShared() {
    if (areMoreThan(1)) {
      return false;
    }
    drain();
    return CENTRAL.compareAndSet(this, 1, DEAD);
  }

  private static boolean isBiased(int central) {
    return central > BIAS / 2;
  }

  @Override
  public ReferenceCounted retain() {
    return add(1);
  }

  @Override
  public ReferenceCounted retain(int increment) {
    return add(requirePositive(increment));
  }

  @Override
  public boolean release() {
    return subtract(1);
  }

  @Override
  public boolean release(int decrement) {
    return subtract(requirePositive(decrement));
  }

  private static int requirePositive(int references) {
    if (references <= 0) {
      throw new IllegalArgumentException("references=" + references + " is not positive");
    }
    return references;
  }

  private LeaseCount add(int references) {
    long[] set = cells;
    if (set == null || !LeaseStripes.add(set, column, references)) {
      addCentrally(references);
    }
    return this;
  }

  private void addCentrally(int references) {
    int before = (int) CENTRAL.getAndAdd(this, references);
    if (before <= 0) {
      CENTRAL.getAndAdd(this, -references);
      throw new IllegalReferenceCountException(0, references);
    }
    noteTurn();
  }

  /** Racy on purpose: a lost turn is one more until the count is striped. */
  private void noteTurn() {
    byte thread = (byte) Thread.currentThread().getId();
    if (thread == lastThread) {
      return;
    }
    lastThread = thread;
    if (++turns >= TURNS_BEFORE_STRIPING) {
      turns = 0;
      stripe();
    }
  }

  private boolean subtract(int references) {
    long[] set = cells;
    return (set == null || !LeaseStripes.add(set, column, -references))
        && subtractCentrally(references);
  }

  private boolean subtractCentrally(int references) {
    int count = central;
    while (true) {
      if (count < references) {
        throw new IllegalReferenceCountException(Math.max(count, 0), -references);
      }
      boolean last = count == references;
      if (CENTRAL.compareAndSet(this, count, last ? DEAD : count - references)) {
        if (last) {
          memory.free();
        }
        return last;
      }
      stripe();
      count = central;
    }
  }

  /** Stripes the count, if it may be and was not before. The caller holds a reference. */
  void stripe() {
    long[] set = column == 0 ? stripes.open() : null;
    if (set == null || !bias()) {
      return;
    }
    if (column != 0 || !moveTo(set)) {
      CENTRAL.getAndAdd(this, -BIAS);
    }
  }

  boolean isStriped() {
    return cells != null;
  }

  private boolean bias() {
    for (int count = central; !isBiased(count); count = central) {
      if (CENTRAL.compareAndSet(this, count, count + BIAS)) {
        return true;
      }
    }
    return false;
  }

  private boolean moveTo(long[] set) {
    int taken = LeaseStripes.take(set);
    if (taken == 0) {
      return false;
    }
    column = (byte) taken;
    cells = set;
    if (!memory.beforeLettingGo(this::drain)) {
      drain();
    }
    return true;
  }

  /**
   * Brings what is counted in cells back into the one number. The caller or the tier holds a
   * reference.
   */
  private void drain() {
    long[] set = (long[]) CELLS.getAndSet(this, null);
    if (set == null) {
      return;
    }
    int change = (int) (stripes.close(set, column) - BIAS);
    int count;
    do {
      count = central;
      // Not positive: somebody released once too often, and a reader may be without a reference.
      // The memory is not freed then; the caller's own release, which comes next, throws.
    } while (!CENTRAL.compareAndSet(this, count, count + change > 0 ? count + change : DEAD));
  }
}
