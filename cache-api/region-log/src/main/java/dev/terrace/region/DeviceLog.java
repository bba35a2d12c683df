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

import dev.terrace.api.TierCounters;
import dev.terrace.region.Region.State;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceExecutors;
import dev.terrace.region.device.LastingEvictions;
import dev.terrace.region.device.PathWatch;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.RoomWait;
import dev.terrace.region.files.FileOrigins;
import dev.terrace.region.format.Eviction;
import dev.terrace.region.format.Sequence;
import dev.terrace.region.memory.WriteBuffer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * The log on one device: its regions, and the open one, which takes new records.
 *
 * <p>Any thread may reserve space, under a short lock and without I/O. The {@link DeviceWorker}
 * does all I/O.
 */
final class DeviceLog implements RegionLog, Region.Listener {

  /*
   * Life of a region:
   *
   *   UNREAD -> RECLAIMING, LOADING  by the worker, when it can be read after a restart
   *   LOADING -> SEALED    by the worker, when the index has what is to be found there
   *   CLEAN -> WRITING     in nextOpen, under this lock, by a thread that finds the open region full
   *   WRITING -> FLUSHING  when the last writer of an ended region is done
   *   FLUSHING -> SEALED   by the worker, when the footer is durable
   *   SEALED -> RECLAIMING by the worker, when clean regions run short; the reclaimer empties it
   *   RECLAIMING -> CLEAN  by the worker, after the last reader has left (drained)
   *   any -> QUARANTINED   by the worker, instead of CLEAN, when it failed too often
   */

  /** Records in a buffer are written after this time at the latest. */
  private static final long APPEND_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** So much of a region is written at the next tick: the rewritten page hardly counts then. */
  private static final double WORTHWHILE_SHARE = 1.0 / 16;

  private final RegionDevice io;
  private final TierRegions numbers;
  private volatile Region[] regions = {};
  private final Sequence sequence;
  private final LongSupplier nanoTime;
  private final FileOrigins origins;
  private final RoomWait roomWait;
  private final HeldRegions held;
  private final CleanRegions clean;
  private final DeviceResize resize;
  private final LastingEvictions evictions;
  private final DeviceWorker worker;
  private final PathWatch watch;
  private final AtomicInteger unsealed = new AtomicInteger();
  private volatile OpenRegion open;
  private volatile long appendAtNanos;

  /**
   * A log that is not started.
   *
   * @param numbers gets the device's regions
   * @param origins the regions and tables of the files; asked before a region is written
   * @param unshare stops the sharing of objects in some regions
   * @param executors run the device's I/O
   */
  DeviceLog(
      RegionDevice io,
      TierRegions numbers,
      RegionConfig config,
      FileOrigins origins,
      Consumer<IntPredicate> unshare,
      DeviceExecutors executors,
      LongSupplier nanoTime,
      TierCounters counters) {
    Device device = io.device();
    this.io = io;
    this.nanoTime = nanoTime;
    this.appendAtNanos = nanoTime.getAsLong();
    this.origins = origins;
    this.sequence = new Sequence(device.generation());
    this.numbers = numbers;
    addRegions(device.regions());
    this.roomWait = io.roomWait();
    this.held = new HeldRegions(this, unshare, nanoTime);
    this.clean = new CleanRegions(this, held, sequence, nanoTime, counters);
    this.resize = new DeviceResize(this, clean);
    this.evictions = new LastingEvictions(io, nanoTime);
    this.worker =
        new DeviceWorker(
            this,
            clean,
            resize,
            executors.worker(device.path()),
            nanoTime,
            config.limits().probeInterval(),
            counters);
    this.watch = new PathWatch(io, held::unshareAll, executors.looks(device.path()));
  }

  /**
   * Starts the worker, which recovers the device and keeps clean regions ready.
   *
   * @param recovery brings back the device's blocks, and finds its empty regions
   * @param scrub verifies blocks at rest
   */
  void start(Residents residents, Reclaimer reclaimer, Recovery recovery, Scrub scrub) {
    clean.reclaimBy(reclaimer);
    worker.start(residents, recovery, scrub);
  }

  Device device() {
    return io.device();
  }

  @Override
  public RegionDevice io() {
    return io;
  }

  @Override
  public Region[] regions() {
    return regions;
  }

  /** Adds regions, until there are so many. Returns the new ones. */
  private List<Region> addRegions(int count) {
    Region[] before = regions;
    List<Region> added =
        numbers.add(before.length, count, (number, slot) -> new Region(number, slot, io, this));
    Region[] after = Arrays.copyOf(before, count);
    added.forEach(region -> after[region.slot] = region);
    regions = after;
    return added;
  }

  @Override
  public void resize(int wanted) throws IOException {
    io.resize(wanted);
    if (wanted > regions.length) {
      addRegions(wanted).forEach(region -> region.state(State.RETIRED));
    }
    clean.limit(wanted);
  }

  /** Replaces the number of regions to reach, see {@link DeviceResize#to}. */
  void resizeTo(DeviceResize.Goal goal) {
    resize.to(goal);
  }

  /** Wakes the worker. */
  void wake() {
    worker.wake();
  }

  /** The regions in use, and those that are to leave and still have blocks. */
  int regionsInUse() {
    return clean.inUse();
  }

  /** The regions that readers keep from being reclaimed. */
  HeldRegions held() {
    return held;
  }

  @Override
  public boolean areHitsCopies() {
    return held.areHitsCopies();
  }

  @Override
  public LastingEvictions evictions() {
    return evictions;
  }

  /** Notes an eviction that must last over a restart, after the index has lost the blocks. */
  void evicted(String file, long fromOffset, long toOffset) {
    evictions.add(new Eviction(file, fromOffset, toOffset, sequence.next()));
  }

  @Override
  public FileOrigins origins() {
    return origins;
  }

  @Override
  public OpenRegion open() {
    return open;
  }

  /** Whether more regions are empty than are kept so, and the device can be written to. */
  boolean hasFreeRoom() {
    return worker.isRecovered() && io.health().isWritable() && clean.hasSpare();
  }

  /**
   * Reserves space for a record.
   *
   * @param mostWaitNanos longest wait, while the device makes progress; 0 for none
   * @return null if there is none now
   */
  Reservation reserve(String file, int nameBytes, int recordBytes, long mostWaitNanos) {
    if (mostWaitNanos == 0) {
      return reserveOrWake(file, nameBytes, recordBytes);
    }
    long start = System.nanoTime();
    while (true) {
      long seen = roomWait.given();
      Reservation reservation = reserveOrWake(file, nameBytes, recordBytes);
      if (reservation != null) {
        return reservation;
      }
      long restNanos = mostWaitNanos - (System.nanoTime() - start);
      boolean given = io.health().isWritable() && roomWait.await(seen, mostWaitNanos, restNanos);
      if (!given) {
        return null;
      }
    }
  }

  private Reservation reserveOrWake(String file, int nameBytes, int recordBytes) {
    Reservation reservation = reserveForPut(file, nameBytes, recordBytes);
    if (reservation == null) {
      worker.wake();
      // The first one may have ended the open region, for whose seal others wait.
      reservation = reserveForPut(file, nameBytes, recordBytes);
    }
    return reservation;
  }

  private Reservation reserveForPut(String file, int nameBytes, int recordBytes) {
    return clean.isOpenKept() ? null : reserve(file, nameBytes, recordBytes, Purpose.PUT);
  }

  @Override
  public Reservation reserve(String file, int nameBytes, int recordBytes) {
    return reserve(file, nameBytes, recordBytes, Purpose.RECLAIM);
  }

  /** What space is reserved for. */
  private enum Purpose {
    PUT,
    RECLAIM
  }

  private Reservation reserve(String file, int nameBytes, int recordBytes, Purpose purpose) {
    while (true) {
      OpenRegion current = open;
      if (current != null) {
        Reservation reservation = current.reserve(file, nameBytes, recordBytes, sequence, nanoTime);
        if (reservation != null) {
          return reservation;
        }
      }
      if (nextOpen(current, purpose) == null) {
        return null;
      }
    }
  }

  /** Replaces a full open region by a clean one. Null if none is clean. */
  private OpenRegion nextOpen(OpenRegion full, Purpose purpose) {
    boolean toBeFlushed;
    OpenRegion next;
    synchronized (this) {
      if (open != full) {
        return open;
      }
      next = worker.isClosing() || !io.health().isWritable() ? null : openCleanRegion(purpose);
      if (next == null && (full == null || !clean.isWaiting())) {
        return null;
      }
      // Also without a next one, if it is this one's end that regions wait for to be clean.
      open = next;
      toBeFlushed = full != null && full.end();
    }
    if (toBeFlushed) {
      worker.flush(full);
    }
    if (next != null) {
      worker.wake();
    }
    return next;
  }

  private OpenRegion openCleanRegion(Purpose purpose) {
    RegionDevice.Opening opening = io.open();
    if (opening == null) {
      return null;
    }
    Region region = purpose == Purpose.PUT ? clean.pollForPuts() : clean.poll();
    if (region == null) {
      opening.cancel();
      return null;
    }
    unsealed.incrementAndGet();
    if (!io.writesInPlace()) {
      region.begin(sequence.next());
    }
    WriteBuffer buffer = opening.of(region.slot);
    region.buffer(buffer);
    region.state(State.WRITING);
    region.openToReaders();
    return new OpenRegion(region, buffer, device().regionBytes(), worker::flush);
  }

  @Override
  public void sealed() {
    unsealed.decrementAndGet();
  }

  @Override
  public void drained(Region region) {
    clean.addEmpty(region);
    worker.wake();
  }

  @Override
  public void died() {
    clean.died();
  }

  @Override
  public void foundEmpty(Region region) {
    region.state(State.RECLAIMING);
    clean.addEmpty(region);
  }

  /**
   * Has the path looked at, wakes the worker, and has the records in the open region made durable:
   * in memory each time, in a buffer if there are enough new ones, or they have waited for long.
   */
  void tick() {
    watch.look();
    io.health().look();
    if (io.writesInPlace() || isAppendDue()) {
      worker.persist();
    } else {
      worker.wake();
    }
  }

  private boolean isAppendDue() {
    OpenRegion current = open;
    if (current == null) {
      return false;
    }
    int newBytes = current.complete() - current.appended();
    boolean due =
        nanoTime.getAsLong() - appendAtNanos >= 0
            || newBytes >= WORTHWHILE_SHARE * device().regionBytes();
    if (due) {
      appendAtNanos = nanoTime.getAsLong() + APPEND_NANOS;
    }
    return due;
  }

  @Override
  public void sealOpen() {
    OpenRegion current;
    boolean toBeFlushed;
    synchronized (this) {
      current = open;
      open = null;
      toBeFlushed = current != null && current.end();
    }
    if (toBeFlushed) {
      worker.flush(current);
    }
  }

  /** What regions hold stays there from now on, though their blocks leave the index. */
  void reclaimNoMore() {
    clean.reclaimNoMore();
  }

  /** Closes the log. The worker seals the open region and closes the device. */
  void close() {
    worker.close();
    sealOpen();
    worker.wake();
  }

  @Override
  public boolean isSealed() {
    return unsealed.get() == 0;
  }

  boolean isReleased() {
    return worker.isReleased();
  }

  /** Waits until a closed log has written its open region. */
  boolean awaitWritten(Duration limit) throws InterruptedException {
    return worker.awaitWritten(limit);
  }

  /** Waits until a closed log has written its open region, and closed its device. */
  boolean awaitReleased(Duration limit) throws InterruptedException {
    return worker.awaitReleased(limit);
  }
}
