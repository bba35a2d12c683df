// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Times what readers read from HBase's store: from a lookup that missed to the put of its block by
 * the same thread. Call it for readers alone. Thread-safe.
 */
final class StoreReads {

  /**
   * How many blocks to remember as read ahead, a power of two. One that is forgotten counts as a
   * read.
   */
  private static final int AHEAD = 1024;

  /** The last miss of a thread. */
  private static final class Miss {
    long keyHash;
    long nanos;
  }

  private final ThreadLocal<Miss> misses = ThreadLocal.withInitial(Miss::new);
  private final LongSupplier nanoTime;
  private final LongConsumer times;

  /**
   * Hashes of the keys that follow a block read lately. A scan's stream, or the file system, may
   * have them in memory already, so they say nothing about the store. Threads race here: no matter.
   */
  private final long[] ahead = new long[AHEAD];

  /**
   * Measures with a clock.
   *
   * @param times receives nanoseconds
   */
  StoreReads(LongSupplier nanoTime, LongConsumer times) {
    this.nanoTime = nanoTime;
    this.times = times;
  }

  /** Begins a reader's time, after its last lookup before it reads. */
  void missed(CacheFile file, long offset) {
    Miss miss = misses.get();
    miss.keyHash = BlockKey.hash(file, offset);
    miss.nanos = nanoTime.getAsLong();
  }

  /** Ends a reader's time, if this is the block that it missed last. */
  void fetched(CacheFile file, long offset, Cacheable block) {
    Miss miss = misses.get();
    long keyHash = BlockKey.hash(file, offset);
    if (miss.nanos == 0 || miss.keyHash != keyHash) {
      return;
    }
    if (ahead[place(keyHash)] != keyHash) {
      times.accept(nanoTime.getAsLong() - miss.nanos);
    }
    miss.nanos = 0;
    if (block instanceof HFileBlock read) {
      long next = BlockKey.hash(file, offset + read.getOnDiskSizeWithHeader());
      ahead[place(next)] = next;
    }
  }

  private static int place(long keyHash) {
    return (int) keyHash & (AHEAD - 1);
  }
}
