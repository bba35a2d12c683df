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
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
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
 * Misses: one operation is one {@code getBlock} of a block that is not there, while its file has
 * others there. A hit fails the run. {@code bin/terrace bench hit --operations miss} runs it.
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
public class MissBenchmark {

  /** The cache under test, and keys that it does not hold. */
  @State(Scope.Benchmark)
  public static class Resident {

    /** Which cache. */
    @Param public CacheKind cache;

    /** The size of a block's data, in bytes. */
    @Param({"4096", "65536", "262144"})
    public int blockSize;

    /** How lookups spread over the keys. */
    @Param public KeyDistribution distribution;

    private LoadedCache loaded;
    private BlockCache blockCache;
    private BlockCacheKey[] absent;

    /** Opens and fills the cache. */
    @Setup(Level.Trial)
    public void load() throws IOException {
      BlockSet blocks = BlockSet.ofOneSize(HitBenchmark.ALL_DATA_BYTES / blockSize, blockSize);
      loaded = LoadedCache.openFilled(cache, blocks, blockSize);
      blockCache = loaded.cache();
      absent = blocks.newAbsentKeys();
      System.gc();
    }

    /** Closes the cache. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
      loaded.close();
    }
  }

  /** One thread's lookups, drawn beforehand. */
  @State(Scope.Thread)
  public static class Lookups {

    private DrawnKeys drawn;

    /** Draws this thread's lookups. */
    @Setup(Level.Trial)
    public void draw(Resident resident, ThreadParams thread) {
      drawn = new DrawnKeys(resident.absent, resident.distribution, thread.getThreadIndex());
    }
  }

  /** One miss. */
  @Benchmark
  public Cacheable get(Resident resident, Lookups lookups) {
    BlockCacheKey key = lookups.drawn.next();
    Cacheable block = resident.blockCache.getBlock(key, true, false, true);
    if (block != null) {
      throw new IllegalStateException("a hit of " + key + ", which was never put");
    }
    return block;
  }
}
