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
package dev.terrace.bench.jmh;

import dev.terrace.bench.workload.BenchmarkJvm;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.KeyDistribution;
import dev.terrace.bench.workload.LoadedCache;
import dev.terrace.bench.workload.NewBlocks;
import dev.terrace.bench.workload.Refusals;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * A full cache: puts of new blocks, for which it makes room, and the same between gets of blocks
 * that are read often, a quarter of the cache's size. A get that misses puts its block, as a region
 * server does. {@code bin/terrace bench hit --operations put,mixed} runs it.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
    value = 3,
    jvmArgs = {
      BenchmarkJvm.HEAP,
      BenchmarkJvm.DIRECT,
      BenchmarkJvm.COLLECTOR,
      BenchmarkJvm.OPEN_LANG,
      BenchmarkJvm.OPEN_NIO,
      BenchmarkJvm.OPEN_CHANNELS,
      BenchmarkJvm.OPEN_MISC,
      BenchmarkJvm.NO_LEAK_DETECTION,
      BenchmarkJvm.RELOAD4J_ERRORS,
      BenchmarkJvm.LOG4J2_ERRORS
    })
public class FullCacheBenchmark {

  private static final int CAPACITY_BYTES = 256 << 20;
  private static final int HOT_DATA_BYTES = CAPACITY_BYTES / 4;
  private static final int OPERATIONS_PER_PUT = 20;

  /** The cache under test. */
  @State(Scope.Benchmark)
  public static class Full {

    private static final int FILL_STREAM = 1 << 15;
    private static final int BLOCKS_BEFORE_PAUSE = 16;
    private static final long PAUSE_NANOS = 100_000;

    /** Which cache. */
    @Param public CacheKind cache;

    /** The size of a block's data, in bytes. */
    @Param({"4096", "65536", "262144"})
    public int blockSize;

    /** How lookups spread over the blocks that are read often. */
    @Param public KeyDistribution distribution;

    private LoadedCache loaded;
    private BlockCache blockCache;
    private BlockCacheKey[] hotKeys;
    private HFileBlock[] hotBlocks;
    private long refusedBefore;

    /** Opens the cache and fills it: with what is read often, and with as much as it holds. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
      BlockSet hot = BlockSet.ofOneSize(HOT_DATA_BYTES / blockSize, blockSize);
      loaded = LoadedCache.openOfCapacity(cache, hot, blockSize, CAPACITY_BYTES);
      loaded.fill();
      blockCache = loaded.cache();
      hotKeys = hot.newKeys();
      hotBlocks = new HFileBlock[hot.size()];
      for (int block = 0; block < hot.size(); block++) {
        hotBlocks[block] = hot.newBlock(block);
      }
      NewBlocks cold = new NewBlocks(cache, blockSize, FILL_STREAM);
      while (cold.count() < CAPACITY_BYTES / blockSize) {
        cold.putNext(blockCache);
        if (cold.count() % BLOCKS_BEFORE_PAUSE == 0) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
      System.gc();
    }

    /** Begins to count refusals. */
    @Setup(Level.Iteration)
    public void begin() {
      refusedBefore = Refusals.of(blockCache);
    }

    /** Closes the cache. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
      loaded.close();
    }
  }

  /** One thread's blocks. */
  @State(Scope.Thread)
  public static class Blocks {

    private DrawnKeys drawn;
    private NewBlocks created;
    private int operation;

    /** Draws this thread's lookups. */
    @Setup(Level.Trial)
    public void draw(Full full, ThreadParams thread) {
      drawn = new DrawnKeys(full.hotKeys, full.distribution, thread.getThreadIndex());
      created = new NewBlocks(full.cache, full.blockSize, thread.getThreadIndex());
    }
  }

  /** What became of the gets and the puts. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Outcomes {

    /** Gets that hit. */
    public long hits;

    /** Gets that did not. */
    public long misses;

    /** Blocks put. */
    public long offered;

    /** Blocks that the cache refused. */
    public long refused;

    /** Takes the refusals of all threads, once. */
    @TearDown(Level.Iteration)
    public void count(Full full, ThreadParams thread) {
      if (thread.getThreadIndex() == 0) {
        refused = Refusals.of(full.blockCache) - full.refusedBefore;
      }
    }
  }

  /** A put of a new block. */
  @Benchmark
  public BlockCache put(Full full, Blocks blocks, Outcomes outcomes) {
    outcomes.offered++;
    blocks.created.putNext(full.blockCache);
    return full.blockCache;
  }

  /** A get, or one time in twenty a put of a new block. */
  @Benchmark
  public Cacheable mixed(Full full, Blocks blocks, Outcomes outcomes) {
    if (++blocks.operation == OPERATIONS_PER_PUT) {
      blocks.operation = 0;
      outcomes.offered++;
      blocks.created.putNext(full.blockCache);
      return null;
    }
    int block = blocks.drawn.position();
    Cacheable found = full.blockCache.getBlock(full.hotKeys[block], true, false, true);
    if (found == null) {
      outcomes.misses++;
      full.blockCache.cacheBlock(full.hotKeys[block], full.hotBlocks[block]);
      return null;
    }
    outcomes.hits++;
    found.release();
    return found;
  }
}
