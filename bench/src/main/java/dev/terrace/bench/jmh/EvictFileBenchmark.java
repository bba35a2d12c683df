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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Evictions by file: one operation evicts all blocks of a file. An iteration evicts a few files,
 * one after the other, and all are put again before the next one, outside of the measured time.
 * Blocks that stay fail the run. {@code bin/terrace bench hit --operations evict-file} runs it.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 10)
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
public class EvictFileBenchmark {

  static final int BLOCKS_PER_FILE = BlockSet.BLOCKS_PER_FILE;

  private static final int FILES = 4;

  /** The cache under test, with every block resident at the start of an iteration. */
  @State(Scope.Benchmark)
  public static class Resident {

    /** Which cache. */
    @Param public CacheKind cache;

    /** The size of a block's data, in bytes. */
    @Param({"4096", "65536", "262144"})
    public int blockSize;

    /** Makes no difference here. */
    @Param public KeyDistribution distribution;

    private LoadedCache loaded;
    private BlockCache blockCache;
    private List<String> files;

    /** Opens the cache. */
    @Setup(Level.Trial)
    public void open() throws IOException {
      BlockSet blocks = BlockSet.ofOneSize(FILES * BLOCKS_PER_FILE, blockSize);
      loaded = LoadedCache.open(cache, blocks, blockSize);
      blockCache = loaded.cache();
      files = blocks.fileNames();
    }

    /** Puts all blocks. */
    @Setup(Level.Iteration)
    public void fill() {
      loaded.fill();
    }

    /** Checks that no block is left. */
    @TearDown(Level.Iteration)
    public void check() {
      loaded.empty();
    }

    /** Closes the cache. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
      loaded.close();
    }
  }

  /** One eviction of a file. */
  @Benchmark
  @OperationsPerInvocation(FILES)
  public int evictFile(Resident resident) {
    int evicted = 0;
    for (String file : resident.files) {
      evicted += resident.blockCache.evictBlocksByHfileName(file);
    }
    return evicted;
  }
}
