// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.LoadedCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
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
 * Puts: once an iteration, one thread puts {@value #BLOCKS} blocks of 64 KB as fast as it can into
 * an empty cache with room for all. Beside it, the same bytes are copied into direct memory that is
 * already allocated. The caches are emptied between iterations, outside the measured time.
 *
 * <p>The blocks take turns over 4 MB of source bytes, which stay in the processor's cache like a
 * block that was just read. {@code bin/terrace bench put} runs it and prints one table.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 20)
public class PutBenchmark {

  static final int BLOCKS = 4096;
  static final int BLOCK_SIZE_BYTES = 64 << 10;

  private static final int SOURCES = 64;

  @State(Scope.Benchmark)
  public static class Blocks {

    private BlockSet set;
    private byte[][] sources;

    @Setup(Level.Trial)
    public void make() {
      set = BlockSet.ofOneSize(BLOCKS, BLOCK_SIZE_BYTES);
      sources = new byte[SOURCES][set.bufferBytes(0)];
    }
  }

  /** The direct memory that bytes are copied to. */
  @State(Scope.Benchmark)
  public static class Target {

    private ByteBuffer memory;

    /** Allocates the memory, and touches every page of it. */
    @Setup(Level.Trial)
    public void allocate(Blocks blocks) {
      memory = ByteBuffer.allocateDirect(BLOCKS * blocks.set.bufferBytes(0));
    }
  }

  @State(Scope.Benchmark)
  public static class Empty {

    @Param({"BUCKET_OFFHEAP", "TERRACE"})
    public CacheKind cache;

    private LoadedCache loaded;
    private BlockCache blockCache;
    private HFileBlock[] blocks;
    private BlockCacheKey[] keys;
    private long failedBefore;

    /** Opens the cache, and fills it once so that its memory is allocated. */
    @Setup(Level.Trial)
    public void open(Blocks source) throws IOException {
      loaded = LoadedCache.openFilled(cache, source.set, BLOCK_SIZE_BYTES);
      blockCache = loaded.cache();
      blocks = new HFileBlock[BLOCKS];
      for (int block = 0; block < BLOCKS; block++) {
        blocks[block] = source.set.newBlockOver(block, source.sources[block % SOURCES]);
      }
    }

    @Setup(Level.Iteration)
    public void empty(Blocks source) {
      loaded.empty();
      keys = source.set.newKeys();
      failedBefore = blockCache.getStats().getFailedInserts();
    }

    /** Counts drops; with room for all, Terrace must not drop any block. */
    @TearDown(Level.Iteration)
    public void count(Puts puts) {
      long failed = blockCache.getStats().getFailedInserts() - failedBefore;
      puts.offered += BLOCKS;
      puts.dropped += BLOCKS - loaded.awaitResident(BLOCKS - (int) failed);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
      loaded.close();
    }
  }

  /** Counters of puts and drops. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Puts {

    public long offered;

    /** Blocks that did not become resident. */
    public long dropped;
  }

  /** Copies a block's bytes into direct memory. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public ByteBuffer copy(Blocks blocks, Target target) {
    int position = 0;
    for (int block = 0; block < BLOCKS; block++) {
      byte[] source = blocks.sources[block % SOURCES];
      target.memory.put(position, source);
      position += source.length;
    }
    return target.memory;
  }

  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public BlockCache put(Empty empty) {
    for (int block = 0; block < BLOCKS; block++) {
      empty.blockCache.cacheBlock(empty.keys[block], empty.blocks[block]);
    }
    return empty.blockCache;
  }
}
