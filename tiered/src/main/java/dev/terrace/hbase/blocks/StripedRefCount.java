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
 * The reference count of a resident block, built for many threads that retain and release at the
 * same time.
 *
 * <p>It has no leak tracker. By default HBase tracks about one count in a hundred, and a tracked
 * count records a stack trace on every retain and release. For a buffer of one request that is a
 * sample; for a block that stays in memory and is hit a million times it is a fixed and arbitrary
 * penalty. So blocks are tracked only if somebody is looking for a leak: from the level {@code
 * advanced} on.
 */
final class StripedRefCount extends RefCnt implements BlockMemory.Holders {

  /*
   * The count begins as one number. When two threads collide on it while the tier holds a reference
   * of its own, it is striped: from then on a retain or a release adds to a cell, in a cache line
   * that the thread mostly has to itself. No thread can detect that a striped count reaches zero,
   * and none needs to while the tier holds its reference. Before the tier releases that, the cells
   * are drained into the one number for good.
   *
   *   one number --stripe--> striped --drain--> one number --last release, or end--> DEAD
   *
   *   stripe:  central += BIAS;  column = a new one;  cells = its set;
   *            ask the tier to drain before it lets go; if it is too late for that: drain
   *   drain:   cells = null (only the thread that found a set there continues);  close the column
   *            central += the sum of the column - BIAS
   *
   * The BIAS keeps the one number far above zero while some references are counted elsewhere, and
   * lets only one thread stripe. A closed cell redirects late readers to the one number. A thread
   * that stripes or drains holds a reference until it is done, so neither can make the count zero.
   *
   * The tier's release is central. retire sets EVICTING, then the tier's release reads
   * beforeRelease; a striping thread sets beforeRelease, then reads the state. At least one of them
   * sees the other and drains; if both try, one gets the set. A tier that found nothing to drain
   * releases centrally, and the striping thread drains while it still holds its reference.
   *
   * Nothing is lost. An addition to a cell either precedes the exchange that closes the cell, and
   * is in the sum; or it finds the cell closed and goes to the one number. Columns are never
   * reused, so the same holds for a thread with an old set.
   *
   * Never zero while references are elsewhere. BIAS is added before cells can be seen, and is taken
   * off in the addition that brings the sum. Afterwards the number is exact, and reaches zero only
   * by a central release: one compare-and-set from the last reference to DEAD frees the memory.
   *
   * Order. A reader's accesses precede its addition to a cell, which precedes the exchange, the
   * addition of the sum, and the release that frees.
   *
   * A surplus release goes unnoticed while striped, and makes the drained sum too small. If that is
   * not positive the count becomes DEAD, the tier's release throws, and the memory is never freed.
   */
  private static final int BIAS = 1 << 30;

  /** How often the retaining thread changes before a count is striped without a collision. */
  private static final int TURNS_BEFORE_STRIPING = 64;

  /** A sum may miss a reference that moves between cells; hardly this many in a row do. */
  private static final int SUMS = 3;

  /** Far enough below zero that late retains, which undo themselves, never raise it to zero. */
  private static final int DEAD = Integer.MIN_VALUE / 2;

  private static final VarHandle CENTRAL;
  private static final VarHandle CELLS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CENTRAL = lookup.findVarHandle(StripedRefCount.class, "central", int.class);
      CELLS = lookup.findVarHandle(StripedRefCount.class, "cells", long[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BlockMemory memory;
  private final RefCountStripes stripes;
  private volatile int central = 1;
  private volatile long[] cells;

  /** 0 until the count is striped; never changes afterwards. Read after {@link #cells}. */
  private byte column;

  private byte lastThread;
  private byte turns;

  /** Set before any reader has the count, or never. */
  private boolean disowned;

  /** The readers' copy. Weak, so the collector clears it once no reader has it. */
  private volatile WeakReference<HFileBlock> heapCopy;

  /**
   * A count of one.
   *
   * @param memory freed by the last release
   * @param stripes where the count gets cells once it is contended
   */
  StripedRefCount(BlockMemory memory, RefCountStripes stripes) {
    super(ByteBuffAllocator.NONE);
    this.memory = memory;
    this.stripes = stripes;
  }

  /**
   * The count for readers, which the memory is given: this one, or one that HBase tracks and whose
   * last release frees the memory.
   */
  RefCnt forReaders() {
    boolean lookingForLeaks = ResourceLeakDetector.getLevel().compareTo(Level.SIMPLE) > 0;
    if (lookingForLeaks) {
      RefCnt tracked = RefCnt.create(this::free);
      memory.heldBy(references -> tracked.refCnt() > references);
      return tracked;
    }
    memory.heldBy(this);
    return this;
  }

  /** Leaves the memory to its owner: the last release does not free it. */
  void detach() {
    disowned = true;
  }

  private void free() {
    if (!disowned) {
      memory.free();
    }
  }

  /** The block's copy that readers share; null once no reader has it. */
  HFileBlock heapCopy() {
    WeakReference<HFileBlock> kept = heapCopy;
    return kept == null ? null : kept.get();
  }

  /** Shares a copy with later readers, for as long as one of them has it. */
  void keepHeapCopy(HFileBlock copy) {
    heapCopy = new WeakReference<>(copy);
  }

  /** True, so that HBase checks on each access that the block was not released too early. */
  @Override
  public boolean hasRecycler() {
    return true;
  }

  /** The references, or 1 for "at least one" while the count is striped. 0 only if all are gone. */
  @Override
  public int refCnt() {
    int count = central;
    return isBiased(count) ? 1 : Math.max(count, 0);
  }

  /**
   * As the interface says, but also true at the moment the count is striped or drained. While
   * threads release what others retain, a sum may overlook a reference: one thread retains in a
   * cell that was already read, another releases in one that was not. Hence several sums.
   */
  @Override
  public boolean exceeds(int references) {
    for (int i = 0; i < SUMS; i++) {
      long[] set = cells;
      long inCells = set == null ? BIAS : RefCountStripes.sum(set, column);
      // After the cells: a reader that retains here during the striping releases in a cell.
      int count = central;
      boolean isMoving = isBiased(count) != (set != null);
      if (isMoving || count - BIAS + inCells > references) {
        return true;
      }
    }
    return false;
  }

  /** A striped count is drained even if it does not end, because it was leased again at once. */
  @Override
  public boolean endUnlessShared() {
    if (exceeds(1)) {
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

  private StripedRefCount add(int references) {
    long[] set = cells;
    if (set == null || !RefCountStripes.add(set, column, references)) {
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
    recordTurn();
  }

  /** Racy on purpose: losing a turn delays the striping by one turn. */
  private void recordTurn() {
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
    return (set == null || !RefCountStripes.add(set, column, -references))
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
          free();
        }
        return last;
      }
      stripe();
      count = central;
    }
  }

  /** Stripes the count if possible, unless it ever was. The caller holds a reference. */
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
    int taken = RefCountStripes.take(set);
    if (taken == 0) {
      return false;
    }
    column = (byte) taken;
    cells = set;
    if (!memory.beforeTierRelease(this::drain)) {
      drain();
    }
    return true;
  }

  /**
   * Moves the sum of the cells back into the one number. The caller or the tier holds a reference.
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
      // Not positive: there was a surplus release, and a reader may be without a reference. Do not
      // free the memory then; the caller's own release, which comes next, throws.
    } while (!CENTRAL.compareAndSet(this, count, count + change > 0 ? count + change : DEAD));
  }
}
