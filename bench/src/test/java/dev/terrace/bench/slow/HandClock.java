// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

import dev.terrace.bench.slow.SlowStore.SlowClock;
import java.util.ArrayList;
import java.util.List;

/** A clock that only waiting moves, and that remembers the waits. */
final class HandClock extends SlowClock {

  private final List<Long> waitsNanos = new ArrayList<>();
  private long nowNanos;

  HandClock(long startNanos) {
    this.nowNanos = startNanos;
  }

  @Override
  long nanoTime() {
    return nowNanos;
  }

  @Override
  void awaitNanoTime(long deadlineNanos) {
    waitsNanos.add(deadlineNanos - nowNanos);
    nowNanos = deadlineNanos;
  }

  List<Long> waitsNanos() {
    return waitsNanos;
  }
}
