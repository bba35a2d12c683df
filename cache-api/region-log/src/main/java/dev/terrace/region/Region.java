/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region;

import dev.terrace.api.BlockMemory;
import dev.terrace.region.device.CallerReads;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionLife;
import dev.terrace.region.memory.WriteBuffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One region of a device: what state it is in, who reads it, and how much of it is alive.
 *
 * <p>Any thread may pin and unpin it and change its counts; only its log and the log's worker move
 * it from state to state.
 */
final class Region implements CallerReads.Pinned {

  /** What a region is used for. */
  enum State {
    /** Not looked at since the restart: may hold something. */
    UNREAD,
    /** Holds something, which the index is being told: can be read, and stays as it is. */
    LOADING,
    /** Empty: can be opened for writing. */
    CLEAN,
    /** Takes records. */
    WRITING,
    /** Full; on its way to the device. */
    FLUSHING,
    /** Full and on the device; unchanged until it is reclaimed. */
    SEALED,
    /** Its blocks leave, or have left and are still being read. */
    RECLAIMING,
    /** Out of use, because its part of the device fails. */
    QUARANTINED
  }

  /** Told of what readers and evictions bring about, and asked by readers, on their threads. */
  interface Listener {

    /** The last reader of a region has left that was closed to readers. */
    void drained(Region region);

    /** The last block of a region is not found there any more. */
    void died();

    /** Whether callers get copies in place of bytes in memory, which would hold a region. */
    boolean areHitsCopies();
  }

  private static final int FAILURES_BEFORE_QUARANTINE = 3;

  /** The number in the tier: what addresses name. */
  final int number;

  /** The number on its device. */
  final int slot;

  /** The device on which it lies. */
  final RegionDevice io;

  private final Listener listener;
  private final RegionPins pins = new RegionPins();
  private final Pin lowPin = new Pin(RegionPins.LOW);
  private final Pin highPin = new Pin(RegionPins.HIGH);
  private final AtomicLong liveBytes = new AtomicLong();
  private final AtomicInteger liveBlocks = new AtomicInteger();
  private final AtomicLong unclaimedBytes = new AtomicLong();
  private volatile State state = State.UNREAD;
  private volatile WriteBuffer buffer;
  private volatile RegionLife life;
  private volatile long firstSequence;
  private volatile long lastSequence;
  private volatile long lastPutNanos;
  private volatile int failures;

  /** Used by the worker alone. */
  private final List<Successor> successors = new ArrayList<>();

  /** An open region in the life in which it took blocks from here. */
  private record Successor(Region region, long firstSequence) {

    boolean isWritten() {
      State now = region.state;
      return region.firstSequence != firstSequence
          || (now != State.WRITING && now != State.FLUSHING);
    }
  }

  /** What keeps the region as it is until it is freed, once for each {@link #tryPin}. */
  final class Pin implements BlockMemory {

    private final long pin;

    private Pin(long pin) {
      this.pin = pin;
    }

    @Override
    public void free() {
      if (pins.unpin(pin)) {
        listener.drained(Region.this);
      }
    }
  }

  /**
   * A region that nobody has looked at.
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

  State state() {
    return state;
  }

  void state(State next) {
    state = next;
  }

  /** Keeps the region as it is until the pin is freed. Null if its blocks have left. */
  @Override
  public Pin tryPin() {
    long pin = pins.tryPin();
    if (pin == RegionPins.NONE) {
      return null;
    }
    return pin == RegionPins.LOW ? lowPin : highPin;
  }

  /** Admits readers. */
  void openToReaders() {
    pins.open();
  }

  /**
   * Admits no more readers. True if there are none any more; else the last one tells the listener.
   */
  boolean closeToReaders() {
    return pins.close();
  }

  /** Admits no more readers, if any were admitted. */
  void shutOut() {
    pins.shutOut();
  }

  /** Whether callers get copies in place of bytes in memory, which would hold the region. */
  boolean areHitsCopies() {
    return listener.areHitsCopies();
  }

  /** Whether blocks are being read. */
  boolean isPinned() {
    return pins.isPinned();
  }

  /** Makes the present pins old ones. Nothing while old ones are left. */
  void turnPins() {
    pins.turn();
  }

  /** Whether a pin from before the last {@link #turnPins} is left. */
  boolean hasOldPins() {
    return pins.hasOld();
  }

  /** Whether blocks that left are still being read. */
  boolean isLeased() {
    return pins.isLeased();
  }

  /** Where the bytes are until they are on the device; null once they are. */
  WriteBuffer buffer() {
    return buffer;
  }

  void buffer(WriteBuffer current) {
    buffer = current;
  }

  /** Begins a new life. */
  void begin(long first) {
    life = RegionLife.begin(io.device().secret());
    firstSequence = first;
    lastSequence = first;
  }

  /** What a region begins with in its present life. */
  RegionLayout.Header header(long openedMillis) {
    return new RegionLayout.Header(slot, life, firstSequence, openedMillis);
  }

  /** Notes that all of it was written. */
  void written() {
    failures = 0;
  }

  /** Goes on with a life that began in an earlier process. */
  void found(RegionLife earlier, long first, long last) {
    life = earlier;
    firstSequence = first;
    lastSequence = last;
  }

  /** Goes on with what was sealed in an earlier process; to be followed by {@link #loaded}. */
  void foundSealed(RegionLife earlier, long first, long last, long sealedNanos) {
    found(earlier, first, last);
    lastPutNanos = sealedNanos;
    openToReaders();
    state = State.LOADING;
  }

  /** Notes that the index has what is to be found here. */
  void loaded() {
    state = State.SEALED;
  }

  /** The present life; null before there was one. */
  RegionLife life() {
    return life;
  }

  long firstSequence() {
    return firstSequence;
  }

  long lastSequence() {
    return lastSequence;
  }

  /** Whether a record with this sequence was written in the region's present life. */
  boolean owns(long sequence) {
    return sequence >= firstSequence && sequence <= lastSequence;
  }

  /** When the last block was put, by {@link System#nanoTime}. */
  long lastPutNanos() {
    return lastPutNanos;
  }

  /** Notes a record; under the lock of the open region. */
  void lastPut(long sequence, long nanos) {
    lastSequence = sequence;
    lastPutNanos = nanos;
  }

  /** Counts a block that the index finds here. */
  void added(int recordBytes) {
    liveBytes.addAndGet(recordBytes);
    liveBlocks.incrementAndGet();
  }

  /** Counts a block that the index does not find here any more. */
  void removed(int recordBytes) {
    liveBytes.addAndGet(-recordBytes);
    if (liveBlocks.decrementAndGet() == 0) {
      listener.died();
    }
  }

  /** Bytes of the records that the index finds here. */
  long liveBytes() {
    return liveBytes.get();
  }

  int liveBlocks() {
    return liveBlocks.get();
  }

  /** Notes bytes of a file of which nobody has said since the restart that it exists. */
  void unclaimed(int recordBytes) {
    unclaimedBytes.addAndGet(recordBytes);
  }

  /** What a reclaim would lose: the live bytes of files that are known to exist. */
  long valuedBytes() {
    return Math.max(0, liveBytes.get() - Math.max(0, unclaimedBytes.get()));
  }

  void forgetUnclaimed() {
    unclaimedBytes.set(0);
  }

  /** Notes that blocks which lay here lie in an open region now, and here until that is sealed. */
  void movedTo(Region open) {
    if (successors.isEmpty() || successors.get(successors.size() - 1).region != open) {
      successors.add(new Successor(open, open.firstSequence));
    }
  }

  /** Whether what was moved from here could be lost with the process, but for what lies here. */
  boolean isNeeded() {
    successors.removeIf(Successor::isWritten);
    return !successors.isEmpty();
  }

  /** Forgets the failures: they were the device's. */
  void forgive() {
    failures = 0;
  }

  /** Counts a write that failed, unless it is the whole device that lacks space. */
  void writeFailed(IOException cause) {
    if (!DeviceHealth.isNoSpace(cause)) {
      failed();
    }
  }

  /** How often reading or writing it failed since it was written last, this time included. */
  int failed() {
    int now = failures + 1;
    failures = now;
    return now;
  }

  /** Whether it failed so often that it is to be emptied and used no more. */
  boolean isDistrusted() {
    return failures >= FAILURES_BEFORE_QUARANTINE;
  }

  @Override
  public String toString() {
    return "region " + slot + " of " + io.device().path() + " (" + state + ")";
  }
}
