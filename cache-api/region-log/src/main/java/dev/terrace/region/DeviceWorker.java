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
import dev.terrace.api.SerialLoop;
import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import dev.terrace.region.Region.State;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.memory.DirectMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Does the I/O of one device's log, one thing after the other: recovers what is there, seals full
 * regions, has clean ones made, makes open memory durable, scrubs what is sealed, and gives the
 * device back in the end.
 *
 * <p>Any thread may wake it; one thread at a time works.
 */
final class DeviceWorker {

  /*
   * Whatever a step throws ends that step alone. A step leaves its region where the next one finds
   * it: what is to be sealed is in its queue until it was sealed or lost, an empty region is in the
   * queue of empty ones until it is clean, and one that could not be emptied is sealed as before.
   */

  private final RegionLog owner;
  private final RegionDevice io;
  private final CleanRegions clean;
  private final SerialLoop loop;
  private final LongSupplier nanoTime;
  private final long retryNanos;
  private final TierCounters counters;
  private final RateLimitedLog log;
  private final Queue<OpenRegion> toFlush = new ConcurrentLinkedQueue<>();
  private final CountDownLatch written = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private Residents residents;
  private Recovery recovery;
  private Scrub scrub;
  private volatile boolean recovered;
  private volatile boolean closing;
  private volatile boolean persistWanted;
  private boolean readersShutOut;
  private long memoryAtNanos;

  /**
   * A worker that begins with {@link #start}.
   *
   * @param executor runs the device's I/O
   * @param retryInterval how long it waits before it asks again for memory that was not to be had
   */
  DeviceWorker(
      RegionLog owner,
      CleanRegions clean,
      Executor executor,
      LongSupplier nanoTime,
      Duration retryInterval,
      TierCounters counters) {
    this.owner = owner;
    this.io = owner.io();
    this.clean = clean;
    this.loop = new SerialLoop(executor, this::work, this::rejected);
    this.nanoTime = nanoTime;
    this.retryNanos = retryInterval.toNanos();
    this.memoryAtNanos = nanoTime.getAsLong();
    this.counters = counters;
    this.log =
        new RateLimitedLog(
            LoggerFactory.getLogger(DeviceWorker.class), Duration.ofMinutes(1), nanoTime);
  }

  /**
   * Begins.
   *
   * @param deviceRecovery brings back what is on the device, and says which regions hold nothing
   * @param deviceScrub verifies what rests there
   */
  void start(Residents tierResidents, Recovery deviceRecovery, Scrub deviceScrub) {
    scrub = deviceScrub;
    residents = tierResidents;
    recovery = deviceRecovery;
    wake();
  }

  /** Whether all regions were looked at, or tried, once. */
  boolean isRecovered() {
    return recovered;
  }

  /** Takes a region that is to be sealed. */
  void flush(OpenRegion full) {
    full.region().state(State.FLUSHING);
    toFlush.add(full);
    wake();
  }

  /** Has the open region on memory made durable. */
  void persist() {
    persistWanted = true;
    wake();
  }

  /**
   * Says that no more regions will be opened, and that the device is to be given back once all is
   * sealed and nobody reads its memory any more. To be followed by {@link #wake}.
   */
  void close() {
    closing = true;
  }

  boolean isClosing() {
    return closing;
  }

  /** Lets the worker look for something to do. Never fails: who puts a block is not to blame. */
  void wake() {
    loop.wake();
  }

  /** Such as an executor that is shut down, or has no thread: the next wake-up asks it again. */
  private void rejected(Throwable cause) {
    log.warn("No work on " + io.device().path() + " until the next try", cause);
  }

  private void work() {
    boolean more = true;
    while (more) {
      more = step();
    }
  }

  /** Does one thing. False if there is nothing to do, or if it failed and is to be done later. */
  private boolean step() {
    try {
      return doNext();
    } catch (RuntimeException | Error e) {
      log.warn("Work on " + io.device().path() + " failed, and will be tried again", e);
      return false;
    }
  }

  private boolean doNext() {
    DeviceHealth health = io.health();
    if (!closing && !hasMemory()) {
      return false;
    }
    if (health.isProbeDue()) {
      health.probed(io.probe());
    }
    if (closing || health.isWritable()) {
      // What cannot be written now waits for better days, and is found until then.
      OpenRegion full = toFlush.peek();
      if (full != null) {
        return seal(full);
      }
    }
    if (closing) {
      releaseDevice();
      return false;
    }
    if (recovery.isDue() && !residents.index().isShortOfMemory()) {
      recovery.run();
      recovered = true;
      return true;
    }
    clean.lookAtHeld();
    return health.isWritable() ? writeSomething() : health.isTrialDue() && tryToWrite();
  }

  /**
   * Whether the device has its buffers. What is lacking, of the index too, is asked for again after
   * a while: here nobody waits for it.
   */
  private boolean hasMemory() {
    RegionIndex index = residents.index();
    if (io.buffers().areThere() && !index.isShortOfMemory()) {
      return true;
    }
    if (nanoTime.getAsLong() - memoryAtNanos >= 0) {
      try {
        io.buffers().obtain();
        index.obtainMemory();
      } catch (DirectMemory.Exhausted e) {
        memoryAtNanos = nanoTime.getAsLong() + retryNanos;
        counters.trouble(Trouble.NO_MEMORY);
        log.warn("Work on " + io.device().path() + " waits for memory", e);
      }
    }
    return io.buffers().areThere();
  }

  private boolean writeSomething() {
    if (persistWanted) {
      persistWanted = false;
      persistOpen();
      return true;
    }
    return clean.makeReady() || scrub.step();
  }

  /**
   * Finds out whether the device can be written to, at a place where nothing lies; a full one with
   * a region that waits for space, if there is one.
   */
  private boolean tryToWrite() {
    DeviceHealth health = io.health();
    OpenRegion waiting = health.isFull() ? toFlush.peek() : null;
    boolean works;
    if (waiting == null) {
      works = clean.tryToWrite();
    } else {
      seal(waiting);
      works = !health.isFull();
    }
    if (works) {
      health.trialSucceeded();
      clean.forgive();
    } else {
      health.trialFailed();
    }
    return works;
  }

  /** Seals a region, or loses it. False if it waits for space, and is found in its buffer still. */
  private boolean seal(OpenRegion full) {
    Region region = full.region();
    try {
      long millis = System.currentTimeMillis();
      RegionLayout.Seal seal = full.writeTable(millis, owner.origins());
      io.seal(region.slot, region.header(millis), seal, full.bytes());
      region.written();
      region.state(State.SEALED);
      if (region.liveBlocks() == 0) {
        clean.died();
      }
    } catch (IOException e) {
      if (DeviceHealth.isNoSpace(e) && !closing) {
        return false;
      }
      region.writeFailed(e);
      lose(full, e);
    } catch (RuntimeException | Error e) {
      counters.trouble(Trouble.DAMAGED_REGION);
      lose(full, e);
    }
    toFlush.remove();
    region.buffer(null);
    full.buffer().release();
    owner.sealed();
    return true;
  }

  /** What could not be written is gone: counted, and not found any more. */
  private void lose(OpenRegion full, Throwable cause) {
    Region region = full.region();
    List<RegionTable.Entry> entries = full.completed();
    for (RegionTable.Entry entry : entries) {
      long address = BlockAddress.of(region.number, entry.position(), entry.payloadBytes());
      residents.drop(entry.file(), entry.offset(), address, EvictionCause.DAMAGE);
    }
    log.warn("Cannot write " + region + ", blocks lost=" + entries.size(), cause);
    clean.closeToReaders(region);
  }

  private void persistOpen() {
    OpenRegion current = owner.open();
    if (current == null || current.isEmpty()) {
      return;
    }
    try {
      io.checkEnd();
      io.persist(current.region().slot, current.position());
    } catch (IOException e) {
      log.warn("Cannot persist " + current.region(), e);
    }
  }

  /** Gives the device back, when all is sealed and nobody reads its memory any more. */
  private void releaseDevice() {
    if (isReleased() || !owner.isSealed()) {
      return;
    }
    written.countDown();
    if (!readersShutOut) {
      readersShutOut = true;
      for (Region region : owner.regions()) {
        region.shutOut();
      }
    }
    for (Region region : owner.regions()) {
      if (region.isLeased()) {
        return;
      }
    }
    io.device().close();
    released.countDown();
  }

  boolean isReleased() {
    return released.getCount() == 0;
  }

  /** Waits until all is written, after {@link #close}. */
  boolean awaitWritten(Duration limit) throws InterruptedException {
    return written.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Waits until the device is given back, after {@link #close}. */
  boolean awaitReleased(Duration limit) throws InterruptedException {
    return released.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }
}
