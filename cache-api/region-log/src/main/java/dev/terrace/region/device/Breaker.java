// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats.State;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.PathReport.Effect;
import java.util.concurrent.atomic.AtomicInteger;

/** A circuit breaker of a device's reads or writes, with the time of the retry. Thread-safe. */
abstract class Breaker {

  /** Consecutive errors that open the breaker. */
  static final int MAX_CONSECUTIVE_ERRORS = 5;

  final StallWatch stalls;
  final PathReport report;
  final AtomicInteger errorsInARow = new AtomicInteger();

  /** {@code IN_SERVICE} while the breaker is closed, else why it is open. */
  volatile State state = State.IN_SERVICE;

  private final Effect effect;
  private final TierFault stopped;
  private final TierFault resumed;
  volatile long nextTryNanos;

  /**
   * A closed breaker: the device may be used.
   *
   * @param stopped counted when the breaker opens
   * @param resumed counted when the breaker closes
   */
  Breaker(
      StallWatch stalls, PathReport report, Effect effect, TierFault stopped, TierFault resumed) {
    this.stalls = stalls;
    this.report = report;
    this.effect = effect;
    this.stopped = stopped;
    this.resumed = resumed;
  }

  final boolean isOpen() {
    return state != State.IN_SERVICE;
  }

  /** Opens the breaker. Of several threads that see the same fault, only the first one acts. */
  final synchronized void stop(State next, DeviceFault fault, String details, Exception cause) {
    if (isOpen()) {
      return;
    }
    tryLater();
    if (fault == DeviceFault.HANG) {
      report.counters.fault(TierFault.STALL);
    }
    report.counters.fault(stopped);
    report.fault(effect, fault, details, cause);
    state = next;
  }

  final synchronized void resume() {
    clearErrors();
    if (isOpen()) {
      state = State.IN_SERVICE;
      report.counters.fault(resumed);
      report.ended(effect);
    }
  }

  /** Counts a stopped device as resumed when it leaves its tier. */
  final void left() {
    if (isOpen()) {
      report.counters.fault(resumed);
    }
  }

  final void clearErrors() {
    if (errorsInARow.get() != 0) {
      errorsInARow.set(0);
    }
  }

  final void tryLater() {
    nextTryNanos = stalls.nanoTime.getAsLong() + stalls.limits.probeInterval().toNanos();
  }

  final boolean isTryDue() {
    return stalls.nanoTime.getAsLong() - nextTryNanos >= 0;
  }
}
