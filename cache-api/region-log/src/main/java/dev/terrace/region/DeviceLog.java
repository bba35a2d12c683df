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
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.RoomWait;
import dev.terrace.region.format.Sequence;
import dev.terrace.region.memory.WriteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * The log on one device: its regions, and which of them takes what is put.
 *
 * <p>Any thread may reserve room; that takes a short lock and no I/O, which is left to the {@link
 * DeviceWorker}.
 */
final class DeviceLog implements RegionLog, Region.Listener {

  /*
   * Life of a region:
   *
   *   UNREAD -> RECLAIMING, LOADING  by the worker, when it can be read after a restart
   *   LOADING -> SEALED    by the worker, when the index has what is to be found there
   *   CLEAN -> WRITING     in nextOpen, under this lock, by whoever finds the open region full
   *   WRITING -> FLUSHING  when the last writer of an ended region is done
   *   FLUSHING -> SEALED   by the worker, when the footer is durable
   *   SEALED -> RECLAIMING by the worker, when clean regions run short; the reclaimer empties it
   *   RECLAIMING -> CLEAN  by the worker, after the last reader has left (drained)
   *   any -> QUARANTINED   by the worker, instead of CLEAN, when it failed too often
   */

  /** An open region in a buffer is sealed when nothing was put for so long. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The part of it that must be full, while there is free room and when there is none. */
  private static final double LEAST_FULL_WITH_ROOM = 1.0 / 16;

  private static final double LEAST_FULL = 0.5;

  private final RegionDevice io;
  private final Region[] regions;
  private final Sequence sequence;
  private final LongSupplier nanoTime;
  private final FileOrigins origins;
  private final RoomWait roomWait;
  private final HeldRegions held;
  private final CleanRegions clean;
  private final DeviceWorker worker;
  private final AtomicInteger unsealed = new AtomicInteger();
  private volatile OpenRegion open;

  /**
   * The log of a device, which does nothing until it is started.
   *
   * @param firstRegion the number in the tier of the device's first region
   * @param origins is asked where the files of a region belong that is about to be written
   * @param unshare stops the sharing of objects that lie in the given regions
   * @param executors run the device's I/O
   */
  DeviceLog(
      RegionDevice io,
      int firstRegion,
      RegionConfig config,
      FileOrigins origins,
      Consumer<IntPredicate> unshare,
      DeviceExecutors executors,
      LongSupplier nanoTime,
      TierCounters counters) {
    Device device = io.device();
    this.io = io;
    this.nanoTime = nanoTime;
    this.origins = origins;
    this.sequence = new Sequence(device.generation());
    this.regions = new Region[device.regions()];
    for (int slot = 0; slot < regions.length; slot++) {
      regions[slot] = new Region(firstRegion + slot, slot, io, this);
    }
    this.roomWait = io.roomWait();
    this.held = new HeldRegions(regions, unshare, nanoTime);
    this.clean = new CleanRegions(io, regions, held, sequence, nanoTime, counters);
    this.worker =
        new DeviceWorker(
            this,
            clean,
            executors.worker(device.path()),
            nanoTime,
            config.probeInterval(),
            counters);
  }

  /**
   * Lets the worker begin: it recovers what is on the device, and keeps clean regions ready.
   *
   * @param recovery brings back what is on the device, and says which regions hold nothing
   * @param scrub verifies what rests there
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

  /** The regions that readers keep from being reclaimed. */
  HeldRegions held() {
    return held;
  }

  @Override
  public boolean areHitsCopies() {
    return held.areHitsCopies();
  }

  @Override
  public FileOrigins origins() {
    return origins;
  }

  @Override
  public OpenRegion open() {
    return open;
  }

  /** Whether regions are empty beyond those that are kept so, and can be written to. */
  boolean hasFreeRoom() {
    return worker.isRecovered() && io.health().isWritable() && clean.hasSpare();
  }

  /**
   * Room for a record.
   *
   * @param mostWaitNanos how long to wait for it while the device makes progress; 0 is not at all
   * @return null if there is none now
   */
  Room reserve(String file, int nameBytes, int recordBytes, long mostWaitNanos) {
    if (mostWaitNanos == 0) {
      return reserve(file, nameBytes, recordBytes);
    }
    long start = System.nanoTime();
    while (true) {
      long seen = roomWait.given();
      Room room = reserve(file, nameBytes, recordBytes);
      if (room != null) {
        return room;
      }
      long restNanos = mostWaitNanos - (System.nanoTime() - start);
      boolean given = io.health().isWritable() && roomWait.await(seen, mostWaitNanos, restNanos);
      if (!given) {
        return null;
      }
    }
  }

  @Override
  public Room reserve(String file, int nameBytes, int recordBytes) {
    while (true) {
      OpenRegion current = open;
      if (current != null) {
        Room room = current.reserve(file, nameBytes, recordBytes, sequence, nanoTime);
        if (room != null) {
          return room;
        }
      }
      if (nextOpen(current) == null) {
        worker.wake();
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
      next = worker.isClosing() || !io.health().isWritable() ? null : openCleanRegion();
      if (next == null && !clean.isWaiting()) {
        return null;
      }
      // Also without a next one, if it is this one's end that regions wait for to be clean.
      open = next;
      toBeFlushed = full != null && full.end();
    }
    if (toBeFlushed) {
      worker.flush(full);
    }
    worker.wake();
    return next;
  }

  private OpenRegion openCleanRegion() {
    RegionDevice.Opening opening = io.open();
    if (opening == null) {
      return null;
    }
    Region region = clean.poll();
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
   * Lets the worker do what is due, and make durable what an open region holds: at once in memory,
   * and in a buffer when it is worth a region and nothing more comes.
   */
  void tick() {
    if (io.writesInPlace()) {
      worker.persist();
    } else {
      sealIdle();
      worker.wake();
    }
  }

  private void sealIdle() {
    OpenRegion current = open;
    if (current == null || nanoTime.getAsLong() - current.region().lastPutNanos() < IDLE_NANOS) {
      return;
    }
    double leastFull = clean.hasSpare() ? LEAST_FULL_WITH_ROOM : LEAST_FULL;
    if (current.position() >= leastFull * device().regionBytes()) {
      sealOpen();
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
      worker.flush(current);
    }
  }

  /** Ends: the worker seals what is open, and gives the device back. */
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

  /** Waits until a closed log has written what was open. */
  boolean awaitWritten(Duration limit) throws InterruptedException {
    return worker.awaitWritten(limit);
  }

  /** Waits until a closed log has written what was open, and given its device back. */
  boolean awaitReleased(Duration limit) throws InterruptedException {
    return worker.awaitReleased(limit);
  }
}
