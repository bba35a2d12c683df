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
package dev.terrace.bench.churn;

import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.ZipfDistribution;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/** Reads blocks through a cache as HBase does: a miss is put. Checks the bytes of every hit. */
final class ChurnWorker implements Callable<Void> {

  private final BlockCache cache;
  private final BlockSet blocks;
  private final BlockCacheKey[] keys;
  private final ZipfDistribution popularity;
  private final SplittableRandom random;
  private final Counts counts;
  private final BooleanSupplier running;

  /** What all workers did. */
  static final class Counts {
    final LongAdder gets = new LongAdder();
    final LongAdder puts = new LongAdder();
    final LongAdder putBytes = new LongAdder();
  }

  /**
   * @param seed another for each worker
   * @param running whether to go on
   */
  ChurnWorker(
      BlockCache cache,
      BlockSet blocks,
      ZipfDistribution popularity,
      long seed,
      Counts counts,
      BooleanSupplier running) {
    this.cache = cache;
    this.blocks = blocks;
    this.keys = blocks.newKeys();
    this.popularity = popularity;
    this.random = new SplittableRandom(seed);
    this.counts = counts;
    this.running = running;
  }

  @Override
  public Void call() {
    while (running.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
      read((int) popularity.sample(random));
    }
    return null;
  }

  private void read(int block) {
    Cacheable found = cache.getBlock(keys[block], true, false, true);
    counts.gets.increment();
    if (found != null) {
      try {
        blocks.verify(block, found);
      } finally {
        found.release();
      }
      return;
    }
    HFileBlock missed = blocks.newBlock(block);
    cache.cacheBlock(keys[block], missed);
    missed.release();
    counts.puts.increment();
    counts.putBytes.add(blocks.payloadBytes(block));
  }
}
