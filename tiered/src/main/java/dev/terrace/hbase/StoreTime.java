// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/**
 * How long readers take to get from the store what they missed: from a lookup to the put by the
 * same thread. Thread-safe; of two updates at once, one may be lost.
 */
final class StoreTime {

  /** Inverse of the share of the median by which an update moves it. */
  private static final int STEPS = 32;

  /** The last miss of a thread. */
  private static final class Miss {
    int keyHash;
    long nanos;
  }

  private final ThreadLocal<Miss> misses = ThreadLocal.withInitial(Miss::new);
  private final LongSupplier nanoTime;
  private volatile long medianNanos;

  StoreTime(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Begins a reader's time, which a hit of the same reader would not end. */
  void missed(BlockCacheKey key) {
    Miss miss = misses.get();
    miss.keyHash = key.hashCode();
    miss.nanos = nanoTime.getAsLong();
  }

  /** Ends a reader's time, if this is the block that it missed last. */
  void fetched(BlockCacheKey key) {
    Miss miss = misses.get();
    if (miss.nanos != 0 && miss.keyHash == key.hashCode()) {
      long took = nanoTime.getAsLong() - miss.nanos;
      long median = medianNanos;
      long step = Long.signum(took - median) * Math.max(1, median / STEPS);
      medianNanos = median == 0 ? took : median + step;
      miss.nanos = 0;
    }
  }

  /** About the median of the last readers' times; 0 if there was none. */
  long medianNanos() {
    return medianNanos;
  }
}
