// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** What operators see of a device: its condition, counts of trouble, and log lines. Thread-safe. */
final class PathReport {

  /** A device is shown as slow for this long after a reader gave up. */
  private static final long SLOW_AFTER_GIVING_UP_NANOS = TimeUnit.SECONDS.toNanos(15);

  final TierCounters counters;
  final FaultLog log;
  private final LongSupplier nanoTime;
  private final LongAdder errors = new LongAdder();
  private volatile long gaveUpNanos;
  private volatile String why = "";
  private PathStats.Condition shown =
      new PathStats.Condition(PathStats.State.IN_SERVICE, Instant.now(), "");

  PathReport(String path, LongSupplier nanoTime, TierCounters counters) {
    this.counters = counters;
    this.log = new FaultLog(path, nanoTime);
    this.nanoTime = nanoTime;
    this.gaveUpNanos = nanoTime.getAsLong() - SLOW_AFTER_GIVING_UP_NANOS;
  }

  /** The condition, by what the breakers say. Its time is that of the first call that found it. */
  synchronized PathStats.Condition condition(PathStats.State state) {
    if (state != PathStats.State.IN_SERVICE) {
      show(state, why);
    } else if (nanoTime.getAsLong() - gaveUpNanos < SLOW_AFTER_GIVING_UP_NANOS) {
      show(PathStats.State.SLOW, DeviceFault.SLOW.advice(""));
    } else {
      show(state, "");
    }
    return shown;
  }

  private void show(PathStats.State state, String reason) {
    if (state != shown.state()) {
      shown = new PathStats.Condition(state, Instant.now(), reason);
    }
  }

  /** Reads and writes that failed. */
  long errors() {
    return errors.sum();
  }

  void error(Trouble trouble) {
    counters.trouble(trouble);
    errors.increment();
  }

  /** Reports that a reader gave up, because its read took too long or found no place. */
  void gaveUp() {
    gaveUpNanos = nanoTime.getAsLong();
  }

  /** Logs a fault, and shows it from the next change of the state on. */
  void changing(FaultLog.Effect effect, DeviceFault fault, String details, Exception cause) {
    why = fault.advice(details);
    log.tell(effect, fault, details, cause);
  }
}
