// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats;
import java.util.concurrent.atomic.LongAdder;

/** How long operations of a device took. Any thread may call any method. */
final class IoTimes {

  private final LongAdder count = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /** Counts an operation that has just ended. */
  void since(long startNanos) {
    count.increment();
    nanos.add(System.nanoTime() - startNanos);
  }

  /** All operations so far. */
  PathStats.Times sum() {
    return new PathStats.Times(count.sum(), nanos.sum());
  }
}
