// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats.State;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.PathReport.Effect;
import java.io.IOException;

/**
 * Takes a device out of service after consecutive errors, when reads make no progress, or when its
 * path is lost. A successful probe brings it back. Any thread may call any method; none blocks.
 */
public final class ReadBreaker extends Breaker {

  ReadBreaker(StallWatch stalls, PathReport report) {
    super(stalls, report, Effect.OUT, TierFault.DEVICE_OUT, TierFault.DEVICE_BACK);
  }

  boolean isUsable() {
    if (!isOpen() && stalls.readsStalled()) {
      stop(State.SLOW, DeviceFault.HANG, stalls.readStall(), null);
    }
    return !isOpen();
  }

  /** Reports a successful read. */
  void succeeded() {
    stalls.readProgress.note();
    clearErrors();
  }

  /** Reports a failed read. */
  public void failed(IOException cause) {
    report.error(TierFault.READ_ERROR);
    stalls.readProgress.note();
    DeviceFault fault = DeviceFault.of(cause);
    if (errorsInARow.incrementAndGet() >= MAX_CONSECUTIVE_ERRORS) {
      stop(State.OUT, fault, fault.details(cause), cause);
    } else {
      report.fault(Effect.READ, fault, fault.details(cause), cause);
    }
  }

  /** Whether the last error was isolated: no other error came right before it. */
  public boolean isOneErrorAlone() {
    return errorsInARow.get() <= 1;
  }

  /**
   * Reports that the device could not be opened. It never passes a probe; another device replaces
   * it.
   */
  public void unopened(IOException cause) {
    stop(State.OUT, DeviceFault.UNOPENED, String.valueOf(cause.getMessage()), cause);
  }

  /**
   * Reports that the device no longer owns its path. Nothing is read or written until {@link
   * #found}.
   *
   * @return whether this was not known yet
   */
  public synchronized boolean lost(String change) {
    if (state == State.LOST) {
      return false;
    }
    report.counters.fault(TierFault.PATH_LOST);
    if (isOpen()) {
      report.fault(Effect.OUT, DeviceFault.LOST, change, null);
      state = State.LOST;
    } else {
      stop(State.LOST, DeviceFault.LOST, change, null);
    }
    return true;
  }

  /** Reports that the device owns its path again. A probe may then bring it back. */
  public synchronized void found() {
    if (state == State.LOST) {
      nextTryNanos = stalls.nanoTime.getAsLong();
      state = State.OUT;
    }
  }

  /** Whether the device is out of service and a probe is due. */
  public boolean isProbeDue() {
    return isOpen() && state != State.LOST && isTryDue();
  }

  /** Reports the result of a probe. */
  public synchronized void probed(boolean works) {
    if (!works) {
      tryLater();
    } else if (state != State.LOST) {
      stalls.readProgress.note();
      resume();
    }
  }
}
