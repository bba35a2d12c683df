// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.SerialLoop;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.DeviceExecutors;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.PathWatch;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.index.RegionIndex;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.Region.State;
import dev.terrace.region.log.RegionWriter;
import dev.terrace.region.log.Residents;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.read.BlockLookup;
import dev.terrace.region.read.PinnedRegions;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Does the I/O of one device's log, one step after the other: recovers its blocks, seals full
 * regions, prepares clean ones, makes the filled part of the open one durable, resizes the device,
 * scrubs sealed regions, and closes the device at the end.
 *
 * <p>Any thread may wake it. One thread at a time works.
 */
public final class DeviceWorker {

  /*
   * A failure ends only its own step. A step leaves its region where the next one finds it: a
   * region to be sealed stays in its queue until it is sealed or lost, an empty region stays in the
   * queue of empty ones until it is clean, and one that could not be emptied is sealed as before.
   *
   * The end. A put and a recovery check for the close after they have added a block, and the end is
   * set before blocks are dropped, so one of the two sides drops the block. closing is set under
   * the lock under which regions are opened: a worker that sees it set, and nothing unsealed, may
   * close the device once no pin is left and no caller is inside. The last unpin of a closed region
   * wakes the worker, and so does each caller that leaves. A device that leaves a running tier ends
   * likewise; its worker drops the blocks itself, so its moves and reclaims cannot interfere.
   */

  /** Failed writes of a region on a full device after which it is lost if another one succeeds. */
  private static final int MAX_TRIALS = 100;

  /** Failures of the program while sealing a region, after which it is lost. */
  private static final int MAX_FAILURES = 3;

  private final RegionDevice io;
  private final Residents residents;
  private final LogContext context;
  private final SerialLoop loop;
  private final DeviceLog owner;
  private final PinnedRegions held;
  private final CleanRegions clean;
  private final DeviceResize resize;
  private final Recovery recovery;
  private final Scrub scrub;
  private final PathWatch watch;
  private final RateLimitedLog log;
  private final CompletableFuture<Void> written = new CompletableFuture<>();
  private final CompletableFuture<Void> released = new CompletableFuture<>();
  private volatile boolean leaving;
  private volatile boolean started;
  private volatile boolean persistWanted;
  private boolean blocksDropped;
  private int trials;

  /** Regions whose seal failed in the program, with the number of failures. */
  private final Map<RegionWriter, Integer> failures = new HashMap<>();

  /** Those of them that wait for the next tick. */
  private final Set<RegionWriter> postponed = ConcurrentHashMap.newKeySet();

  private long memoryAtNanos;

  /**
   * A worker with a new log. It is idle until {@link #start}.
   *
   * @param executors run the device's I/O
   */
  public DeviceWorker(
      RegionDevice io, DeviceExecutors executors, BlockLookup<?> lookup, LogContext context) {
    String path = io.device().path();
    this.io = io;
    this.residents = lookup.residents();
    this.context = context;
    this.log = context.log(DeviceWorker.class);
    this.memoryAtNanos = context.now();
    // The executor may be shut down, or have no thread. The next wake-up tries again.
    this.loop =
        new SerialLoop(
            executors.worker(path),
            this::work,
            cause -> log.warn(path + ": no worker thread, will retry; puts may fail", cause));
    this.owner = new DeviceLog(io, residents.regions(), context, loop::wake);
    this.held = new PinnedRegions(owner, residents::unshare, context);
    Reclaimer reclaimer = new Reclaimer(owner, held, lookup, context);
    this.clean = new CleanRegions(owner, held, reclaimer, context);
    this.resize = new DeviceResize(owner, clean);
    this.recovery = new Recovery(owner, residents, context);
    this.scrub = new Scrub(owner, reclaimer, lookup.reader(), context);
    this.watch = new PathWatch(io, held::unshareAll, executors.looks(path));
  }

  /** Starts to work: recovers the device, and then keeps clean regions ready. */
  public void start() {
    started = true;
    wake();
  }

  public DeviceLog owner() {
    return owner;
  }

  public PinnedRegions held() {
    return held;
  }

  DeviceResize resize() {
    return resize;
  }

  /**
   * Removes the device from a running tier: stops puts, drops its blocks, seals its open region,
   * and closes it after the last reader. The contents stay on disk.
   *
   * @return completed when the path is released
   */
  public CompletableFuture<Void> leave() {
    leaving = true;
    watch.stop();
    owner.close();
    return released;
  }

  /** Whether the device is leaving the tier, or has left. */
  public boolean isLeaving() {
    return leaving;
  }

  /** Whether all blocks of the device that can be recovered are in the index. */
  public boolean isRecovered() {
    return recovery.isDone();
  }

  /** Whether the device has more free regions than it keeps, and can be written to. */
  public boolean hasFreeRoom() {
    return takesBlocks() && owner.free().hasSpare();
  }

  /** Whether the device {@linkplain DeviceLog#hasRoom has room}, and can be written to. */
  public boolean hasRoom() {
    return takesBlocks() && owner.hasRoom();
  }

  private boolean takesBlocks() {
    return recovery.isDone() && io.health().isWritable();
  }

  /**
   * Schedules a path check and a flush of the open region. Wakes the worker. Call it about once a
   * second.
   */
  public void tick() {
    watch.poll();
    io.health().poll();
    persistWanted = true;
    postponed.clear();
    wake();
  }

  /** Wakes the worker. Never fails, because puts call it. */
  void wake() {
    loop.wake();
  }

  /** Takes steps until there is nothing to do, or one fails. */
  private void work() {
    try {
      boolean more = true;
      while (more) {
        more = step();
      }
    } catch (RuntimeException | Error e) {
      log.warn(io.device().path() + ": writing or reclaiming failed; will retry", e);
    }
  }

  private boolean step() {
    DeviceHealth health = io.health();
    boolean closing = owner.isClosing();
    if (leaving && !blocksDropped) {
      dropBlocks();
    }
    if (!closing && !(started && hasMemory())) {
      return false;
    }
    if (health.isProbeDue()) {
      health.probed(io.probe());
    }
    if (closing || health.isWritable()) {
      // Regions that cannot be written yet stay queued; lookups are served from their buffers.
      RegionWriter full = owner.nextToSeal(closing ? Set.of() : postponed);
      if (full != null) {
        return seal(full);
      }
    }
    if (closing) {
      if (!released.isDone()) {
        owner.evictions().save(this::oldestSequence);
        releaseDevice();
      }
      return false;
    }
    if (recovery.isDue() && !residents.index().isShortOfMemory()) {
      recovery.run();
      return true;
    }
    held.poll();
    if (health.isWritable()) {
      return runWriteStep();
    }
    return (health.isUsable() && resize.step()) || (health.isTrialDue() && tryToWrite());
  }

  /**
   * Whether the device has its buffers. From time to time, obtains memory that the device or the
   * index lacks, since no caller waits here.
   */
  private boolean hasMemory() {
    RegionIndex index = residents.index();
    if (io.buffers().isAllocated() && !index.isShortOfMemory()) {
      return true;
    }
    if (context.now() - memoryAtNanos >= 0) {
      try {
        io.buffers().obtain();
        index.obtainMemory();
      } catch (DirectMemory.Exhausted e) {
        memoryAtNanos = context.now() + context.limits().probeInterval().toNanos();
        context.counters().fault(TierFault.NO_MEMORY);
        log.warn(
            io.device().path()
                + ": no direct memory for buffers or index, so puts are refused (raise HBASE_OFFHEAPSIZE)",
            e);
      }
    }
    return io.buffers().isAllocated();
  }

  private boolean runWriteStep() {
    if (owner.evictions().isDue()) {
      owner.evictions().save(this::oldestSequence);
      return true;
    }
    if (persistWanted) {
      persistWanted = false;
      persistOpen();
      return true;
    }
    return clean.prepareNext() || makeIndexRoom() || resize.step() || scrub.step();
  }

  /** No record on the device has a smaller sequence. */
  private long oldestSequence() {
    long oldest = Long.MAX_VALUE;
    for (Region region : owner.regions()) {
      if (region.state() == State.UNREAD) {
        return 0;
      }
      if (region.state() != State.CLEAN && region.life() != null) {
        oldest = Math.min(oldest, region.firstSequence());
      }
    }
    return oldest;
  }

  /** Reclaims a region if the index is short of memory, so that it has some for other blocks. */
  private boolean makeIndexRoom() {
    return residents.index().isShortOfMemory() && !recovery.isDue() && clean.reclaim();
  }

  /**
   * Tries to write to the device: an empty region or, on a full device, the region that waits for
   * space, if there is one.
   */
  private boolean tryToWrite() {
    DeviceHealth health = io.health();
    RegionWriter waiting = health.isFull() ? owner.nextToSeal(postponed) : null;
    if (waiting != null) {
      seal(waiting);
    }
    boolean works = (waiting != null || clean.tryToWrite()) && !health.isFull();
    health.tried(works);
    if (works) {
      clean.forgive();
    }
    return works;
  }

  /**
   * Seals a region, loses it, or puts it off to the next tick after a failure of the program, such
   * as a lack of memory. False if it waits for the device, or failed again at the end. Meanwhile
   * lookups find its blocks in the buffer.
   */
  private boolean seal(RegionWriter full) {
    Region region = full.region();
    try {
      write(full);
      region.sealed();
    } catch (IOException e) {
      if (isKept(region)) {
        return false;
      }
      lose(full, e);
    } catch (RuntimeException | Error e) {
      if (failures.merge(full, 1, Integer::sum) < MAX_FAILURES) {
        log.warn("Cannot write a cache region yet; served from memory: " + region, e);
        return postponed.add(full);
      }
      io.health().damaged(TierFault.CORRUPT_REGION);
      lose(full, e);
    }
    trials = 0;
    failures.remove(full);
    owner.sealed(full);
    return true;
  }

  /** Writes a region with its table. Its memory may fail. */
  private void write(RegionWriter full) throws IOException {
    int slot = full.region().slot;
    long millis = System.currentTimeMillis();
    try {
      io.checkOwned();
      RegionLayout.Seal seal = full.writeTable(millis, this::originOf);
      io.seal(slot, full.region().header(millis), seal, full.bytes(), full.appended());
    } catch (InternalError e) {
      IOException fault = io.fault(e);
      io.writeFailed(fault);
      throw fault;
    }
  }

  private String originOf(String name) {
    String origin = context.files().find(name).origin();
    return origin.getBytes(UTF_8).length > RegionTable.MAX_ORIGIN_BYTES ? "" : origin;
  }

  /**
   * Whether to keep a region whose write failed, and retry. Not if another region can be written:
   * then this one's place on the device is bad. A full device may have space for another region, so
   * there this one waits longer. A region that is to go does not wait: its device may gain no space
   * before it has gone.
   */
  private boolean isKept(Region region) {
    if (owner.isClosing() || clean.isBeyondLimit(region)) {
      return false;
    }
    trials++;
    return (io.health().isFull() && trials < MAX_TRIALS)
        || (!io.writesInPlace() && !clean.tryToWrite());
  }

  /** Drops and counts the blocks of a region that could not be written. */
  private void lose(RegionWriter full, Throwable cause) {
    Region region = full.region();
    residents.dropLost(full.completed(), region, cause);
    clean.closeToReaders(region);
  }

  private void persistOpen() {
    RegionWriter current = owner.open();
    if (current == null) {
      return;
    }
    try {
      if (io.writesInPlace()) {
        io.checkEnd();
        io.persist(current.region().slot, current.position());
      } else if (!io.health().isFull()) {
        append(current);
      }
    } catch (IOException e) {
      // The device's health has logged it, and the next tick tries again.
    }
  }

  private void append(RegionWriter current) throws IOException {
    Region region = current.region();
    int end = current.complete();
    int from = current.appended();
    if (end > Math.max(from, RegionLayout.FIRST_RECORD)) {
      // After a failure it is unknown what is durable: then everything is written again.
      current.appended(0);
      RegionLayout.Header header = region.header(System.currentTimeMillis());
      io.append(region.slot, header, current.bytes(), from, end);
      current.appended(end);
    }
  }

  /** Drops the blocks of a device that leaves, and abandons its recovery. */
  private void dropBlocks() {
    recovery.abandon();
    residents.evictRegions(owner.numbers(), EvictionCause.RESIZE);
    blocksDropped = true;
  }

  /** Closes the device, once all is sealed and no reader is left in its memory. */
  private void releaseDevice() {
    if (!owner.isSealed()) {
      return;
    }
    written.complete(null);
    for (Region region : owner.regions()) {
      if (region.pins.shutOut()) {
        owner.leased();
      }
    }
    // A reader that enters later fails. A close beside one that hangs would hang, too.
    if (io.hasCallers(this::wake)
        || Arrays.stream(owner.regions()).anyMatch(region -> region.pins.isLeased())) {
      return;
    }
    if (leaving) {
      io.device().unmapAtClose();
    }
    io.device().close();
    if (leaving) {
      io.health().left();
      io.buffers().drop();
    }
    released.complete(null);
  }

  /** Completed when all is written, after {@link DeviceLog#close}. */
  public CompletableFuture<Void> written() {
    return written;
  }

  /** Completed when the device is closed, after {@link DeviceLog#close}. */
  public CompletableFuture<Void> released() {
    return released;
  }
}
