// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.Tombstones;
import dev.terrace.region.format.Sequence;
import dev.terrace.region.format.TombstoneList.Eviction;
import dev.terrace.region.log.Region.State;
import dev.terrace.region.log.RegionWriter.Reservation;
import dev.terrace.region.memory.WriteBuffer;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * The log on one device: its regions, and the open one, which takes new records.
 *
 * <p>Any thread may reserve space, under a short lock and without I/O. The device's worker does all
 * I/O.
 */
public final class DeviceLog implements Region.Listener {

  /*
   * Life of a region:
   *
   *   UNREAD -> RECLAIMING, LOADING  by the worker, when it can be read after a restart
   *   LOADING -> SEALED    by the worker, when the index has the region's blocks
   *   CLEAN -> WRITING     in nextOpen, under this lock, when the open region is full
   *   WRITING -> FLUSHING  when the last writer of an ended region is done
   *   FLUSHING -> SEALED   by the worker, when the footer is durable
   *   SEALED -> RECLAIMING by the worker, when clean regions run short; the reclaimer empties it
   *   RECLAIMING -> CLEAN  by the worker, after the last reader has left (drained)
   *   FLUSHING -> RECLAIMING  by the worker, when it cannot be written and another one can
   *   any -> QUARANTINED   by the worker, instead of CLEAN, when it cannot be written
   *   any -> RETIRED       by the worker, when it is empty and beyond the device's size
   */

  /** A device has room while its live bytes are less than this share of the reclaimable ones. */
  private static final double FILLED = 0.8;

  private final RegionDevice io;
  private final TierRegions numbers;
  private final LogContext context;
  private final Runnable wake;
  private final Sequence sequence;
  private final FreeRegions free;
  private final Tombstones evictions;

  /**
   * Regions that were opened and are neither sealed nor lost: the open one, ended ones that still
   * have writers, and those to be sealed, which are {@code FLUSHING}.
   */
  private final Queue<RegionWriter> unsealed = new ConcurrentLinkedQueue<>();

  private final LongAdder liveBytes = new LongAdder();

  /** Regions that were closed while readers held them, and still are held. */
  private final AtomicInteger leased = new AtomicInteger();

  private volatile Region[] regions = {};
  private volatile RegionWriter open;
  private volatile boolean hitsAreCopies;
  private volatile boolean closing;

  /**
   * A log whose regions have not been read yet.
   *
   * @param numbers receives the device's regions
   * @param wake wakes the worker
   */
  public DeviceLog(RegionDevice io, TierRegions numbers, LogContext context, Runnable wake) {
    this.io = io;
    this.numbers = numbers;
    this.context = context;
    this.wake = wake;
    this.sequence = new Sequence(io.device().generation());
    addRegions(io.device().regions());
    this.free = new FreeRegions(regions.length);
    this.evictions = new Tombstones(io, context.nanoTime());
  }

  public RegionDevice io() {
    return io;
  }

  /** All regions of the device by slot, including those that are retired. */
  public Region[] regions() {
    return regions;
  }

  /** Accepts the numbers of the device's regions. */
  public IntPredicate numbers() {
    return number -> numbers.get(number).io == io;
  }

  /** The regions without blocks. */
  public FreeRegions free() {
    return free;
  }

  /** The evictions from the device that survive a restart. */
  public Tombstones evictions() {
    return evictions;
  }

  /** The region that takes records; null if none does. */
  public RegionWriter open() {
    return open;
  }

  /** Adds regions up to {@code count}. Returns the new ones. */
  private List<Region> addRegions(int count) {
    Region[] before = regions;
    List<Region> added =
        numbers.add(before.length, count, (number, slot) -> new Region(number, slot, io, this));
    Region[] after = Arrays.copyOf(before, count);
    added.forEach(region -> after[region.slot] = region);
    regions = after;
    return added;
  }

  /**
   * Changes the device's number of regions. New ones are retired at first. By the worker, when none
   * of the regions that go is in use.
   *
   * @throws IOException if that fails, such as for lack of space
   */
  public void resize(int wanted) throws IOException {
    io.resize(wanted);
    if (wanted > regions.length) {
      addRegions(wanted).forEach(region -> region.state(State.RETIRED));
    }
  }

  /** Wakes the worker. Never fails, because puts call it. */
  void wake() {
    wake.run();
  }

  public long nextSequence() {
    return sequence.next();
  }

  /** Records an eviction that must survive a restart, once the index has lost the blocks. */
  public void evicted(String file, long fromOffset, long toOffset) {
    evictions.add(new Eviction(file, fromOffset, toOffset, sequence.next()));
  }

  /** Takes over the evictions that were recorded while the device's path was not open. */
  public void takeEvictions(DeviceLog before) {
    for (Eviction each : before.evictions.take()) {
      evicted(each.file(), each.fromOffset(), each.toOffset());
    }
  }

  /**
   * Reserves space for a record of a put.
   *
   * @param maxWaitNanos longest wait, while the device makes progress; 0 for none
   * @return null if there is no space now
   */
  public Reservation reserve(String file, int nameBytes, int payloadBytes, long maxWaitNanos) {
    long start = System.nanoTime();
    while (true) {
      long seen = io.spaceSignal().signals();
      Reservation reservation = reserveOrWake(file, nameBytes, payloadBytes);
      if (reservation != null) {
        return reservation;
      }
      long restNanos = maxWaitNanos - (System.nanoTime() - start);
      boolean given =
          maxWaitNanos > 0
              && io.health().isWritable()
              && io.spaceSignal().await(seen, maxWaitNanos, restNanos);
      if (!given) {
        free.refused();
        return null;
      }
    }
  }

  private Reservation reserveOrWake(String file, int nameBytes, int payloadBytes) {
    Reservation reservation = reserve(file, nameBytes, payloadBytes, true);
    if (reservation == null) {
      wake();
      // The first attempt may have ended the open region, for whose seal others wait.
      reservation = reserve(file, nameBytes, payloadBytes, true);
    }
    return reservation;
  }

  /**
   * Reserves space for a record that a reclaim rewrites, without waiting. The worker must not be
   * woken by its own failures.
   *
   * @return null if there is no space now
   */
  public Reservation reserve(String file, int nameBytes, int payloadBytes) {
    return reserve(file, nameBytes, payloadBytes, false);
  }

  private Reservation reserve(String file, int nameBytes, int payloadBytes, boolean isPut) {
    if (isPut && free.isOpenReserved()) {
      return null;
    }
    while (true) {
      RegionWriter current = open;
      if (current != null) {
        Reservation reservation =
            current.reserve(file, nameBytes, payloadBytes, sequence, context.nanoTime());
        if (reservation != null) {
          return reservation;
        }
      }
      if (nextOpen(current, isPut) == null) {
        return null;
      }
    }
  }

  /** Replaces a full open region with a clean one. Null if none is clean. */
  private RegionWriter nextOpen(RegionWriter full, boolean forPut) {
    boolean toBeSealed;
    RegionWriter next;
    synchronized (this) {
      if (open != full) {
        return open;
      }
      next = closing || !io.health().isWritable() ? null : openCleanRegion(forPut);
      if (next == null && (full == null || !free.isWaiting())) {
        return null;
      }
      // Even without a next one: other regions may need the seal of this one to become clean.
      open = next;
      toBeSealed = full != null && full.end();
    }
    if (toBeSealed) {
      flush(full);
    }
    if (next != null) {
      wake();
    }
    return next;
  }

  private RegionWriter openCleanRegion(boolean forPut) {
    if (!io.hasBuffer()) {
      return null;
    }
    Region region = forPut ? free.pollForPuts() : free.poll();
    if (region == null) {
      return null;
    }
    WriteBuffer buffer = io.open(region.slot);
    if (buffer == null) {
      // The worker has taken the last buffer.
      free.addClean(region);
      return null;
    }
    if (!io.writesInPlace()) {
      region.begin(sequence.next());
    }
    region.buffer(buffer);
    region.state(State.WRITING);
    region.pins.open();
    RegionWriter opened = new RegionWriter(region, buffer, io.device().regionBytes(), this::flush);
    unsealed.add(opened);
    return opened;
  }

  /** Queues a region to be sealed. */
  private void flush(RegionWriter full) {
    full.region().state(State.FLUSHING);
    wake();
  }

  /**
   * The next region to be sealed; null if there is none.
   *
   * @param passedOver not these
   */
  public RegionWriter nextToSeal(Collection<RegionWriter> passedOver) {
    return unsealed.stream()
        .filter(full -> full.region().state() == State.FLUSHING && !passedOver.contains(full))
        .findFirst()
        .orElse(null);
  }

  /** Lets go of a region that is sealed or lost. */
  public void sealed(RegionWriter full) {
    full.region().buffer(null);
    full.buffer().release();
    unsealed.remove(full);
  }

  /** Ends the open region, so that the worker seals it. */
  public void sealOpen() {
    RegionWriter current;
    boolean toBeSealed;
    synchronized (this) {
      current = open;
      open = null;
      toBeSealed = current != null && current.end();
    }
    if (toBeSealed) {
      flush(current);
    }
  }

  /** Whether no region is open or waits to be written. */
  public boolean isSealed() {
    return unsealed.isEmpty();
  }

  /**
   * Whether blocks that moved from a region may exist only in buffers, so that a crash would lose
   * them if the region were overwritten. Until the regions that took them are sealed or lost, a
   * restart finds the blocks here; afterwards, in both places or there. By the worker, which
   * records moves and seals regions: so no region is sealed between a move and its record.
   */
  public boolean isNeeded(Region source) {
    return !io.writesInPlace() && takersFrom(source).findAny().isPresent();
  }

  /** Makes durable the blocks that moved from a region to open mapped regions. By the worker. */
  public void persistMoved(Region source) throws IOException {
    for (RegionWriter taker : takersFrom(source).toList()) {
      io.persist(taker.region().slot, taker.position());
    }
    source.movedTo(0);
  }

  /** The unsealed regions that may have taken blocks from another one. */
  private Stream<RegionWriter> takersFrom(Region source) {
    return unsealed.stream()
        .filter(taker -> taker.region().firstSequence() <= source.movedSequence());
  }

  /** Counts a region that was closed while readers held it, until they have left. */
  public void leased() {
    leased.incrementAndGet();
  }

  /** Bytes of closed regions that still have readers. */
  public long leasedBytes() {
    return Math.max(0, leased.get()) * (long) io.device().regionBytes();
  }

  /** Bytes of all records that the index has on the device. */
  public long liveBytes() {
    return Math.max(0, liveBytes.sum());
  }

  /**
   * Whether there is room: free regions beyond those that are kept, or so few live bytes in the
   * others that reclaims gain it and hardly evict.
   */
  public boolean hasRoom() {
    long reclaimable = (long) (free.inUse() - free.target()) * io.device().regionBytes();
    return free.hasSpare() || (!free.allPinned() && liveBytes() < FILLED * reclaimable);
  }

  @Override
  public void live(int recordBytes) {
    liveBytes.add(recordBytes);
  }

  @Override
  public void drained(Region region) {
    leased.decrementAndGet();
    free.addEmpty(region);
    wake();
  }

  @Override
  public void emptied(Region region) {
    free.emptied(region);
  }

  @Override
  public boolean copiesHits() {
    return hitsAreCopies;
  }

  public void copyHits(boolean copiesHits) {
    hitsAreCopies = copiesHits;
  }

  /** Opens no more regions. The worker seals the open one and closes the device. */
  public void close() {
    synchronized (this) {
      // Under the lock, so that a region that a put is opening is in unsealed by then: the worker
      // closes a device that has nothing unsealed.
      closing = true;
    }
    sealOpen();
    wake();
  }

  public boolean isClosing() {
    return closing;
  }

  /** Whether the device or the tier is closing, so that blocks leave the index for that reason. */
  public boolean isEnding() {
    return closing || context.isClosed();
  }
}
