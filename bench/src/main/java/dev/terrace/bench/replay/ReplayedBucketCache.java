// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import dev.terrace.bench.replay.ReplayedTiers.StoredScale;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;

/**
 * HBase's own BucketCache (engine {@code offheap}) with real, small data blocks. In a server it is
 * the whole cache of data blocks, since the heap cache in front of it takes indexes and bloom
 * filters only.
 *
 * <p>Its buckets have exactly the sizes of the blocks, so that it loses no room to rounding, as it
 * does in a server. After each miss the writer threads are waited for: a replay is the same each
 * time, and nothing is dropped because a queue is full.
 */
final class ReplayedBucketCache implements AutoCloseable {

  /** Size of a stored block; BucketCache needs a multiple of 256. */
  private static final int STORED_BYTES = 1024;

  private static final int DATA_BYTES =
      STORED_BYTES - HConstants.HFILEBLOCK_HEADER_SIZE - HFileBlock.BLOCK_METADATA_SPACE;

  /** A writer needs some microseconds; one that takes longer waits for a core, maybe for ours. */
  private static final int SPINS = 300;

  private static final long SETTLE_LIMIT_NANOS = Duration.ofSeconds(10).toNanos();

  private final BlockSet blocks;
  private final BlockCacheKey[] keys;
  private final BucketCache cache;

  /**
   * Opens an empty cache.
   *
   * @param capacityBytes in the trace's measure
   * @throws IllegalArgumentException if the blocks of the trace have several sizes
   */
  ReplayedBucketCache(Trace trace, long capacityBytes) throws IOException {
    if (!StoredScale.hasOneSize(trace)) {
      throw new IllegalArgumentException("BucketCache is replayed with blocks of one size only");
    }
    this.blocks = BlockSet.ofOneSize(trace.distinctBlocks(), DATA_BYTES);
    this.keys = blocks.newKeys();
    this.cache =
        CacheKind.bucketCache(
            "offheap",
            capacityBytes / trace.unitBytes() * STORED_BYTES,
            STORED_BYTES,
            new int[] {STORED_BYTES},
            null,
            HBaseConfiguration.create());
  }

  /** Looks a block up, and brings it on a miss; true for a hit. */
  boolean access(int block) {
    BlockCacheKey key = keys[block];
    if (blocks.isHit(block, cache.getBlock(key, true, false, true))) {
      return true;
    }
    HFileBlock missing = blocks.newBlock(block);
    cache.cacheBlock(key, missing, false, true);
    missing.release();
    awaitWritten(key);
    return false;
  }

  /** A writer thread ends with a block by adding it to the map, or by counting a failure. */
  private void awaitWritten(BlockCacheKey key) {
    long failures = cache.getStats().getFailedInserts();
    long start = System.nanoTime();
    int spins = 0;
    while (!cache.getBackingMap().containsKey(key)
        && cache.getStats().getFailedInserts() == failures
        && System.nanoTime() - start < SETTLE_LIMIT_NANOS) {
      if (spins++ < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(1);
      }
    }
  }

  @Override
  public void close() {
    cache.shutdown();
  }
}
