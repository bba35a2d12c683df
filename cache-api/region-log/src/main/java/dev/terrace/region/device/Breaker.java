// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats.State;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.PathReport.Effect;
import java.util.concurrent.atomic.AtomicInteger;

/** A circuit breaker of a device's reads or writes, with the time of the retry. Thread-safe. */
final class Breaker {

  /** Consecutive errors that open the breaker. */
  private static final int MAX_CONSECUTIVE_ERRORS = 5;

  private final StallWatch stalls;
  private final PathReport report;
  private final Effect effect;
  private final TierFault stopped;
  private final TierFault resumed;
  private final AtomicInteger errorsInARow = new AtomicInteger();
  private volatile long nextTryNanos;

  /** {@code IN_SERVICE} while the breaker is closed, else why it is open. */
  volatile State state = State.IN_SERVICE;

  Breaker(
      StallWatch stalls, PathReport report, Effect effect, TierFault stopped, TierFault resumed) {
    this.stalls = stalls;
    this.report = report;
    this.effect = effect;
    this.stopped = stopped;
    this.resumed = resumed;
  }

  boolean isOpen() {
    return state != State.IN_SERVICE;
  }

  /** Opens the breaker. Of several threads that see the same fault, only the first one acts. */
  synchronized void stop(State next, DeviceFault fault, String details, Exception cause) {
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

  synchronized void resume() {
    clearErrors();
    if (isOpen()) {
      state = State.IN_SERVICE;
      report.counters.fault(resumed);
      report.ended(effect);
    }
  }

  /** Counts a stopped device as resumed when it leaves its tier. */
  void left() {
    if (isOpen()) {
      report.counters.fault(resumed);
    }
  }

  int errorsInARow() {
    return errorsInARow.get();
  }

  /** Counts an error. True if it is one of too many in a row. */
  boolean countError() {
    return errorsInARow.incrementAndGet() >= MAX_CONSECUTIVE_ERRORS;
  }

  void clearErrors() {
    if (errorsInARow.get() != 0) {
      errorsInARow.set(0);
    }
  }

  void tryLater() {
    nextTryNanos = stalls.nanoTime.getAsLong() + stalls.limits.probeInterval().toNanos();
  }

  void tryNow() {
    nextTryNanos = stalls.nanoTime.getAsLong();
  }

  boolean isTryDue() {
    return stalls.nanoTime.getAsLong() - nextTryNanos >= 0;
  }
}
