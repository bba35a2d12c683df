// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats.State;
import dev.terrace.api.Trouble;
import dev.terrace.region.device.PathReport.Effect;
import java.util.concurrent.atomic.AtomicInteger;

/** Stops one kind of use of a device after faults, and says when to try again. Thread-safe. */
abstract class Breaker {

  /** Errors without a success between them that stop the use. */
  static final int ERRORS_IN_A_ROW = 5;

  final Operations operations;
  final PathReport report;
  final AtomicInteger errorsInARow = new AtomicInteger();

  /** In service, or why not. */
  volatile State state = State.IN_SERVICE;

  private final Effect effect;
  private final Trouble stopped;
  private final Trouble resumed;
  private volatile long nextTryNanos;

  /**
   * A breaker that lets the device be used.
   *
   * @param stopped counted when the use stops
   * @param resumed counted when it goes on
   */
  Breaker(
      Operations operations, PathReport report, Effect effect, Trouble stopped, Trouble resumed) {
    this.operations = operations;
    this.report = report;
    this.effect = effect;
    this.stopped = stopped;
    this.resumed = resumed;
    tryNow();
  }

  final boolean isOpen() {
    return state != State.IN_SERVICE;
  }

  /** Stops the use. Of threads that see the same fault, the first one acts. */
  final synchronized void stop(State next, DeviceFault fault, String details, Exception cause) {
    if (isOpen()) {
      return;
    }
    tryLater();
    if (fault == DeviceFault.HANG) {
      report.counters.trouble(Trouble.STALL);
    }
    report.counters.trouble(stopped);
    report.fault(effect, fault, details, cause);
    state = next;
  }

  final synchronized void resume() {
    clearErrors();
    if (isOpen()) {
      state = State.IN_SERVICE;
      report.counters.trouble(resumed);
      report.ended(effect);
    }
  }

  /** Counts a device that leaves its tier as one whose use is stopped no more. */
  final void left() {
    if (isOpen()) {
      report.counters.trouble(resumed);
    }
  }

  final void clearErrors() {
    if (errorsInARow.get() != 0) {
      errorsInARow.set(0);
    }
  }

  final void tryLater() {
    nextTryNanos = operations.nanoTime.getAsLong() + operations.limits.probeInterval().toNanos();
  }

  final void tryNow() {
    nextTryNanos = operations.nanoTime.getAsLong();
  }

  final boolean isTryDue() {
    return operations.nanoTime.getAsLong() - nextTryNanos >= 0;
  }
}
