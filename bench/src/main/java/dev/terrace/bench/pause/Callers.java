/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.pause;

import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.LoadedCache;
import dev.terrace.bench.workload.NewBlocks;
import dev.terrace.bench.workload.ZipfKeys;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * What a region server asks of its cache, on one thread: gets of blocks that are read often, one
 * after the other, and now and then a put of a new block. Every call is timed.
 */
final class Callers {

  private static final long PUT_EVERY_NANOS = 20_000;
  private static final int DRAWS = 1 << 16;
  private static final int BLOCKS_BEFORE_PAUSE = 16;

  private final BlockCache cache;
  private final BlockSet hot;
  private final BlockCacheKey[] keys;
  private final int[] sequence;
  private final NewBlocks created;
  private int next;

  /** The calls that were made while something went on. */
  static final class Calls {
    private final Histogram gets = LatencyNanos.newHistogram();
    private final Histogram puts = LatencyNanos.newHistogram();
    private long misses;
    private long refused;

    /** All of them. */
    Pause during(String what) {
      return new Pause(
          what,
          LatencyNanos.of(gets),
          LatencyNanos.of(puts),
          1 - (double) misses / Math.max(1, gets.getTotalCount()),
          // A get that misses puts its block, too.
          (double) refused / Math.max(1, puts.getTotalCount() + misses));
    }
  }

  /**
   * The times of calls beside one activity.
   *
   * @param during what went on
   * @param gets the time of a get with its release
   * @param puts the time of a put
   * @param hitShare the share of gets that hit
   * @param refusedShare the share of puts that were refused
   */
  record Pause(
      String during, LatencyNanos gets, LatencyNanos puts, double hitShare, double refusedShare) {}

  /**
   * Callers of a cache.
   *
   * @param hot the blocks that are read often, all resident
   * @param blockSizeBytes of the new ones
   */
  Callers(BlockCache cache, CacheKind kind, BlockSet hot, int blockSizeBytes) {
    this.cache = cache;
    this.hot = hot;
    this.keys = hot.newKeys();
    this.sequence = ZipfKeys.draw(keys.length, DRAWS, 0);
    this.created = new NewBlocks(kind, blockSizeBytes);
  }

  /**
   * Calls, for as long as a condition holds.
   *
   * @param calls takes the times
   */
  void callWhile(BooleanSupplier condition, Calls calls) {
    long refusedBefore = LoadedCache.refusals(cache);
    long nextPut = System.nanoTime();
    while (condition.getAsBoolean()) {
      int block = sequence[next++ & (DRAWS - 1)];
      long start = System.nanoTime();
      boolean hit = get(keys[block]);
      long end = System.nanoTime();
      calls.gets.recordValue(end - start);
      if (!hit) {
        calls.misses++;
        cache.cacheBlock(keys[block], hot.newBlock(block));
      }
      if (end >= nextPut) {
        long beforePut = System.nanoTime();
        created.putNext(cache);
        calls.puts.recordValue(System.nanoTime() - beforePut);
        nextPut = end + PUT_EVERY_NANOS;
      }
    }
    calls.refused += LoadedCache.refusals(cache) - refusedBefore;
  }

  /** Puts new blocks without counting them. */
  void put(long blocks) {
    for (long i = 0; i < blocks; i++) {
      created.putNext(cache);
      if (i % BLOCKS_BEFORE_PAUSE == 0) {
        Await.nanoTime(System.nanoTime() + PUT_EVERY_NANOS);
      }
    }
  }

  private boolean get(BlockCacheKey key) {
    Cacheable found = cache.getBlock(key, true, false, true);
    if (found != null) {
      found.release();
    }
    return found != null;
  }

  /** Evicts the new blocks. */
  void evictCreated() {
    created.evictAll(cache);
  }

  /** Times nothing at all, for as long as a condition holds: the clock, and what stops a thread. */
  static LatencyNanos timeNothingWhile(BooleanSupplier condition) {
    Histogram nothing = LatencyNanos.newHistogram();
    while (condition.getAsBoolean()) {
      long start = System.nanoTime();
      nothing.recordValue(System.nanoTime() - start);
    }
    return LatencyNanos.of(nothing);
  }
}
