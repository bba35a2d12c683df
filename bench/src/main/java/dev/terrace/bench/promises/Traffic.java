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
package dev.terrace.bench.promises;

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.ZipfKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.Well19937c;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Threads that get blocks and put each miss, while others sample the payload of the cache once a
 * second and the process's direct memory every few milliseconds. Lookups follow Zipf's law; the
 * bytes of every hit are checked.
 */
final class Traffic {
  private static final Duration WARMUP_LIMIT = Duration.ofMinutes(3);
  private static final int MEMORY_EVERY_MILLIS = 20;
  private static final int PRINT_EVERY_SAMPLES = 10;

  private final Churn settings;
  private final BlockCache cache;
  private final BlockSet blocks;
  private final LongAdder gets = new LongAdder();
  private final LongAdder puts = new LongAdder();
  private final LongAdder putBytes = new LongAdder();
  private final List<Resident> samples = new CopyOnWriteArrayList<>();
  private final AtomicLong directBytesMost = new AtomicLong();
  private volatile boolean running = true;

  /** The blocks in a cache, and the sum of their sizes. */
  record Resident(long blocks, long payloadBytes) {}

  /**
   * The results of a run of churn.
   *
   * @param cache which cache
   * @param capacityBytes the bytes it was configured with
   * @param payloadShare the bytes of resident blocks in parts of the capacity, once a second
   * @param directBytesMost the most direct memory that the process had
   * @param blocks how many blocks were resident, once a second
   * @param getsPerSecond lookups
   * @param putsPerSecond puts, one after each miss
   * @param hitRatio the share of lookups that hit
   * @param refusedShare the share of puts that the cache says it refused or dropped
   */
  record Seen(
      CacheKind cache,
      long capacityBytes,
      Summary payloadShare,
      long directBytesMost,
      Summary blocks,
      double getsPerSecond,
      double putsPerSecond,
      double hitRatio,
      double refusedShare) {

    double directShareMost() {
      return (double) directBytesMost / capacityBytes;
    }
  }

  Traffic(Churn settings, BlockCache cache, BlockSet blocks) {
    this.settings = settings;
    this.cache = cache;
    this.blocks = blocks;
  }

  /**
   * Fills the cache several times over, and then runs to the end of the time.
   *
   * @throws ExecutionException if a worker found wrong bytes, or a sample failed
   * @throws IllegalStateException if the cache is not filled within some minutes
   */
  Seen run() throws InterruptedException, ExecutionException {
    ExecutorService workers = Executors.newCachedThreadPool();
    ScheduledExecutorService watchers = Executors.newScheduledThreadPool(2);
    try {
      MemoryMeter memory = new MemoryMeter();
      Future<?> memoryWatch =
          watchers.scheduleAtFixedRate(
              () -> directBytesMost.accumulateAndGet(memory.usedBytes(), Math::max),
              0,
              MEMORY_EVERY_MILLIS,
              TimeUnit.MILLISECONDS);
      List<Future<?>> work = new ArrayList<>();
      for (int thread = 0; thread < settings.threads(); thread++) {
        ZipfDistribution popularity =
            new ZipfDistribution(
                new Well19937c(Churn.SEED + thread), blocks.size(), ZipfKeys.EXPONENT);
        work.add(workers.submit(() -> work(popularity)));
      }
      awaitWarm(work);
      long start = System.nanoTime();
      double[] before = totals();
      Future<?> payloadWatch = watchers.scheduleAtFixedRate(this::sample, 0, 1, TimeUnit.SECONDS);
      Await.until(() -> anyDone(work), Duration.ofSeconds(settings.seconds()));
      double[] after = totals();
      double seconds = (System.nanoTime() - start) / 1e9;
      running = false;
      for (Future<?> worker : work) {
        worker.get();
      }
      stop(payloadWatch);
      stop(memoryWatch);
      return result(seconds, before, after);
    } finally {
      running = false;
      workers.shutdownNow();
      watchers.shutdownNow();
    }
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

  private void awaitWarm(List<Future<?>> work) {
    long neededBytes = Churn.WARMUP_PER_CAPACITY * settings.capacityBytes();
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

  private void sample() {
    Resident sample = resident(cache, blocks);
    samples.add(sample);
    if (samples.size() % PRINT_EVERY_SAMPLES == 0) {
      System.err.printf(
          Locale.ROOT,
          "%s: %d of %d s, payload now %.1f %%%n",
          settings.cache().title(),
          samples.size(),
          settings.seconds(),
          100 * payloadShare(sample));
    }
  }

  /** Sums up the blocks that a cache lists, by their true sizes and not by the cache's figures. */
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
  private double[] totals() {
    return new double[] {gets.sum(), puts.sum(), cache.getStats().getFailedInserts()};
  }

  private Seen result(double seconds, double[] before, double[] after) {
    double got = after[0] - before[0];
    double put = after[1] - before[1];
    return new Seen(
        settings.cache(),
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
