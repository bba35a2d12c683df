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

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.workload.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheSpec;
import dev.terrace.bench.workload.KeyDistribution;
import dev.terrace.bench.workload.Scratch;
import dev.terrace.bench.workload.ZipfDistribution;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Lets blocks of mixed sizes come and go in a cache that has room for a quarter of them, and looks
 * at it from outside: each second at what is resident, every few milliseconds at the process's
 * direct memory. Lookups follow Zipf's law; every miss is put, and the bytes of every hit are
 * checked.
 */
final class Churn {
  private static final long SEED = 42;
  private static final int COMMON_BLOCK_SIZE_BYTES = 64 << 10;
  private static final Duration WARMUP_LIMIT = Duration.ofMinutes(3);
  private static final int MEMORY_EVERY_MILLIS = 20;
  private static final int TELL_EVERY_SAMPLES = 10;

  /** BucketCache's default sizes, in KB, and two more without which it cannot take large blocks. */
  private static final List<Integer> BUCKET_SIZES_KB =
      List.of(5, 9, 17, 33, 41, 49, 57, 65, 97, 129, 193, 257, 385, 513, 769, 1025);

  private final ChurnSettings settings;
  private final PrintStream progress;
  private final BlockSet blocks;
  private final LongAdder gets = new LongAdder();
  private final LongAdder puts = new LongAdder();
  private final LongAdder putBytes = new LongAdder();
  private final List<Resident> samples = new CopyOnWriteArrayList<>();
  private final AtomicLong directBytesMost = new AtomicLong();
  private final AtomicBoolean running = new AtomicBoolean(true);

  /** What a cache holds. */
  record Resident(long blocks, long payloadBytes) {}

  Churn(ChurnSettings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
    long allBytes = ChurnSettings.DATA_PER_CAPACITY * settings.capacityBytes();
    this.blocks = BlockSet.ofSizes(new SizeMixture(SEED).drawTotal(allBytes));
  }

  /**
   * Fills the cache several times over, and then runs to the end of the time.
   *
   * @throws ExecutionException if a worker found wrong bytes, or a sample failed
   * @throws IllegalStateException if the cache is not filled within some minutes
   */
  ChurnResult run() throws IOException, InterruptedException, ExecutionException {
    try (Scratch scratch = Scratch.create()) {
      CacheSpec spec =
          new CacheSpec(
              settings.capacityBytes(),
              COMMON_BLOCK_SIZE_BYTES,
              BUCKET_SIZES_KB.stream().map(kilobytes -> kilobytes << 10).toList(),
              scratch.fileDirectory(),
              scratch.pmemDirectory());
      BlockCache cache = settings.cache().open(spec);
      try {
        return run(cache);
      } finally {
        cache.shutdown();
      }
    }
  }

  private ChurnResult run(BlockCache cache) throws InterruptedException, ExecutionException {
    ExecutorService workers = Executors.newCachedThreadPool();
    ScheduledExecutorService watchers = Executors.newScheduledThreadPool(2);
    try {
      DirectMemory memory = new DirectMemory();
      Future<?> memoryWatch =
          watchers.scheduleAtFixedRate(
              () -> directBytesMost.accumulateAndGet(memory.usedBytes(), Math::max),
              0,
              MEMORY_EVERY_MILLIS,
              TimeUnit.MILLISECONDS);
      ZipfDistribution popularity =
          new ZipfDistribution(blocks.size(), KeyDistribution.ZIPF_EXPONENT);
      List<Future<?>> work = new ArrayList<>();
      for (int thread = 0; thread < settings.threads(); thread++) {
        SplittableRandom random = new SplittableRandom(SEED + thread);
        BlockCacheKey[] keys = blocks.newKeys();
        work.add(workers.submit(() -> work(cache, keys, popularity, random)));
      }
      awaitWarm(work);
      long start = System.nanoTime();
      double[] before = totals(cache);
      Future<?> payloadWatch =
          watchers.scheduleAtFixedRate(() -> sample(cache), 0, 1, TimeUnit.SECONDS);
      Await.until(() -> anyDone(work), Duration.ofSeconds(settings.seconds()));
      double[] after = totals(cache);
      double seconds = (System.nanoTime() - start) / 1e9;
      running.set(false);
      for (Future<?> worker : work) {
        worker.get();
      }
      stop(payloadWatch);
      stop(memoryWatch);
      return result(seconds, before, after);
    } finally {
      running.set(false);
      workers.shutdownNow();
      watchers.shutdownNow();
    }
  }

  private void work(
      BlockCache cache,
      BlockCacheKey[] keys,
      ZipfDistribution popularity,
      SplittableRandom random) {
    while (running.get()) {
      int block = (int) popularity.sample(random);
      Cacheable found = cache.getBlock(keys[block], true, false, true);
      gets.increment();
      if (found != null) {
        try {
          blocks.verify(block, found);
        } finally {
          found.release();
        }
      } else {
        HFileBlock missed = blocks.newBlock(block);
        cache.cacheBlock(keys[block], missed);
        missed.release();
        puts.increment();
        putBytes.add(blocks.payloadBytes(block));
      }
    }
  }

  private void awaitWarm(List<Future<?>> work) {
    long neededBytes = ChurnSettings.WARMUP_PER_CAPACITY * settings.capacityBytes();
    if (!Await.until(() -> putBytes.sum() >= neededBytes || anyDone(work), WARMUP_LIMIT)) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "%d bytes were put in %d s, fewer than the %d that are to be put first: choose a"
                  + " smaller capacity",
              putBytes.sum(),
              WARMUP_LIMIT.toSeconds(),
              neededBytes));
    }
  }

  /** Workers end early only if they fail. */
  private static boolean anyDone(List<Future<?>> work) {
    return work.stream().anyMatch(Future::isDone);
  }

  private void sample(BlockCache cache) {
    Resident sample = resident(cache, blocks);
    samples.add(sample);
    if (samples.size() % TELL_EVERY_SAMPLES == 0) {
      progress.printf(
          Locale.ROOT,
          "%s: %d of %d s, payload now %.1f %%%n",
          settings.cache().title(),
          samples.size(),
          settings.seconds(),
          100 * payloadShare(sample));
    }
  }

  /**
   * Adds up the payload of the blocks that a cache lists. The sizes are the benchmark's own: what
   * the cache believes about its size does not enter.
   */
  static Resident resident(BlockCache cache, BlockSet blocks) {
    Map<String, Integer> files = new HashMap<>();
    blocks.fileNames().forEach(name -> files.put(name, files.size()));
    long count = 0;
    long payloadBytes = 0;
    for (CachedBlock resident : cache) {
      int file = files.get(resident.getFilename());
      payloadBytes += blocks.payloadBytes(blocks.blockAt(file, resident.getOffset()));
      count++;
    }
    return new Resident(count, payloadBytes);
  }

  private double payloadShare(Resident sample) {
    return (double) sample.payloadBytes() / settings.capacityBytes();
  }

  /** Ends a watch, and passes on what made it fail before. */
  private static void stop(Future<?> watch) throws InterruptedException, ExecutionException {
    watch.cancel(false);
    if (!watch.isCancelled()) {
      watch.get();
    }
  }

  /** Gets, puts and refused puts so far. */
  private double[] totals(BlockCache cache) {
    return new double[] {gets.sum(), puts.sum(), cache.getStats().getFailedInserts()};
  }

  private ChurnResult result(double seconds, double[] before, double[] after) {
    double got = after[0] - before[0];
    double put = after[1] - before[1];
    return new ChurnResult(
        settings.cache().label(),
        settings.capacityBytes(),
        Summary.of(samples.stream().map(this::payloadShare).toList()),
        directBytesMost.get(),
        Summary.of(samples.stream().map(sample -> (double) sample.blocks()).toList()),
        got / seconds,
        put / seconds,
        1 - put / got,
        (after[2] - before[2]) / put);
  }
}
