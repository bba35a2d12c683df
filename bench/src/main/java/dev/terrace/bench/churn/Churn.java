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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.io.hfile.BlockCache;

/**
 * Lets blocks of mixed sizes come and go in a cache that has room for a quarter of them, and looks
 * at it from outside: each second at what is resident, every few milliseconds at the process's
 * direct memory. Lookups follow Zipf's law; every miss is put.
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
  private final ChurnWorker.Counts counts = new ChurnWorker.Counts();
  private final List<Occupancy.Sample> samples = new CopyOnWriteArrayList<>();
  private final AtomicLong directBytesMost = new AtomicLong();
  private final AtomicBoolean running = new AtomicBoolean(true);

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
    ExecutorService workers =
        Executors.newFixedThreadPool(settings.threads(), named("churn-worker"));
    ScheduledExecutorService watchers = Executors.newScheduledThreadPool(2, named("churn-watch"));
    try {
      Future<?> memoryWatch = watchMemory(watchers);
      List<Future<Void>> work = startWorkers(cache, workers);
      awaitWarm(work);
      Totals start = Totals.of(counts, cache);
      Future<?> payloadWatch = watchPayload(cache, watchers);
      Await.until(
          () -> start.seconds() >= settings.seconds() || anyDone(work),
          Duration.ofSeconds(2L * settings.seconds()));
      running.set(false);
      for (Future<Void> worker : work) {
        worker.get();
      }
      stop(payloadWatch);
      stop(memoryWatch);
      return result(start, Totals.of(counts, cache));
    } finally {
      workers.shutdownNow();
      watchers.shutdownNow();
    }
  }

  private List<Future<Void>> startWorkers(BlockCache cache, ExecutorService workers) {
    ZipfDistribution popularity =
        new ZipfDistribution(blocks.size(), KeyDistribution.ZIPF_EXPONENT);
    List<Future<Void>> work = new ArrayList<>();
    for (int thread = 0; thread < settings.threads(); thread++) {
      work.add(
          workers.submit(
              new ChurnWorker(cache, blocks, popularity, SEED + thread, counts, running::get)));
    }
    return work;
  }

  private void awaitWarm(List<Future<Void>> work) {
    long neededBytes = ChurnSettings.WARMUP_PER_CAPACITY * settings.capacityBytes();
    boolean warm =
        Await.until(() -> counts.putBytes.sum() >= neededBytes || anyDone(work), WARMUP_LIMIT);
    if (!warm) {
      throw new IllegalStateException(
          counts.putBytes.sum()
              + " bytes were put in "
              + WARMUP_LIMIT.toSeconds()
              + " s, fewer than the "
              + neededBytes
              + " that are to be put first: choose a smaller capacity");
    }
  }

  /** Workers end early only if they fail. */
  private static boolean anyDone(List<Future<Void>> work) {
    return work.stream().anyMatch(Future::isDone);
  }

  private Future<?> watchMemory(ScheduledExecutorService watchers) {
    DirectMemory memory = new DirectMemory();
    return watchers.scheduleAtFixedRate(
        () -> directBytesMost.accumulateAndGet(memory.usedBytes(), Math::max),
        0,
        MEMORY_EVERY_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  private Future<?> watchPayload(BlockCache cache, ScheduledExecutorService watchers) {
    Occupancy occupancy = new Occupancy(cache, blocks);
    return watchers.scheduleAtFixedRate(() -> sample(occupancy), 0, 1, TimeUnit.SECONDS);
  }

  private void sample(Occupancy occupancy) {
    Occupancy.Sample sample = occupancy.sample();
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

  /** Ends a watch, and passes on what made it fail before. */
  private static void stop(Future<?> watch) throws InterruptedException, ExecutionException {
    watch.cancel(false);
    if (!watch.isCancelled()) {
      watch.get();
    }
  }

  private ChurnResult result(Totals start, Totals end) {
    double seconds = (end.nanos() - start.nanos()) / 1e9;
    double gets = end.gets() - start.gets();
    double puts = end.puts() - start.puts();
    return new ChurnResult(
        settings.cache().label(),
        settings.capacityBytes(),
        Summary.of(samples.stream().map(this::payloadShare).toList()),
        directBytesMost.get(),
        Math.round(
            Summary.of(samples.stream().map(sample -> (double) sample.blocks()).toList()).median()),
        gets / seconds,
        puts / seconds,
        (end.putBytes() - start.putBytes()) / seconds,
        1 - puts / gets,
        (end.refused() - start.refused()) / puts);
  }

  /** Where the counters stood at a moment. */
  private record Totals(long nanos, long gets, long puts, long putBytes, long refused) {

    static Totals of(ChurnWorker.Counts counts, BlockCache cache) {
      return new Totals(
          System.nanoTime(),
          counts.gets.sum(),
          counts.puts.sum(),
          counts.putBytes.sum(),
          cache.getStats().getFailedInserts());
    }

    double seconds() {
      return (System.nanoTime() - nanos) / 1e9;
    }
  }

  private double payloadShare(Occupancy.Sample sample) {
    return (double) sample.payloadBytes() / settings.capacityBytes();
  }

  private static ThreadFactory named(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + number.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    };
  }
}
