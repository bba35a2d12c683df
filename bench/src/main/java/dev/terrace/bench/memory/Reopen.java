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
package dev.terrace.bench.memory;

import com.sun.management.OperatingSystemMXBean;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;

/**
 * Opens a store again that {@link Fill} has filled, in a JVM that has run nothing of it yet.
 *
 * @param filled what filled it
 */
record Reopen(Fill filled) implements OwnJvm.Task<Reopen.Reopened> {
  private static final int CHECKED_BLOCKS = 10_000;
  private static final double LEAST_HITS = 0.95;

  /**
   * What opening a filled store again showed.
   *
   * @param blocks how many blocks came back
   * @param firstHitMillis from the start of opening to the first hit
   * @param recoveredMillis from the start of opening until all blocks were back
   * @param cpuMillis the process's CPU time in that while
   * @param heapBytes the heap that it uses then, less what was used before it was opened
   * @param indexOffHeapBytes its index outside of the heap
   */
  record Reopened(
      long blocks,
      double firstHitMillis,
      double recoveredMillis,
      double cpuMillis,
      long heapBytes,
      long indexOffHeapBytes) {}

  @Override
  public Reopened run() throws IOException, InterruptedException {
    Fill.logOnce();
    SplittableRandom random = new SplittableRandom(1);
    SmallBlocks all = new SmallBlocks(filled.blocks(), filled.payloadBytes());
    long heapBefore = Fill.usedHeapBytes();
    long cpuBefore = cpuNanos();
    long start = System.nanoTime();
    Store store = filled.kind().open(filled.directory(), all);
    filled.await(() -> store.hit(random.nextInt(all.count())), "has no hit");
    long firstHit = System.nanoTime();
    filled.await(store::isRecovered, "is not recovered");
    long recovered = System.nanoTime();
    long cpu = cpuNanos() - cpuBefore;
    Reopened reopened =
        new Reopened(
            store.blocks(),
            (firstHit - start) / 1e6,
            (recovered - start) / 1e6,
            cpu / 1e6,
            Fill.usedHeapBytes() - heapBefore,
            store.indexOffHeapBytes());
    check(store, random, reopened.blocks());
    store.stop();
    return reopened;
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** Reads some blocks: those that came back must be right, and as many as the store tells. */
  private void check(Store store, SplittableRandom random, long recovered) throws IOException {
    int hits = 0;
    for (int i = 0; i < CHECKED_BLOCKS; i++) {
      hits += store.hit(random.nextInt(filled.blocks())) ? 1 : 0;
    }
    double expected = (double) CHECKED_BLOCKS * recovered / filled.blocks();
    if (hits < LEAST_HITS * expected) {
      throw new IOException(
          filled.kind().title() + ": hits=" + hits + ", expected=" + Math.round(expected));
    }
  }
}
