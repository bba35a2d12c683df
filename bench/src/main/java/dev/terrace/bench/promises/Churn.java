// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.BlockSet.ZipfKeys;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import dev.terrace.hbase.settings.ByteSize;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.Well19937c;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * A run of churn: blocks of mixed sizes come and go in a cache with room for a quarter of them.
 *
 * @param cache which cache
 * @param capacityBytes its configured capacity
 * @param seconds how long it runs, once the cache has been filled several times over
 */
public record Churn(CacheKind cache, long capacityBytes, int seconds)
    implements OwnJvm.Task<Churn.Seen> {

  private static final double MIN_PAYLOAD_SHARE = 0.93;
  private static final double MAX_DIRECT_SHARE = 1.02;
  private static final long SIZE = 1024L << 20;
  private static final int THREADS = 2;

  /** The bytes put before the measurement, as a multiple of the capacity. */
  private static final int WARMUP_PER_CAPACITY = 4;

  private static final long SEED = 42;
  private static final int MIN_BYTES = 4 << 10;
  static final int MAX_BYTES = 1 << 20;

  /** The bytes of all blocks, as a multiple of the capacity. */
  private static final int DATA_PER_CAPACITY = 4;

  private static final int COMMON_BLOCK_SIZE_BYTES = 64 << 10;

  /** BucketCache's default sizes, and two more without which it cannot take large blocks. */
  private static final int[] BUCKET_SIZES_BYTES =
      IntStream.of(5, 9, 17, 33, 41, 49, 57, 65, 97, 129, 193, 257, 385, 513, 769, 1025)
          .map(kilobytes -> kilobytes << 10)
          .toArray();

  /**
   * The results of a run of churn.
   *
   * @param cache which cache
   * @param payloadShare the bytes of resident blocks over the capacity, once a second
   * @param directShareMost the peak direct memory of the process over the capacity
   * @param hitRatio the share of lookups that hit
   */
  record Seen(CacheKind cache, Summary payloadShare, double directShareMost, double hitRatio) {}

  /** Runs Terrace and BucketCache for some seconds each, as part of the guard. */
  public static void measure(int seconds, Result result, Consumer<String> console)
      throws IOException, InterruptedException {
    List<Seen> seen = new ArrayList<>();
    for (CacheKind cache : List.of(CacheKind.TERRACE, CacheKind.BUCKET_OFFHEAP)) {
      console.accept(
          String.format(
              "%s: %s, %d threads; first %d times that is put, and then %d s count",
              cache.title(), ByteSize.readable(SIZE), THREADS, WARMUP_PER_CAPACITY, seconds));
      // Well above the capacity, so that a cache that takes too much is seen and not stopped.
      String direct = "-XX:MaxDirectMemorySize=" + 2 * SIZE;
      seen.add(OwnJvm.run(new Churn(cache, SIZE, seconds), Seen.class, direct));
    }
    result
        .setting("churnSeconds", seconds)
        .add(table(seen))
        .addTargets(targets(seen.get(0), seen.get(1)));
  }

  /** One line for each cache. */
  static Table table(List<Seen> results) {
    Table table =
        new Table(
            "Payload, memory and hits, while blocks of 4 KB to 1 MB come and go",
            Column.text("cache"),
            Column.of("payloadLeast", "payload, least", Unit.SHARE),
            Column.of("payloadShare", "payload, median", Unit.SHARE),
            Column.of("directShareMost", "direct memory, most", Unit.SHARE),
            Column.of("hitRatio", "hits", Unit.SHARE));
    for (Seen result : results) {
      table.row(
          result.cache().look(),
          result.cache().title(),
          result.payloadShare().min(),
          result.payloadShare(),
          result.directShareMost(),
          result.hitRatio());
    }
    return table.bars("Bytes of blocks that the configured bytes hold", "payloadShare");
  }

  /** The promises about memory, some of them relative to BucketCache. */
  static List<Target> targets(Seen terrace, Seen bucketCache) {
    double least = terrace.payloadShare().min();
    double other = bucketCache.payloadShare().median();
    return List.of(
        Target.of(
            least >= MIN_PAYLOAD_SHARE,
            "payload never below %.1f %% of the configured bytes, at least %.0f %%",
            100 * least,
            100 * MIN_PAYLOAD_SHARE),
        Target.of(
            terrace.directShareMost() <= MAX_DIRECT_SHARE,
            "direct memory never above %.1f %% of the configured bytes, at most %.0f %%",
            100 * terrace.directShareMost(),
            100 * MAX_DIRECT_SHARE),
        Target.of(
            least > other,
            "payload never below %.1f %%, more than BucketCache offheap's median of %.1f %%",
            100 * least,
            100 * other));
  }

  @Override
  public Seen run() throws IOException, InterruptedException, ExecutionException {
    BlockSet blocks = BlockSet.ofSizes(sizes(SEED, DATA_PER_CAPACITY * capacityBytes));
    try (Scratch scratch = Scratch.create()) {
      BlockCache opened =
          cache.open(capacityBytes, COMMON_BLOCK_SIZE_BYTES, BUCKET_SIZES_BYTES, scratch);
      try {
        return new Traffic(this, opened, blocks).run();
      } finally {
        opened.shutdown();
      }
    }
  }

  /**
   * Threads that get blocks and put each miss, while the caller keeps sampling the process's direct
   * memory and, once a second, the payload of the cache. Lookups follow Zipf's law; the bytes of
   * every hit are checked.
   */
  static final class Traffic {
    private static final Duration WARMUP_LIMIT = Duration.ofMinutes(3);

    private final Churn settings;
    private final BlockCache cache;
    private final BlockSet blocks;
    private final MemoryMeter memory = new MemoryMeter();
    private final LongAdder gets = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder putBytes = new LongAdder();
    private final List<Future<?>> work = new ArrayList<>();
    private long directBytesMost;
    private volatile boolean running = true;

    Traffic(Churn settings, BlockCache cache, BlockSet blocks) {
      this.settings = settings;
      this.cache = cache;
      this.blocks = blocks;
    }

    /**
     * Fills the cache several times over, and then runs for the given time.
     *
     * @throws ExecutionException if a worker found wrong bytes
     * @throws IllegalStateException if the cache is not filled within some minutes
     */
    Seen run() throws InterruptedException, ExecutionException {
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      try {
        for (int thread = 0; thread < THREADS; thread++) {
          ZipfDistribution popularity =
              new ZipfDistribution(new Well19937c(SEED + thread), blocks.size(), ZipfKeys.EXPONENT);
          work.add(threads.submit(() -> work(popularity)));
        }
        double capacity = settings.capacityBytes();
        if (!Await.until(
            () -> look() || putBytes.sum() >= WARMUP_PER_CAPACITY * capacity, WARMUP_LIMIT)) {
          throw new IllegalStateException(putBytes + " bytes were put in " + WARMUP_LIMIT);
        }
        long getsBefore = gets.sum();
        long putsBefore = puts.sum();
        List<Double> payloads = new ArrayList<>();
        for (int second = 0; second < settings.seconds(); second++) {
          payloads.add(payloadBytes(cache, blocks) / capacity);
          boolean unused = Await.until(this::look, Duration.ofSeconds(1));
        }
        running = false;
        for (Future<?> worker : work) {
          worker.get();
        }
        return new Seen(
            settings.cache(),
            Summary.of(payloads),
            directBytesMost / capacity,
            1 - (puts.sum() - putsBefore) / (double) (gets.sum() - getsBefore));
      } finally {
        running = false;
        threads.shutdownNow();
      }
    }

    /** Samples direct memory; returns whether a worker has ended, as a failed one does. */
    private boolean look() {
      directBytesMost = Math.max(directBytesMost, memory.usedBytes());
      return work.stream().anyMatch(Future::isDone);
    }

    private void work(ZipfDistribution popularity) {
      BlockCacheKey[] keys = blocks.newKeys();
      while (running) {
        int block = popularity.sample() - 1;
        gets.increment();
        if (!blocks.isHit(block, cache.getBlock(keys[block], true, false, true))) {
          HFileBlock missed = blocks.newBlock(block);
          cache.cacheBlock(keys[block], missed);
          missed.release();
          puts.increment();
          putBytes.add(blocks.payloadBytes(block));
        }
      }
    }

    /**
     * Sums up the blocks that a cache lists, by their real sizes and not by the cache's figures.
     */
    static long payloadBytes(BlockCache cache, BlockSet blocks) {
      Map<String, Integer> files = new HashMap<>();
      blocks.fileNames().forEach(name -> files.put(name, files.size()));
      long payloadBytes = 0;
      for (CachedBlock resident : cache) {
        int file = files.get(resident.getFilename());
        payloadBytes += blocks.payloadBytes(blocks.blockAt(file, resident.getOffset()));
      }
      return payloadBytes;
    }
  }

  /**
   * The block sizes of a region server whose tables have blocks of 64 KB; explained in {@code
   * docs/benchmarks/method.md}.
   */
  private static final List<Sizes> MIXTURE =
      List.of(
          new Sizes(75, 64 << 10, 68 << 10),
          new Sizes(90, MIN_BYTES, 64 << 10),
          new Sizes(98, 68 << 10, 256 << 10),
          new Sizes(100, 256 << 10, MAX_BYTES));

  /**
   * A log-uniform range of sizes; {@code below} is the cumulative percentage, with all ranges
   * before.
   */
  private record Sizes(int below, int fromBytes, int toBytes) {

    int at(double magnitude) {
      return (int) Math.round(fromBytes * Math.pow((double) toBytes / fromBytes, magnitude));
    }
  }

  /** Draws sizes with at least this sum; the same seed draws the same sizes. */
  static int[] sizes(long seed, long totalBytes) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sizes = new int[Math.toIntExact(totalBytes / MIN_BYTES) + 1];
    int count = 0;
    for (long sum = 0; sum < totalBytes; count++) {
      int point = random.nextInt(100);
      Sizes part = MIXTURE.stream().filter(each -> point < each.below).findFirst().orElseThrow();
      sizes[count] = part.at(random.nextDouble());
      sum += sizes[count];
    }
    return Arrays.copyOf(sizes, count);
  }

  /**
   * The direct memory of this process: the JDK's, and that of each copy of Netty. Where it can,
   * Netty allocates memory that the JDK does not count, and then counts it itself.
   */
  static final class MemoryMeter {

    /** Plain Netty, HBase's copy, and the one in the drop-in jar. */
    private static final List<String> NETTY_PACKAGES =
        List.of("io.netty", "org.apache.hbase.thirdparty.io.netty", "dev.terrace.shaded.netty");

    private final BufferPoolMXBean jdkPool =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();

    private final List<Method> nettyCounters = new ArrayList<>();

    MemoryMeter() {
      for (String name : NETTY_PACKAGES) {
        try {
          Class<?> counter = Class.forName(name + ".util.internal.PlatformDependent");
          nettyCounters.add(counter.getMethod("usedDirectMemory"));
        } catch (ClassNotFoundException e) {
          // This copy is not on the class path, so it uses no memory either.
        } catch (NoSuchMethodException e) {
          throw new IllegalStateException(name + " does not tell the direct memory it uses", e);
        }
      }
    }

    long usedBytes() {
      long bytes = jdkPool.getMemoryUsed();
      try {
        for (Method counter : nettyCounters) {
          // Negative where this copy of Netty leaves the counting to the JDK.
          bytes += Math.max(0, (long) counter.invoke(null));
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("the memory of Netty cannot be read", e);
      }
      return bytes;
    }
  }
}
