// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.tools.trace.Trace;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;

/** Other caches: exact simulations of policies, and HBase's own BucketCache. */
enum Peer {
  /** Least recently used. */
  LRU("LRU") {
    @Override
    long hits(Trace trace, long capacityBytes) {
      Map<Integer, Integer> sizes = new LinkedHashMap<>(16, 0.75f, true);
      long[] freeBytes = {capacityBytes};
      return trace.hits(
          block -> {
            if (sizes.get(block) != null) {
              return true;
            }
            int sizeBytes = trace.sizeBytes(block);
            if (sizeBytes <= capacityBytes) {
              sizes.put(block, sizeBytes);
              freeBytes[0] -= sizeBytes;
              Iterator<Integer> eldest = sizes.values().iterator();
              while (freeBytes[0] < 0) {
                freeBytes[0] += eldest.next();
                eldest.remove();
              }
            }
            return false;
          });
    }
  },

  /** Caffeine, which is W-TinyLFU with an adaptive window; it is told every access. */
  W_TINY_LFU("W-TinyLFU (Caffeine)") {
    @Override
    long hits(Trace trace, long capacityBytes) {
      // Weights are counted in units, to keep them small.
      int unitBytes = trace.unitBytes();
      Cache<Integer, Integer> weights =
          Caffeine.newBuilder()
              .executor(Runnable::run)
              .maximumWeight(capacityBytes / unitBytes)
              .<Integer, Integer>weigher((block, weight) -> weight)
              .build();
      return trace.hits(
          block -> {
            boolean isHit = weights.getIfPresent(block) != null;
            if (!isHit) {
              weights.put(block, trace.sizeBytes(block) / unitBytes);
            }
            return isHit;
          });
    }
  },

  /** The upper bound of all caches; it knows the future. */
  OPTIMUM("Belady's optimum") {
    @Override
    long hits(Trace trace, long capacityBytes) {
      return optimum(trace, capacityBytes);
    }
  };

  private static final int NEVER = Integer.MAX_VALUE;

  private final String title;

  Peer(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  abstract long hits(Trace trace, long capacityBytes);

  /**
   * The best that a cache with knowledge of the future can do: it keeps the blocks whose next use
   * is nearest, and rejects a block whose next use is farther than that of every block it would
   * displace.
   *
   * <p>With blocks of one size, this is the most hits of any cache that loads a block on demand and
   * may reject it (Belady, "A study of replacement algorithms for a virtual-storage computer",
   * 1966; with bypass). With several sizes it is an approximation, because the exact optimum is
   * infeasible to compute: a good policy may then have more hits.
   */
  private static long optimum(Trace trace, long capacityBytes) {
    int[] nextUses = new int[trace.length()];
    int[] nextOfBlock = new int[trace.distinctBlocks()];
    Arrays.fill(nextOfBlock, NEVER);
    for (int access = trace.length() - 1; access >= 0; access--) {
      nextUses[access] = nextOfBlock[trace.block(access)];
      nextOfBlock[trace.block(access)] = access;
    }
    // By next use, which differs for all residents; the last one is the farthest.
    TreeSet<Integer> residents = new TreeSet<>();
    long freeBytes = capacityBytes;
    long hits = 0;
    for (int access = 0; access < trace.length(); access++) {
      int sizeBytes = trace.sizeBytes(trace.block(access));
      int next = nextUses[access];
      if (residents.remove(access)) {
        hits++;
        freeBytes += sizeBytes;
      }
      if (next == NEVER) {
        continue;
      }
      while (freeBytes < sizeBytes && !residents.isEmpty() && residents.last() > next) {
        freeBytes += trace.sizeBytes(trace.block(residents.pollLast()));
      }
      if (freeBytes >= sizeBytes) {
        residents.add(next);
        freeBytes -= sizeBytes;
      }
    }
    return hits;
  }

  /**
   * HBase's own BucketCache (engine {@code offheap}) with real, small data blocks, in buckets of
   * their size. After each miss the replay waits for its writers, so that each run is the same and
   * no block is dropped because a queue is full.
   */
  static final class ReplayedBucketCache implements AutoCloseable {

    /** The size of a stored block; BucketCache needs a multiple of 256. */
    private static final int STORED_BYTES = 1024;

    private static final int DATA_BYTES =
        STORED_BYTES - HConstants.HFILEBLOCK_HEADER_SIZE - HFileBlock.BLOCK_METADATA_SPACE;

    private static final int SPINS = 300;
    private static final long SETTLE_LIMIT_NANOS = Duration.ofSeconds(10).toNanos();

    private final BlockSet blocks;
    private final BlockCacheKey[] keys;
    private final BucketCache cache;

    /**
     * Opens an empty cache.
     *
     * @param trace with blocks of one size
     * @param capacityBytes in the trace's measure
     */
    ReplayedBucketCache(Trace trace, long capacityBytes) throws IOException {
      this.blocks = BlockSet.ofOneSize(trace.distinctBlocks(), DATA_BYTES);
      this.keys = blocks.newKeys();
      this.cache =
          CacheKind.bucketCache(
              "offheap",
              capacityBytes / trace.unitBytes() * STORED_BYTES,
              STORED_BYTES,
              new int[] {STORED_BYTES});
    }

    /** Looks up a block, and puts it on a miss; true for a hit. */
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

    /** A writer thread finishes a block by adding it to the map or by counting a failure. */
    private void awaitWritten(BlockCacheKey key) {
      long failures = cache.getStats().getFailedInserts();
      long start = System.nanoTime();
      int spins = 0;
      while (!cache.getBackingMap().containsKey(key)
          && cache.getStats().getFailedInserts() == failures
          && System.nanoTime() - start < SETTLE_LIMIT_NANOS) {
        // A writer takes microseconds; one that takes longer waits for a core, perhaps this one.
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
}
