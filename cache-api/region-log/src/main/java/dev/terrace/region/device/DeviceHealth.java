// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats;
import dev.terrace.api.PathStats.State;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.PathReport.Effect;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Decides whether a device is used. The read breaker takes it out of service after consecutive
 * errors, when reads make no progress, or when its path is lost, until a probe succeeds. The write
 * breaker makes it read-only when writes fail or make no progress, until a trial write succeeds. A
 * full device is not faulty: its writes pause until a trial has written a whole region.
 *
 * <p>Any thread may call any method; none blocks.
 */
public final class DeviceHealth {

  final StallWatch stalls;
  final ReaderBound bound;
  final PathReport report;
  final Breaker reads;
  private final Breaker writes;
  private volatile boolean full;

  public DeviceHealth(String path, IoLimits limits, LongSupplier nanoTime, TierCounters counters) {
    this.stalls = new StallWatch(limits, nanoTime);
    this.bound = new ReaderBound(stalls, nanoTime);
    this.report = new PathReport(path, nanoTime, counters);
    this.reads =
        new Breaker(stalls, report, Effect.OUT, TierFault.DEVICE_OUT, TierFault.DEVICE_BACK);
    this.writes =
        new Breaker(
            stalls,
            report,
            Effect.READ_ONLY,
            TierFault.DEVICE_READ_ONLY,
            TierFault.DEVICE_WRITABLE);
  }

  /** Whether the device is in service. */
  public boolean isUsable() {
    if (!reads.isOpen() && stalls.readsStalled()) {
      reads.stop(State.SLOW, DeviceFault.HANG, stalls.readStall(), null);
    }
    return !reads.isOpen();
  }

  /** Whether all callers may read: not out of service, and faster than the store. */
  public boolean servesAll() {
    return isUsable() && !bound.isInForce();
  }

  /** Whether the device is in service for writes. */
  public boolean isWritable() {
    if (!writes.isOpen() && stalls.writesStalled()) {
      writes.stop(State.SLOW, DeviceFault.HANG, stalls.writeStall(), null);
    }
    return isUsable() && !writes.isOpen() && !full;
  }

  /** Whether a write found no space, and no whole region was written afterwards. */
  public boolean isFull() {
    return full;
  }

  /** Whether the device no longer owns its path. */
  public boolean isLost() {
    return reads.state == State.LOST;
  }

  /** Reports that a reader gave up, because its read took too long or found no place. */
  void gaveUp(TierFault fault) {
    report.counters.fault(fault);
    bound.gaveUp();
  }

  /** Reports that a block or region was damaged. */
  public void damaged(TierFault fault) {
    report.damaged(fault);
  }

  /** Reports how long a reader took to get a block from the store below the cache. */
  public void storeRead(long nanos) {
    bound.storeRead(nanos);
  }

  void readSucceeded() {
    stalls.readProgress.note();
    reads.clearErrors();
  }

  public void readFailed(IOException cause) {
    report.error(TierFault.READ_ERROR);
    stalls.readProgress.note();
    DeviceFault fault = DeviceFault.of(cause);
    if (reads.countError()) {
      reads.stop(State.OUT, fault, fault.details(cause), cause);
    } else {
      report.fault(Effect.READ, fault, fault.details(cause), cause);
    }
  }

  /** Whether the last failed read was isolated: no other error came right before it. */
  public boolean isOneErrorAlone() {
    return reads.errorsInARow() <= 1;
  }

  /**
   * Reports that the device could not be opened. It never passes a probe; another device replaces
   * it.
   */
  public void unopened(IOException cause) {
    reads.stop(State.OUT, DeviceFault.UNOPENED, String.valueOf(cause.getMessage()), cause);
  }

  /**
   * Reports that the device no longer owns its path. Nothing is read or written until {@link
   * #found}.
   *
   * @return whether this was not known yet
   */
  public boolean lost(String change) {
    synchronized (reads) {
      if (isLost()) {
        return false;
      }
      report.counters.fault(TierFault.PATH_LOST);
      if (reads.isOpen()) {
        report.fault(Effect.OUT, DeviceFault.LOST, change, null);
        reads.state = State.LOST;
      } else {
        reads.stop(State.LOST, DeviceFault.LOST, change, null);
      }
      return true;
    }
  }

  /** Reports that the device owns its path again. A probe may then bring it back. */
  public void found() {
    synchronized (reads) {
      if (isLost()) {
        reads.tryNow();
        reads.state = State.OUT;
      }
    }
  }

  /** Whether the device is out of service and a probe is due. */
  public boolean isProbeDue() {
    return reads.isOpen() && !isLost() && reads.isTryDue();
  }

  public void probed(boolean works) {
    synchronized (reads) {
      if (!works) {
        reads.tryLater();
      } else if (!isLost()) {
        stalls.readProgress.note();
        reads.resume();
      }
    }
  }

  /** Reports a successful write. It may have reached only the system's cache. */
  void writeSucceeded() {
    stalls.writeProgress.note();
    reads.clearErrors();
  }

  void forced() {
    writes.clearErrors();
    writeSucceeded();
  }

  void foundNoSpace(IOException cause) {
    report.error(TierFault.NO_SPACE_LEFT);
    stalls.writeProgress.note();
    writes.tryLater();
    if (!full) {
      DeviceFault fault = DeviceFault.of(cause);
      report.fault(Effect.FULL, fault.isLackOfSpace() ? fault : DeviceFault.ENOSPC, "", cause);
      full = true;
    }
  }

  /** Reports a write that failed for another reason. */
  void writeFailed(IOException cause) {
    report.error(TierFault.WRITE_ERROR);
    stalls.writeProgress.note();
    DeviceFault fault = DeviceFault.of(cause);
    boolean isRepeated = writes.countError() || writes.isOpen();
    if (reads.isOpen()) {
      return;
    }
    if (isRepeated || fault == DeviceFault.EROFS) {
      writes.tryLater();
      writes.stop(State.READ_ONLY, fault, fault.details(cause), cause);
    } else {
      report.fault(Effect.WRITE, fault, fault.details(cause), cause);
    }
  }

  /**
   * Whether only the write of a whole region proves that the device can be written to. A part of
   * one may have had its space before.
   */
  boolean isInDoubt() {
    return full || writes.errorsInARow() != 0;
  }

  void wroteRegion() {
    if (full) {
      full = false;
      report.ended(Effect.FULL);
    }
  }

  public boolean isTrialDue() {
    return (writes.isOpen() || full) && isUsable() && writes.isTryDue();
  }

  /** Reports the result of a trial write, which also fails if it has no region to write to. */
  public void tried(boolean works) {
    if (works) {
      writes.resume();
    } else {
      writes.tryLater();
    }
  }

  /** Detects stalls even when no I/O checks for them. Call about once a second. */
  public void poll() {
    // Detects stalls of reads and of writes.
    isWritable();
    condition();
    report.remind();
  }

  /** The condition that operators see, timed from the first call that found it. */
  public PathStats.Condition condition() {
    return report.condition(
        reads.isOpen() ? reads.state : full && !writes.isOpen() ? State.FULL : writes.state,
        bound.isAvoided());
  }

  /**
   * Reports that recovery metadata could not be read or written. This does not count against the
   * device.
   *
   * @param what what may be wrong after the next start
   */
  void recordFailed(String what, IOException cause) {
    if (!isLost()) {
      report.fault(Effect.METADATA, DeviceFault.of(cause), what, cause);
    }
  }

  /** Reports that the device has left its tier, and so is no longer out of service there. */
  public void left() {
    reads.left();
    writes.left();
  }
}
