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
package dev.terrace.bench.pause;

import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.LoadedCache;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.io.hfile.BlockCache;

/**
 * Callers of one cache, and what goes on beside them.
 *
 * @param cache which cache
 * @param seconds how long the phases take that have no end of their own
 * @param fileBlocks the blocks of the large file
 */
record PauseRun(CacheKind cache, int seconds, int fileBlocks)
    implements OwnJvm.Task<PauseRun.Paused> {

  static final String ALONE = "nothing else happens";
  static final String EVICTING = "a large file is evicted";
  static final String FULL = "the cache is full";

  static final int BLOCK_SIZE_BYTES = 4 << 10;

  private static final int HOT_BLOCKS = 8192;
  private static final String LARGE_FILE = "1a46ef11e0000000000000000000000f";

  /** A cache may be short of room for a few; all must be there for the times to be of all. */
  private static final double LEAST_EVICTED_SHARE = 0.95;

  private static final int EVICTIONS = 3;
  private static final Duration SHORT = Duration.ofSeconds(1);

  /** With its header and with what a size class takes, a block may need a quarter more. */
  private static final long ROOM_PER_BLOCK_BYTES = 2L * BLOCK_SIZE_BYTES;

  private static final long OTHER_ROOM_BYTES = 256L << 20;

  /**
   * The pauses of one cache.
   *
   * @param cache which cache
   * @param nothing the time of nothing at all: the clock, and what stops a thread here anyway
   * @param pauses what callers saw, one for each thing that went on
   * @param evictionMillis how long the eviction of the large file took, each time
   */
  record Paused(
      CacheKind cache, LatencyNanos nothing, List<Callers.Pause> pauses, Summary evictionMillis) {}

  /** Room for the large file, for what is read often, and for some of what is put. */
  private long capacityBytes() {
    return fileBlocks * ROOM_PER_BLOCK_BYTES + OTHER_ROOM_BYTES;
  }

  @Override
  public Paused run() throws IOException, InterruptedException {
    BlockSet hot = BlockSet.ofOneSize(HOT_BLOCKS, BLOCK_SIZE_BYTES);
    try (LoadedCache loaded =
        LoadedCache.openOfCapacity(cache, hot, BLOCK_SIZE_BYTES, capacityBytes())) {
      loaded.fill();
      Callers callers = new Callers(loaded.cache(), cache, hot, BLOCK_SIZE_BYTES);
      // Not counted: the first calls wait for the compiler.
      callers.callWhile(lasting(SHORT), new Callers.Calls());
      callers.evictCreated();
      LatencyNanos nothing = Callers.timeNothingWhile(lasting(SHORT));
      List<Callers.Pause> pauses = new ArrayList<>();
      pauses.add(during(ALONE, callers, SHORT));
      callers.evictCreated();
      List<Double> evictionMillis = new ArrayList<>();
      pauses.add(whileEvicting(callers, loaded, evictionMillis));
      callers.put(capacityBytes() / BLOCK_SIZE_BYTES);
      pauses.add(during(FULL, callers, Duration.ofSeconds(seconds)));
      return new Paused(cache, nothing, pauses, Summary.of(evictionMillis));
    }
  }

  private static Callers.Pause during(String what, Callers callers, Duration time) {
    Callers.Calls calls = new Callers.Calls();
    callers.callWhile(lasting(time), calls);
    return calls.during(what);
  }

  /** The calls of several evictions together, since one may be over in no time. */
  private Callers.Pause whileEvicting(
      Callers callers, LoadedCache loaded, List<Double> evictionMillis)
      throws IOException, InterruptedException {
    BlockSet large = BlockSet.ofOneSize(fileBlocks, BLOCK_SIZE_BYTES).inOneFile(LARGE_FILE);
    Callers.Calls calls = new Callers.Calls();
    for (int i = 0; i < EVICTIONS; i++) {
      loaded.fillWith(large);
      // The garbage of the filling is not to be collected beside the eviction.
      System.gc();
      FutureTask<Double> eviction = new FutureTask<>(() -> evict(loaded.cache()));
      Thread evictor = new Thread(eviction, "terrace-bench-evictor");
      evictor.start();
      callers.callWhile(() -> !eviction.isDone(), calls);
      try {
        evictionMillis.add(eviction.get());
      } catch (ExecutionException e) {
        throw new IOException("the eviction failed", e);
      }
      callers.evictCreated();
    }
    return calls.during(EVICTING);
  }

  /** Evicts the large file; returns how long that took, in milliseconds. */
  private double evict(BlockCache from) {
    long start = System.nanoTime();
    int evicted = from.evictBlocksByHfileName(LARGE_FILE);
    double millis = (System.nanoTime() - start) / 1e6;
    if (evicted < LEAST_EVICTED_SHARE * fileBlocks) {
      throw new IllegalStateException(
          "evicted=" + evicted + " blocks of " + fileBlocks + " from " + from);
    }
    return millis;
  }

  private static BooleanSupplier lasting(Duration time) {
    long start = System.nanoTime();
    return () -> System.nanoTime() - start < time.toNanos();
  }
}
