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

import dev.terrace.api.EvictionCause;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import dev.terrace.region.Region.State;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * The log on one device: which region is open, which ones are clean, and what is to be done with
 * the others.
 *
 * <p>Any thread may reserve room; that takes a short lock and no I/O. All I/O is done by one worker
 * at a time, which is woken whenever there may be something to do.
 */
final class DeviceLog {

  /*
   * Life of a region:
   *
   *   CLEAN -> WRITING     in nextOpen, under this lock, by whoever finds the open region full
   *   WRITING -> FLUSHING  when the last writer of an ended region is done: toFlush
   *   FLUSHING -> SEALED   by the worker, when the footer is durable
   *   SEALED -> RECLAIMING by the worker, when clean regions run short; the reclaimer empties it
   *   RECLAIMING -> CLEAN  by the worker, after the last reader has left (drained): toClean
   *   any -> QUARANTINED   by the worker, instead of CLEAN, when it failed too often
   *
   * work() is the worker's loop: one thread at a time, and every wake() during a loop makes one more
   * round of it. A thread that does its own work (an executor that runs in place) thus never enters
   * it twice.
   */

  /** Regions on their way to a device that is not memory: one open, the others being written. */
  private static final int WRITE_BUFFERS = 3;

  /** One clean region is kept for this many, and at least two. */
  private static final int REGIONS_A_CLEAN_ONE = 128;

  private static final int MAX_CLEAN = 8;

  /**
   * While more than one region in so many waits for its readers, no other one is emptied: long
   * leases must not empty the cache.
   */
  private static final int REGIONS_A_LEASED_ONE = 4;

  /** Regions that are empty anyway are made ready in advance, up to so many. */
  private static final int MAX_READY = 32;

  private final RegionDevice io;
  private final Region[] regions;
  private final Sequence sequence;
  private final Executor executor;
  private final LongSupplier nanoTime;
  private final TierCounters counters;
  private final RateLimitedLog log;
  private final int cleanTarget;
  private final int mostLeased;
  private final Queue<Region> clean = new ConcurrentLinkedQueue<>();
  private final AtomicInteger cleanCount = new AtomicInteger();
  private final Queue<Region> toClean = new ConcurrentLinkedQueue<>();
  private final Queue<OpenRegion> toFlush = new ConcurrentLinkedQueue<>();
  private final Queue<ByteBuffer> freeBuffers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger rounds = new AtomicInteger();
  private final AtomicInteger unsealed = new AtomicInteger();
  private final CountDownLatch written = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private int buffersMade;
  private Residents residents;
  private Reclaimer reclaimer;
  private Runnable recovery;
  private volatile OpenRegion open;
  private volatile boolean recovered;
  private volatile boolean closing;
  private volatile boolean persistWanted;
  private boolean readersShutOut;
  private boolean deviceClosed;

  /**
   * The log of a device, which does nothing until it is started.
   *
   * @param firstRegion the number in the tier of the device's first region
   * @param executor runs the device's I/O
   */
  DeviceLog(
      RegionDevice io,
      int firstRegion,
      Executor executor,
      LongSupplier nanoTime,
      TierCounters counters) {
    Device device = io.device();
    this.io = io;
    this.executor = executor;
    this.nanoTime = nanoTime;
    this.counters = counters;
    this.log =
        new RateLimitedLog(
            LoggerFactory.getLogger(DeviceLog.class), Duration.ofMinutes(1), nanoTime);
    this.sequence = new Sequence(device.generation());
    this.regions = new Region[device.regions()];
    for (int slot = 0; slot < regions.length; slot++) {
      regions[slot] = new Region(this, firstRegion + slot, slot);
    }
    this.mostLeased = Math.max(2, regions.length / REGIONS_A_LEASED_ONE);
    this.cleanTarget = Math.min(MAX_CLEAN, Math.max(2, regions.length / REGIONS_A_CLEAN_ONE));
  }

  /**
   * Lets the worker begin: it recovers what is on the device, and keeps clean regions ready.
   *
   * @param recoverAll brings back what is on the device, and says which regions hold nothing
   */
  void start(Residents tierResidents, Reclaimer tierReclaimer, Runnable recoverAll) {
    residents = tierResidents;
    reclaimer = tierReclaimer;
    recovery = recoverAll;
    wake();
  }

  Device device() {
    return io.device();
  }

  RegionDevice io() {
    return io;
  }

  Region[] regions() {
    return regions;
  }

  /** Whether regions are empty beyond those that are kept so. */
  boolean hasFreeRoom() {
    return recovered
        && cleanCount.get() >= cleanTarget
        && (cleanCount.get() > cleanTarget || !toClean.isEmpty());
  }

  boolean isRecovered() {
    return recovered;
  }

  /**
   * Room for a record, without waiting.
   *
   * @return null if there is none now
   */
  Room reserve(String file, int nameBytes, int recordBytes) {
    while (true) {
      OpenRegion current = open;
      if (current != null) {
        Room room = current.reserve(file, nameBytes, recordBytes, sequence, nanoTime);
        if (room != null) {
          return room;
        }
      }
      if (nextOpen(current) == null) {
        wake();
        return null;
      }
    }
  }

  /** Opens another region in the place of a full one. Null if none is ready. */
  private OpenRegion nextOpen(OpenRegion full) {
    boolean toBeFlushed;
    OpenRegion next;
    synchronized (this) {
      if (open != full) {
        return open;
      }
      next = closing || !io.health().isWritable() ? null : openCleanRegion();
      if (next == null) {
        return null;
      }
      open = next;
      toBeFlushed = full != null && full.end();
    }
    if (toBeFlushed) {
      flush(full);
    }
    wake();
    return next;
  }

  private OpenRegion openCleanRegion() {
    WriteBuffer buffer = null;
    ByteBuffer bytes = null;
    if (!device().isMapped()) {
      bytes = takeBuffer();
      if (bytes == null) {
        return null;
      }
      buffer = new WriteBuffer(bytes, freeBuffers::add);
    }
    Region region = clean.poll();
    if (region == null) {
      if (bytes != null) {
        freeBuffers.add(bytes);
      }
      return null;
    }
    cleanCount.decrementAndGet();
    unsealed.incrementAndGet();
    if (buffer == null) {
      buffer = new WriteBuffer(io.memory(region.slot), memory -> {});
    } else {
      region.begin(sequence.next());
    }
    region.buffer(buffer);
    region.state(State.WRITING);
    region.openToReaders();
    return new OpenRegion(region, buffer, device().regionBytes());
  }

  private ByteBuffer takeBuffer() {
    ByteBuffer free = freeBuffers.poll();
    if (free == null && buffersMade < WRITE_BUFFERS) {
      buffersMade++;
      free = io.newBuffer(device().regionBytes());
    }
    return free;
  }

  /** Says that a record was written or given up, if that was the last one of an ended region. */
  void flush(OpenRegion full) {
    full.region().state(State.FLUSHING);
    toFlush.add(full);
    wake();
  }

  /** Says that the last reader of a region that is being reclaimed has left. */
  void drained(Region region) {
    toClean.add(region);
    wake();
  }

  /** Lets the worker look for something to do. */
  void wake() {
    if (rounds.getAndIncrement() == 0) {
      executor.execute(this::work);
    }
  }

  private void work() {
    int seen = rounds.get();
    try {
      while (seen != 0) {
        boolean more = true;
        while (more) {
          more = step();
        }
        seen = rounds.addAndGet(-seen);
      }
    } finally {
      if (seen != 0) {
        // An error ends this loop, and the executor reports it; the next wake() begins another one.
        rounds.set(0);
      }
    }
  }

  /** Does one thing. False if there is nothing to do. */
  private boolean step() {
    if (io.health().isProbeDue()) {
      io.health().probed(io.probe());
    }
    OpenRegion full = toFlush.poll();
    if (full != null) {
      seal(full);
      return true;
    }
    if (closing) {
      releaseDevice();
      return false;
    }
    if (!recovered) {
      recovery.run();
      recovered = true;
      return true;
    }
    if (persistWanted) {
      persistWanted = false;
      persistOpen();
      return true;
    }
    return io.health().isWritable() && makeClean();
  }

  private boolean makeClean() {
    int ready = cleanCount.get();
    Region empty = ready < MAX_READY ? toClean.poll() : null;
    if (empty != null) {
      clean(empty);
      return true;
    }
    if (ready >= cleanTarget || leasedRegions() > mostLeased) {
      return false;
    }
    Region victim = reclaimer.victim(this);
    if (victim == null) {
      return false;
    }
    victim.state(State.RECLAIMING);
    reclaimer.empty(victim);
    closeToReaders(victim);
    return true;
  }

  /** Regions that will be clean when their last readers have left. */
  private int leasedRegions() {
    int leased = 0;
    for (Region region : regions) {
      leased += region.isLeased() ? 1 : 0;
    }
    return leased;
  }

  /** Takes a region out of the readers' reach, to be used again when the last one has left. */
  private void closeToReaders(Region region) {
    region.state(State.RECLAIMING);
    if (region.closeToReaders()) {
      toClean.add(region);
    }
  }

  /** Says that a region holds nothing that anybody may read. Before the log serves. */
  void foundEmpty(Region region) {
    toClean.add(region);
  }

  /** Says that a region was sealed in an earlier life of the process. Before the log serves. */
  void foundSealed(Region region, long firstSequence, long lastSequence, long sealedNanos) {
    region.sequences(firstSequence, lastSequence);
    region.lastPutNanos(sealedNanos);
    region.openToReaders();
    region.state(State.SEALED);
  }

  private void clean(Region region) {
    region.forgetUnclaimed();
    if (region.isDistrusted()) {
      quarantine(region);
      return;
    }
    region.begin(sequence.next());
    try {
      io.prepare(region.slot, header(region));
    } catch (IOException e) {
      failed(region);
      log.warn("Cannot prepare " + region, e);
      toClean.add(region);
      return;
    }
    region.state(State.CLEAN);
    clean.add(region);
    cleanCount.incrementAndGet();
  }

  private void quarantine(Region region) {
    region.state(State.QUARANTINED);
    counters.trouble(Trouble.QUARANTINED_REGION);
    log.warn("Out of use until the next start, because it fails again and again: " + region, null);
  }

  private RegionLayout.Header header(Region region) {
    return new RegionLayout.Header(
        region.slot, device().id(), region.firstSequence(), System.currentTimeMillis());
  }

  private void seal(OpenRegion full) {
    Region region = full.region();
    try {
      OpenRegion.Seal seal = full.writeTable(System.currentTimeMillis());
      io.seal(region.slot, header(region), seal, full.bytes());
      region.written();
      region.state(State.SEALED);
    } catch (IOException e) {
      lose(full, e);
    } finally {
      region.buffer(null);
      full.buffer().release();
      unsealed.decrementAndGet();
    }
  }

  /** What could not be written is gone: counted, and not found any more. */
  private void lose(OpenRegion full, IOException cause) {
    Region region = full.region();
    List<RegionTable.Entry> entries = full.completed();
    for (RegionTable.Entry entry : entries) {
      long address = BlockAddress.of(region.number, entry.position(), entry.payloadBytes());
      residents.drop(entry.file(), entry.offset(), address, EvictionCause.DAMAGE);
    }
    failed(region);
    log.warn("Cannot write " + region + ", blocks lost=" + entries.size(), cause);
    closeToReaders(region);
  }

  /** Counts a write that failed, unless it is the whole device that lacks space. */
  private void failed(Region region) {
    if (!io.health().isFull()) {
      region.failed();
    }
  }

  /** Drops a region whose bytes cannot be read. */
  void distrust(Region region) {
    region.failed();
    if (region.isDistrusted()) {
      log.warn("Will be emptied, because reading it fails again and again: " + region, null);
    }
  }

  /** Lets the worker do what is due, and make durable what an open region on memory holds. */
  void tick() {
    persistWanted = device().isMapped();
    wake();
  }

  private void persistOpen() {
    OpenRegion current = open;
    if (current == null || current.isEmpty()) {
      return;
    }
    try {
      io.persist(current.region().slot, current.position());
    } catch (IOException e) {
      log.warn("Cannot persist " + current.region(), e);
    }
  }

  /** Ends the open region, so that the worker seals it. */
  void sealOpen() {
    OpenRegion current;
    boolean toBeFlushed;
    synchronized (this) {
      current = open;
      open = null;
      toBeFlushed = current != null && current.end();
    }
    if (toBeFlushed) {
      flush(current);
    }
  }

  /** Ends: the worker seals what is open, and gives the device back. */
  void close() {
    closing = true;
    sealOpen();
    wake();
  }

  /** Gives the device back, when all is sealed and nobody reads its memory any more. */
  private void releaseDevice() {
    if (deviceClosed || unsealed.get() > 0) {
      return;
    }
    written.countDown();
    if (!readersShutOut) {
      readersShutOut = true;
      for (Region region : regions) {
        region.shutOut();
      }
    }
    for (Region region : regions) {
      if (region.isLeased()) {
        return;
      }
    }
    deviceClosed = true;
    device().close();
    released.countDown();
  }

  /** Whether no region is open, or on its way to the device. */
  boolean isSealed() {
    return unsealed.get() == 0;
  }

  boolean isReleased() {
    return released.getCount() == 0;
  }

  /** Waits until a closed log has written what was open. */
  boolean awaitWritten(Duration limit) throws InterruptedException {
    return written.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Waits until a closed log has written what was open, and given its device back. */
  boolean awaitReleased(Duration limit) throws InterruptedException {
    return released.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }
}
