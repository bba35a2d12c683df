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
import dev.terrace.bench.workload.LoadedCache;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;

/** Callers of one cache, and what goes on beside them. Used by one thread. */
final class PauseRun {

  static final String ALONE = "nothing else happens";
  static final String EVICTING = "a large file is evicted";
  static final String FULL = "the cache is full";

  private static final int HOT_BLOCKS = 8192;
  private static final int EVICTIONS = 3;
  private static final Duration SHORT = Duration.ofSeconds(1);

  private final PauseSettings settings;

  PauseRun(PauseSettings settings) {
    this.settings = settings;
  }

  /** Runs all. */
  PauseResult run() throws IOException, InterruptedException {
    int blockSizeBytes = PauseSettings.BLOCK_SIZE_BYTES;
    BlockSet hot = BlockSet.ofOneSize(HOT_BLOCKS, blockSizeBytes);
    try (LoadedCache loaded =
        LoadedCache.openOfCapacity(
            settings.cache(), hot, blockSizeBytes, settings.capacityBytes())) {
      loaded.fill();
      Callers callers = new Callers(loaded.cache(), settings.cache(), hot, blockSizeBytes);
      // Not counted: the first calls wait for the compiler.
      callers.callWhile(lasting(SHORT), new Calls());
      callers.evictCreated();
      LatencyNanos nothing = Callers.timeNothingWhile(lasting(SHORT));
      List<Pause> pauses = new ArrayList<>();
      pauses.add(during(ALONE, callers, SHORT));
      callers.evictCreated();
      List<Double> evictionMillis = new ArrayList<>();
      LargeFile large = new LargeFile(loaded.cache(), settings.fileBlocks(), blockSizeBytes);
      pauses.add(whileEvicting(callers, large, evictionMillis));
      callers.put(settings.capacityBytes() / blockSizeBytes);
      pauses.add(during(FULL, callers, settings.time()));
      return new PauseResult(settings.cache().label(), nothing, pauses, Summary.of(evictionMillis));
    }
  }

  private static Pause during(String what, Callers callers, Duration time) {
    Calls calls = new Calls();
    callers.callWhile(lasting(time), calls);
    return calls.during(what);
  }

  /** The calls of several evictions together, since one may be over in no time. */
  private static Pause whileEvicting(Callers callers, LargeFile large, List<Double> evictionMillis)
      throws IOException, InterruptedException {
    Calls calls = new Calls();
    for (int i = 0; i < EVICTIONS; i++) {
      large.fill();
      FutureTask<Double> eviction = new FutureTask<>(large::evict);
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

  private static BooleanSupplier lasting(Duration time) {
    long start = System.nanoTime();
    return () -> System.nanoTime() - start < time.toNanos();
  }
}
