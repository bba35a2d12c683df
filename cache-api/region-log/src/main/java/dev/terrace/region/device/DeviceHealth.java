// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Decides whether a device is used. Errors in a row, or reads without progress, take it out of
 * service. A successful probe takes it back.
 *
 * <p>A device whose writes fail or make no progress is read only until a trial write succeeds. So
 * is a device that was just taken back. A full device is not sick: reads go on, and writes pause
 * until a trial has written a whole region.
 *
 * <p>It also bounds the callers inside the device, because a read that hangs cannot be cancelled.
 *
 * <p>Any thread may call any method; none blocks, but {@link #tryEnter} may wait for a moment.
 */
public final class DeviceHealth {

  /*
   * Reads and writes are judged by clocks of their own: reads from the page cache succeed while a
   * write hangs, and a read that has just begun is not as old as the force beside it.
   *
   * Time counts only while somebody looks at the clock. After a pause of the whole process, or of
   * its machine, the first look finds a jump, of which half of a stall counts. So operations that
   * were in progress have time to return before they are called stuck.
   */

  /** Errors without a success between them that take the device out of service. */
  private static final int ERRORS_IN_A_ROW = 5;

  /**
   * Factor of the stall limit without readers: writing or flushing a whole region takes longer than
   * a read.
   */
  private static final int PATIENCE_WITH_WRITES = 10;

  /** Looks at the clock, and progress, in a stall that are noted, because all readers share it. */
  private static final int NOTES_A_STALL = 1000;

  /** A device that is busy and made no progress for this long is slow. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Progress so soon after the last that was noted is not noted. */
  private static final long MOST_UNNOTED_NANOS = SLOW_NANOS / 20;

  /** A device that has stalled counts as slow for this long after its last stall. */
  private static final long SLOW_AFTER_STALL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** A device is shown as slow for this long after a reader gave up. */
  private static final long SLOW_AFTER_GIVING_UP_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final long stallNanos;
  private final long unnotedNanos;
  private final long probeNanos;
  private final LongSupplier nanoTime;
  private final TierCounters counters;
  private final FaultLog log;
  private final ReaderPlaces places;

  /** The log's own reads in progress. */
  private final AtomicInteger ownReads = new AtomicInteger();

  /** Writes and forces in progress. */
  private final AtomicInteger writes = new AtomicInteger();

  private final AtomicInteger errorsInARow = new AtomicInteger();

  /** The last look at the clock, and the time that no look has seen. */
  private volatile long seenNanos;

  private volatile long unseenNanos;

  /** The last progress of any operation, of the reads and of the writes. */
  private volatile long progressNanos;

  private volatile long readProgressNanos;
  private volatile long writeProgressNanos;
  private volatile boolean out;
  private volatile boolean lost;
  private volatile long probeAtNanos;
  private volatile boolean stalledLately;
  private volatile long stalledNanos;
  private final AtomicInteger failedWritesInARow = new AtomicInteger();
  private volatile boolean readOnly;
  private volatile boolean readOnlyTold;
  private volatile long trialAtNanos;
  private volatile boolean full;
  private volatile boolean hangs;
  private volatile long gaveUpNanos;
  private volatile String why = "";
  private PathStats.Condition shown;
  private final LongAdder errors = new LongAdder();

  /**
   * The health of a device that works.
   *
   * @param path for logs
   */
  public DeviceHealth(String path, IoLimits limits, LongSupplier nanoTime, TierCounters counters) {
    this.stallNanos = limits.stall().toNanos();
    this.unnotedNanos = Math.min(MOST_UNNOTED_NANOS, stallNanos / NOTES_A_STALL);
    this.probeNanos = limits.probeInterval().toNanos();
    this.nanoTime = nanoTime;
    this.counters = counters;
    this.log = new FaultLog(path, nanoTime);
    this.seenNanos = nanoTime.getAsLong();
    this.places =
        new ReaderPlaces(limits.readers(), Runtime.getRuntime().availableProcessors(), seenNanos);
    this.progressNanos = seenNanos;
    this.readProgressNanos = seenNanos;
    this.writeProgressNanos = seenNanos;
    this.gaveUpNanos = seenNanos - SLOW_AFTER_GIVING_UP_NANOS;
    this.shown = condition(PathStats.State.IN_SERVICE);
  }

  /** The time that operations are judged by. It stands still while nobody looks. */
  private long now() {
    long real = nanoTime.getAsLong();
    long passed = real - seenNanos;
    if (passed > stallNanos / 2) {
      return afterJump();
    }
    if (passed > stallNanos / NOTES_A_STALL) {
      seenNanos = real;
    }
    return real - unseenNanos;
  }

  private synchronized long afterJump() {
    long real = nanoTime.getAsLong();
    long jump = real - seenNanos;
    if (jump > stallNanos / 2) {
      unseenNanos += jump - stallNanos / 2;
      seenNanos = real;
    }
    return real - unseenNanos;
  }

  /** Whether the device is in service. */
  public boolean isUsable() {
    if (!out && haveReadsStalled()) {
      takeOutStalled();
    }
    return !out;
  }

  /** Called by every thread that sees the stall; the first one acts. */
  private synchronized void takeOutStalled() {
    if (!out && haveReadsStalled()) {
      counters.trouble(Trouble.STALL);
      stalledNanos = nanoTime.getAsLong();
      stalledLately = true;
      hangs = true;
      takeOut(DeviceFault.HANG, "no read ended for " + stallNanos / 1_000_000 + " ms", null);
    }
  }

  /** Finds stalls while nobody else asks. Call it about once a second. */
  public void look() {
    if (!readOnly && haveWritesStalled()) {
      readOnlyStalled();
    }
    if (!out && haveReadsStalled()) {
      takeOutStalled();
    }
    if (!out && !isSlow()) {
      places.look(nanoTime.getAsLong());
    }
    condition();
    log.look();
  }

  /**
   * What becomes of the device. Its time is that of the first call, or of the first {@link #look},
   * that found it so.
   */
  public synchronized PathStats.Condition condition() {
    PathStats.State now = state();
    if (now != shown.state()) {
      shown = condition(now);
    }
    return shown;
  }

  private PathStats.Condition condition(PathStats.State state) {
    return new PathStats.Condition(
        state, Instant.now(), state == PathStats.State.IN_SERVICE ? "" : why);
  }

  private PathStats.State state() {
    if (lost) {
      return PathStats.State.LOST;
    }
    if (out || readOnlyTold) {
      return hangs ? PathStats.State.SLOW : out ? PathStats.State.OUT : PathStats.State.READ_ONLY;
    }
    if (full) {
      return PathStats.State.FULL;
    }
    boolean slow = nanoTime.getAsLong() - gaveUpNanos < SLOW_AFTER_GIVING_UP_NANOS;
    return slow ? PathStats.State.SLOW : PathStats.State.IN_SERVICE;
  }

  /** Reads and writes that failed. */
  long errors() {
    return errors.sum();
  }

  /** Reports that a reader gave up, because its read took too long or found no place. */
  void gaveUp() {
    gaveUpNanos = nanoTime.getAsLong();
    if (shown.state() == PathStats.State.IN_SERVICE) {
      why = DeviceFault.SLOW.advice("");
    }
  }

  /** Whether the device is in service for writes. */
  public boolean isWritable() {
    if (!readOnly && haveWritesStalled()) {
      readOnlyStalled();
    }
    return isUsable() && !readOnly && !full;
  }

  private synchronized void readOnlyStalled() {
    if (!readOnly && haveWritesStalled()) {
      counters.trouble(Trouble.STALL);
      long millis = stallNanos * PATIENCE_WITH_WRITES / 1_000_000;
      hangs = true;
      readOnly(DeviceFault.HANG, "no write ended for " + millis + " ms", null);
    }
  }

  private boolean haveReadsStalled() {
    if (places.areUsed()) {
      return now() - readProgressNanos > stallNanos;
    }
    return ownReads.get() != 0 && now() - readProgressNanos > stallNanos * PATIENCE_WITH_WRITES;
  }

  private boolean haveWritesStalled() {
    return writes.get() != 0 && now() - writeProgressNanos > stallNanos * PATIENCE_WITH_WRITES;
  }

  private boolean makesNoProgressFor(long nanos) {
    return isBusy() && now() - progressNanos > nanos;
  }

  private boolean isBusy() {
    return places.areUsed() || ownReads.get() != 0 || writes.get() != 0;
  }

  /** Whether the next operation may take much longer than usual. */
  boolean isSlow() {
    return stalledLately || makesNoProgressFor(SLOW_NANOS);
  }

  /**
   * Takes a place inside the device for a caller's read. Waits a moment for one if the device makes
   * progress.
   *
   * @return null if there is no place
   */
  ReaderPlaces.Place tryEnter() {
    noteRead();
    ReaderPlaces.Place place = places.tryTake();
    return place == null && !makesNoProgressFor(SLOW_NANOS) ? places.await() : place;
  }

  /** Callers that wait for a place. */
  int queued() {
    return places.queued();
  }

  /** Begins a read of the log; {@link #endRead} ends it. */
  void beginRead() {
    if (ownReads.get() == 0) {
      noteRead();
    }
    ownReads.incrementAndGet();
  }

  /** Ends a read of the log, after its result was reported. */
  void endRead() {
    ownReads.decrementAndGet();
  }

  /** Begins a write or a force; {@link #endWrite} ends it. */
  void beginWrite() {
    noteStart();
    if (writes.get() == 0) {
      writeProgressNanos = now();
    }
    writes.incrementAndGet();
  }

  /** Ends a write or a force, after its result was reported. */
  void endWrite() {
    writes.decrementAndGet();
  }

  /** A caller's wait begins now, however long the log's own read takes. */
  private void noteRead() {
    noteStart();
    if (!places.areUsed()) {
      noteReadProgress(now());
    }
  }

  /**
   * Called before the operation is counted, so that no thread takes the idle time before it for a
   * stall.
   */
  private void noteStart() {
    if (!isBusy()) {
      noteProgress(now());
    }
  }

  /** Reports a successful read. */
  void readSucceeded() {
    noteReadProgress();
    succeeded();
  }

  /** Reports a successful write. It may have reached only the system's cache. */
  void written() {
    noteWriteProgress();
    succeeded();
  }

  private void succeeded() {
    if (errorsInARow.get() != 0) {
      errorsInARow.set(0);
    }
  }

  private void noteReadProgress() {
    long now = now();
    endLateness();
    noteProgress(now);
    noteReadProgress(now);
  }

  private void noteWriteProgress() {
    long now = now();
    endLateness();
    noteProgress(now);
    writeProgressNanos = now;
  }

  private void endLateness() {
    if (stalledLately && nanoTime.getAsLong() - stalledNanos > SLOW_AFTER_STALL_NANOS) {
      stalledLately = false;
    }
  }

  private void noteProgress(long now) {
    if (now - progressNanos > unnotedNanos) {
      progressNanos = now;
    }
  }

  private void noteReadProgress(long now) {
    if (now - readProgressNanos > unnotedNanos) {
      readProgressNanos = now;
    }
  }

  /** Reports a failed read. */
  public void readFailed(IOException cause) {
    counters.trouble(Trouble.READ_ERROR);
    errors.increment();
    noteReadProgress();
    DeviceFault fault = DeviceFault.of(cause);
    if (errorsInARow.incrementAndGet() >= ERRORS_IN_A_ROW) {
      takeOut(fault, fault.details(cause), cause);
    } else {
      log.tell(FaultLog.Effect.READ, fault, fault.details(cause), cause);
    }
  }

  /**
   * Reports that a note for the next start could not be read or written, which does not count
   * against the device.
   *
   * @param what what may be wrong after the next start
   */
  void noteFailed(String what, IOException cause) {
    if (!lost) {
      log.tell(FaultLog.Effect.NOTE, DeviceFault.of(cause), what, cause);
    }
  }

  /** Whether the last error had no other error right before it. */
  public boolean isOneErrorAlone() {
    return errorsInARow.get() <= 1;
  }

  /** Reports that a write failed for want of space. */
  void foundNoSpace(IOException cause) {
    noteWriteProgress();
    counters.trouble(Trouble.NO_SPACE_LEFT);
    errors.increment();
    trialAtNanos = nanoTime.getAsLong() + probeNanos;
    if (!full) {
      full = true;
      DeviceFault fault = DeviceFault.of(cause);
      tell(FaultLog.Effect.FULL, fault.isLackOfSpace() ? fault : DeviceFault.ENOSPC, "", cause);
    }
  }

  /** Reports a write that failed for another reason. */
  public void writeFailed(IOException cause) {
    noteWriteProgress();
    counters.trouble(Trouble.WRITE_ERROR);
    errors.increment();
    DeviceFault fault = DeviceFault.of(cause);
    boolean again = failedWritesInARow.incrementAndGet() >= ERRORS_IN_A_ROW || readOnly;
    if (out) {
      return;
    }
    if (again || fault == DeviceFault.EROFS) {
      readOnly(fault, fault.details(cause), cause);
    } else {
      log.tell(FaultLog.Effect.WRITE, fault, fault.details(cause), cause);
    }
  }

  /** Shows and logs what lasts. */
  private void tell(FaultLog.Effect effect, DeviceFault fault, String details, Exception cause) {
    why = fault.advice(details);
    log.tell(effect, fault, details, cause);
  }

  private synchronized void readOnly(DeviceFault fault, String details, Exception cause) {
    readOnly = true;
    trialAtNanos = nanoTime.getAsLong() + probeNanos;
    if (!readOnlyTold) {
      readOnlyTold = true;
      counters.trouble(Trouble.DEVICE_READ_ONLY);
      tell(FaultLog.Effect.READ_ONLY, fault, details, cause);
    }
  }

  /** Whether a trial write is due. */
  public boolean isTrialDue() {
    return (readOnly || full) && isUsable() && nanoTime.getAsLong() - trialAtNanos >= 0;
  }

  /** Reports that a trial write failed, or had no region to write to. */
  public void trialFailed() {
    trialAtNanos = nanoTime.getAsLong() + probeNanos;
  }

  /** Reports a successful trial write. */
  public synchronized void trialSucceeded() {
    failedWritesInARow.set(0);
    readOnly = false;
    hangs = false;
    if (readOnlyTold) {
      readOnlyTold = false;
      counters.trouble(Trouble.DEVICE_WRITABLE);
      log.ended(FaultLog.Effect.READ_ONLY);
    }
  }

  /** Reports a successful force. */
  void forced() {
    if (failedWritesInARow.get() != 0) {
      failedWritesInARow.set(0);
    }
    written();
  }

  /**
   * Whether only a whole region proves that the device can be written to. A part may have had its
   * space before.
   */
  boolean isInDoubt() {
    return full || failedWritesInARow.get() != 0;
  }

  /**
   * Reports that a whole region was written. A part proves nothing, because it may have had its
   * space before.
   */
  void wroteRegion() {
    if (full) {
      full = false;
      log.ended(FaultLog.Effect.FULL);
    }
  }

  private synchronized void takeOut(DeviceFault fault, String details, Exception cause) {
    if (out) {
      return;
    }
    probeAtNanos = nanoTime.getAsLong() + probeNanos;
    trialAtNanos = probeAtNanos;
    readOnly = true;
    out = true;
    counters.trouble(Trouble.DEVICE_OUT);
    tell(FaultLog.Effect.OUT, fault, details, cause);
  }

  /** Reports that the device could not be opened. No probe succeeds. */
  public void unopened(IOException cause) {
    takeOut(DeviceFault.UNOPENED, String.valueOf(cause.getMessage()), cause);
  }

  /** Reports that the device has left its tier, which has it out of service no more. */
  public synchronized void left() {
    if (out) {
      counters.trouble(Trouble.DEVICE_BACK);
    }
    if (readOnlyTold) {
      counters.trouble(Trouble.DEVICE_WRITABLE);
    }
  }

  /**
   * Reports that the path is not the device's any more. Nothing is read or written until {@link
   * #found}.
   *
   * @return whether that is news
   */
  public synchronized boolean lost(String change) {
    if (lost) {
      return false;
    }
    lost = true;
    counters.trouble(Trouble.PATH_LOST);
    if (out) {
      tell(FaultLog.Effect.OUT, DeviceFault.LOST, change, null);
    }
    takeOut(DeviceFault.LOST, change, null);
    return true;
  }

  /** Whether the path is not the device's any more. */
  public boolean isLost() {
    return lost;
  }

  /** Reports that the path is the device's. Then a probe may take it back. */
  public synchronized void found() {
    if (lost) {
      probeAtNanos = nanoTime.getAsLong();
      lost = false;
    }
  }

  /** Whether the device is out of service and a probe is due. */
  public boolean isProbeDue() {
    return out && !lost && nanoTime.getAsLong() - probeAtNanos >= 0;
  }

  /** Reports the result of a probe. */
  public void probed(boolean works) {
    if (!works) {
      probeAtNanos = nanoTime.getAsLong() + probeNanos;
      return;
    }
    synchronized (this) {
      if (lost) {
        return;
      }
      errorsInARow.set(0);
      progressNanos = now();
      readProgressNanos = progressNanos;
      hangs &= readOnlyTold;
      out = false;
    }
    counters.trouble(Trouble.DEVICE_BACK);
    log.ended(FaultLog.Effect.OUT);
  }

  /** Whether a write found no space, and no whole region was written afterwards. */
  public boolean isFull() {
    return full;
  }
}
