// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import dev.terrace.api.BlockMemory;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.format.RegionEpoch;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.memory.RegionPins;
import dev.terrace.region.memory.WriteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One region of a device: its state, its readers, and how much of it is live.
 *
 * <p>Any thread may pin and unpin it, and change its counts. Only its log and the log's worker
 * change its state.
 */
public final class Region implements BlockMemory {

  public enum State {
    /** Not read since the restart: may have contents. */
    UNREAD,
    /** Recovery is adding its blocks to the index. It can be read, and is not reclaimed. */
    LOADING,
    /** Empty: can be opened for writing. */
    CLEAN,
    /** Takes records. */
    WRITING,
    /** Full, and to be written to the device. */
    FLUSHING,
    /** Written to the device, and unchanged until it is reclaimed. */
    SEALED,
    /** Its blocks are being evicted, or were evicted and are still being read. */
    RECLAIMING,
    /** Not used, because its part of the device fails. */
    QUARANTINED,
    /** Unused: beyond the device's current or target size. */
    RETIRED
  }

  /** Receives events of readers and evictions, on their threads. */
  interface Listener {

    /** Called when the last reader of a closed region is done. */
    void drained(Region region);

    /** Called when records became live; negative bytes if some no longer are. */
    void live(int recordBytes);

    /** Called when a region has lost its last block. */
    void emptied(Region region);

    /** Whether callers get copies instead of bytes in place, which would pin a region. */
    boolean copiesHits();
  }

  private static final int MAX_FAILED_READS = 3;

  /** The number in the tier, as used in addresses. */
  public final int number;

  /** The number on its device. */
  public final int slot;

  /** The device that it is on. */
  public final RegionDevice io;

  /** Its readers. Call {@link #tryPin} to add a pin. */
  public final RegionPins pins = new RegionPins();

  private final Listener listener;
  private final AtomicLong liveBytes = new AtomicLong();
  private final AtomicInteger liveBlocks = new AtomicInteger();
  private final AtomicLong unclaimedBytes = new AtomicLong();
  private volatile State state = State.UNREAD;
  private volatile WriteBuffer buffer;
  private volatile RegionEpoch life;
  private volatile long firstSequence;
  private volatile long lastSequence;
  private volatile long lastPutNanos;
  private volatile int failedReads;
  private volatile int filledBytes;
  private volatile boolean awaitsReaders;

  /** Used only by the worker. */
  private long passedAt;

  /** Used only by the worker. */
  private long movedSequence;

  /**
   * A region that has not been read yet.
   *
   * @param number the number in the tier
   * @param slot the number on its device
   */
  Region(int number, int slot, RegionDevice io, Listener listener) {
    this.number = number;
    this.slot = slot;
    this.io = io;
    this.listener = listener;
  }

  public State state() {
    return state;
  }

  public void state(State next) {
    state = next;
  }

  /** Keeps the region unchanged until {@link #free}. False if it is closed to readers. */
  public boolean tryPin() {
    return pins.tryPin();
  }

  /** Releases a pin. */
  @Override
  public void free() {
    if (pins.unpin()) {
      listener.drained(this);
    }
  }

  /**
   * Sets whether a reclaim waits for the region's readers. Until it is free or reclaimed, hits on
   * it are copies: the remaining pins are old ones, and those of copies in progress.
   */
  public void awaitsReaders(boolean isAwaited) {
    awaitsReaders = isAwaited;
  }

  /** Whether a reclaim waits for the region's readers. */
  public boolean awaitsReaders() {
    return awaitsReaders;
  }

  /** Whether callers get copies instead of bytes in place, which would pin the region. */
  public boolean copiesHits() {
    return awaitsReaders || listener.copiesHits();
  }

  /** The buffer of the bytes until they are on the device; null afterwards. */
  public WriteBuffer buffer() {
    return buffer;
  }

  public void buffer(WriteBuffer current) {
    buffer = current;
  }

  /** Begins a new life. */
  public void begin(long first) {
    failedReads = 0;
    awaitsReaders = false;
    unclaimedBytes.set(0);
    life = RegionEpoch.begin(io.device().secret());
    firstSequence = first;
    lastSequence = first;
  }

  /** The header of the present life. */
  public RegionLayout.Header header(long openedMillis) {
    return new RegionLayout.Header(slot, life, firstSequence, openedMillis);
  }

  /** Continues a life that an earlier process sealed. Call {@link #sealed} afterwards. */
  public void foundSealed(RegionEpoch earlier, long first, long last, long sealedNanos) {
    filledBytes = io.device().regionBytes();
    life = earlier;
    firstSequence = first;
    lastSequence = last;
    lastPutNanos = sealedNanos;
    pins.open();
    state = State.LOADING;
  }

  /** All is on the device, and the index has the region's blocks. */
  public void sealed() {
    state = State.SEALED;
    if (liveBlocks() == 0) {
      listener.emptied(this);
    }
  }

  /** The present life; null before there was one. */
  public RegionEpoch life() {
    return life;
  }

  public long firstSequence() {
    return firstSequence;
  }

  public long lastSequence() {
    return lastSequence;
  }

  /**
   * Postpones the reclaim of the region, because most of its blocks must stay: it counts as old as
   * one whose last record has this sequence. Lost at a restart.
   */
  public void passOver(long newestSequence) {
    passedAt = newestSequence;
  }

  /** The order in which regions are reclaimed, the least first. */
  public long age() {
    return Math.max(lastSequence, passedAt);
  }

  /** Whether a record with this sequence was written in the region's present life. */
  public boolean owns(long sequence) {
    return sequence >= firstSequence && sequence <= lastSequence;
  }

  /** Sets where the last record ends. */
  void filled(int end) {
    filledBytes = end;
  }

  /** Bytes up to the end of the last record, live or not; all bytes of a recovered region. */
  public int filledBytes() {
    return filledBytes;
  }

  /** When the last block was put, by {@link System#nanoTime}. */
  long lastPutNanos() {
    return lastPutNanos;
  }

  /** Remembers the latest record; under the lock of the open region. */
  void lastPut(long sequence, long nanos) {
    lastSequence = sequence;
    lastPutNanos = nanos;
  }

  /** Counts a block that the index now has here. */
  public void added(int recordBytes) {
    liveBytes.addAndGet(recordBytes);
    listener.live(recordBytes);
    liveBlocks.incrementAndGet();
  }

  /** Counts a block that the index no longer has here. */
  void removed(int recordBytes) {
    liveBytes.addAndGet(-recordBytes);
    listener.live(-recordBytes);
    if (liveBlocks.decrementAndGet() == 0) {
      listener.emptied(this);
    }
  }

  /** Bytes of the records that the index has here. */
  public long liveBytes() {
    return liveBytes.get();
  }

  public int liveBlocks() {
    return liveBlocks.get();
  }

  /** Adds bytes of files that have not been used since the restart; negative to subtract. */
  void unclaimed(int recordBytes) {
    unclaimedBytes.addAndGet(recordBytes);
  }

  /** What a reclaim would lose: live bytes of files that were used since the restart. */
  public long valuedBytes() {
    return Math.max(0, liveBytes.get() - Math.max(0, unclaimedBytes.get()));
  }

  /**
   * Records that a block moved from here to the record with this sequence. The block must stay here
   * until it is durable there, see {@link DeviceLog#isNeeded}. By the worker.
   */
  public void movedTo(long sequence) {
    movedSequence = sequence;
  }

  /**
   * The sequence of the last record that took a block from here and may be only in memory; or 0.
   */
  long movedSequence() {
    return movedSequence;
  }

  /** Counts a failed read. */
  public void readFailed() {
    int now = failedReads + 1;
    failedReads = now;
  }

  /** Whether enough reads have failed, since it was last opened, to empty the region. */
  public boolean isSuspect() {
    return failedReads >= MAX_FAILED_READS;
  }

  @Override
  public String toString() {
    return "region " + slot + " of " + io.device().path() + " (" + state + ")";
  }
}
