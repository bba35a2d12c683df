// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats;
import java.util.concurrent.atomic.AtomicInteger;

/** Stops one kind of use of a device after faults, and says when to try again. Thread-safe. */
abstract class Breaker {

  /** Errors without a success between them that stop the use. */
  static final int ERRORS_IN_A_ROW = 5;

  final Operations operations;
  final PathReport report;
  final AtomicInteger errorsInARow = new AtomicInteger();

  /** In service, or why not. */
  volatile PathStats.State state = PathStats.State.IN_SERVICE;

  private volatile long nextTryNanos;

  Breaker(Operations operations, PathReport report) {
    this.operations = operations;
    this.report = report;
    tryNow();
  }

  final boolean isOpen() {
    return state != PathStats.State.IN_SERVICE;
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
