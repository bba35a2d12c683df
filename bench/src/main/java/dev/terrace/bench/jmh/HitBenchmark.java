// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.BlockSet.ZipfKeys;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.LoadedCache;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
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
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Hits of a filled cache. About 512 MB of blocks are put first, and each is checked. {@code
 * bin/terrace bench hit} runs it and prints the tables.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 6, time = 1)
@Measurement(iterations = 3, time = 1)
public class HitBenchmark {
  /** The payload of all blocks together, whatever their size. */
  private static final int ALL_DATA_BYTES = 512 << 20;

  /** The cache under test, with every block resident. */
  @State(Scope.Benchmark)
  public static class Resident {
    @Param public CacheKind cache;

    /** The size of a block's data, in bytes. */
    @Param("65536")
    public int blockSize;

    private BlockSet blocks;
    private LoadedCache loaded;
    private BlockCache blockCache;
    private BlockCacheKey[] keys;

    @Setup(Level.Trial)
    public void load() throws IOException {
      blocks = BlockSet.ofOneSize(ALL_DATA_BYTES / blockSize, blockSize);
      loaded = LoadedCache.openFilled(cache, blocks, blockSize);
      blockCache = loaded.cache();
      keys = blocks.newKeys();
      // Filling and first hits scatter the entries' small objects over the heap; on a server that
      // has run for a while, the collector has long brought them together.
      loaded.verify();
      System.gc();
    }

    /** Checks that all blocks are still there, and closes the cache. */
    @TearDown(Level.Trial)
    public void check() throws IOException {
      try {
        loaded.verify();
      } finally {
        loaded.close();
      }
    }
  }

  /**
   * The same blocks in a map and, one after the other, in a file: the least work that a cache has
   * to do.
   */
  @State(Scope.Benchmark)
  public static class Bare {

    /** The size of a block's data, in bytes. */
    @Param("65536")
    public int blockSize;

    private final ConcurrentHashMap<BlockCacheKey, Cacheable> blocks = new ConcurrentHashMap<>();
    private BlockCacheKey[] keys;
    private Scratch scratch;
    private FileChannel file;

    @Setup(Level.Trial)
    public void load() throws IOException {
      BlockSet set = BlockSet.ofOneSize(ALL_DATA_BYTES / blockSize, blockSize);
      keys = set.newKeys();
      scratch = Scratch.create();
      file =
          FileChannel.open(
              scratch.fileDirectory().resolve("blocks"),
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      for (int block = 0; block < keys.length; block++) {
        HFileBlock made = set.newBlock(block);
        ByteBuffer memory = ByteBuffer.allocateDirect(made.getSerializedLength());
        made.serialize(memory, true);
        while (memory.hasRemaining()) {
          file.write(memory);
        }
        memory.rewind();
        ByteBuff shared = ByteBuff.wrap(new ByteBuffer[] {memory}, RefCnt.create());
        blocks.put(keys[block], made.getDeserializer().deserialize(shared, ByteBuffAllocator.HEAP));
      }
      System.gc();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
      file.close();
      scratch.close();
    }
  }

  /** One thread's lookups, drawn in advance by Zipf's law; they repeat after the last one. */
  @State(Scope.Thread)
  public static class Lookups {

    /** Enough that a thread does not soon return to its first lookup. */
    private static final int MIN_DRAWS = 1 << 16;

    private static final int DRAWS_PER_KEY = 4;

    private ByteBuffer read;
    private int[] sequence;
    private int mask;
    private int next;

    @Setup(Level.Trial)
    public void draw(BenchmarkParams benchmark, ThreadParams thread) {
      int blockSize = Integer.parseInt(benchmark.getParam("blockSize"));
      int keys = ALL_DATA_BYTES / blockSize;
      int draws = Math.max(MIN_DRAWS, Integer.highestOneBit(2 * DRAWS_PER_KEY * keys - 1));
      sequence = ZipfKeys.draw(keys, draws, thread.getThreadIndex());
      mask = draws - 1;
      read = ByteBuffer.allocateDirect(2 * blockSize);
    }

    private int next() {
      return sequence[next++ & mask];
    }
  }

  /** One {@code getBlock} and one {@code release} of a block that is resident. */
  @Benchmark
  public Cacheable hit(Resident resident, Lookups lookups) {
    return hit(resident.blockCache, resident.keys[lookups.next()]);
  }

  /**
   * Gets a block and releases it.
   *
   * @throws IllegalStateException if the block is not resident
   */
  static Cacheable hit(BlockCache cache, BlockCacheKey key) {
    Cacheable block = cache.getBlock(key, true, false, true);
    if (block == null) {
      throw new IllegalStateException("a miss of " + key + ", which was resident at the start");
    }
    block.release();
    return block;
  }

  /** A lookup in a map, a retain and a release: the floor of every cache. */
  @Benchmark
  public Cacheable map(Bare bare, Lookups lookups) {
    Cacheable block = bare.blocks.get(bare.keys[lookups.next()]).retain();
    block.release();
    return block;
  }

  /** The same, and one positional read of the block: the floor of every cache in a file. */
  @Benchmark
  public Cacheable pread(Bare bare, Lookups lookups) throws IOException {
    int number = lookups.next();
    Cacheable block = bare.blocks.get(bare.keys[number]).retain();
    int bytes = block.getSerializedLength();
    lookups.read.clear().limit(bytes);
    while (lookups.read.hasRemaining()) {
      bare.file.read(lookups.read, (long) number * bytes + lookups.read.position());
    }
    block.release();
    return block;
  }
}
