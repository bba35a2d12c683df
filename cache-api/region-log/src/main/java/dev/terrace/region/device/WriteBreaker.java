// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats.State;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.PathReport.Effect;
import java.io.IOException;

/**
 * Makes a device read-only when its writes fail or make no progress, until a trial write succeeds.
 * A full device is not faulty: its writes pause until a trial has written a whole region. Any
 * thread may call any method; none blocks.
 */
public final class WriteBreaker extends Breaker {

  private final ReadBreaker reads;
  private volatile boolean full;

  WriteBreaker(StallWatch stalls, PathReport report, ReadBreaker reads) {
    super(stalls, report, Effect.READ_ONLY, TierFault.DEVICE_READ_ONLY, TierFault.DEVICE_WRITABLE);
    this.reads = reads;
  }

  boolean isFull() {
    return full;
  }

  boolean isWritable() {
    if (!isOpen() && stalls.writesStalled()) {
      stop(State.SLOW, DeviceFault.HANG, stalls.writeStall(), null);
    }
    return reads.isUsable() && !isOpen() && !full;
  }

  /** Reports a successful write. It may have reached only the system's cache. */
  void succeeded() {
    stalls.writeProgress.note();
    reads.clearErrors();
  }

  /** Reports a successful force. */
  void forced() {
    clearErrors();
    succeeded();
  }

  /** Reports that a write failed for lack of space. */
  void foundNoSpace(IOException cause) {
    report.error(TierFault.NO_SPACE_LEFT);
    stalls.writeProgress.note();
    tryLater();
    if (!full) {
      DeviceFault found = DeviceFault.of(cause);
      DeviceFault fault = found.isLackOfSpace() ? found : DeviceFault.ENOSPC;
      report.fault(Effect.FULL, fault, "", cause);
      full = true;
    }
  }

  /** Reports a write that failed for another reason. */
  public void failed(IOException cause) {
    report.error(TierFault.WRITE_ERROR);
    stalls.writeProgress.note();
    DeviceFault fault = DeviceFault.of(cause);
    boolean isRepeated = errorsInARow.incrementAndGet() >= MAX_CONSECUTIVE_ERRORS || isOpen();
    if (reads.isOpen()) {
      return;
    }
    if (isRepeated || fault == DeviceFault.EROFS) {
      tryLater();
      stop(State.READ_ONLY, fault, fault.details(cause), cause);
    } else {
      report.fault(Effect.WRITE, fault, fault.details(cause), cause);
    }
  }

  /**
   * Whether only the write of a whole region proves that the device can be written to. A part of
   * one may have had its space before.
   */
  boolean isInDoubt() {
    return full || errorsInARow.get() != 0;
  }

  /** Reports that a whole region was written. */
  void wroteRegion() {
    if (full) {
      full = false;
      report.ended(Effect.FULL);
    }
  }

  /** Whether a trial write is due. */
  public boolean isTrialDue() {
    return (isOpen() || full) && reads.isUsable() && isTryDue();
  }

  /** Reports the result of a trial write, which also fails if it has no region to write to. */
  public void tried(boolean works) {
    if (works) {
      resume();
    } else {
      tryLater();
    }
  }
}
