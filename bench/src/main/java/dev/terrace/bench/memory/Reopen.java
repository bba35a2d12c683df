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

import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens a store again that {@link Fill} has filled, in a JVM that has run nothing of it yet.
 *
 * @param filled what filled it
 */
record Reopen(Fill filled) implements OwnJvm.Task<Reopened> {

  private static final long LOOK_EVERY_NANOS = 1_000_000;
  private static final int CHECKED_BLOCKS = 10_000;

  @Override
  public Reopened run() throws IOException, InterruptedException {
    Footprint.logOnce();
    SplittableRandom random = new SplittableRandom(1);
    SmallBlocks all = new SmallBlocks(filled.blocks(), filled.payloadBytes());
    long before = Footprint.usedHeapBytes();
    long cpuBefore = Footprint.cpuNanos();
    long start = System.nanoTime();
    Store store = filled.kind().open(filled.directory(), all);
    while (!store.hit(random.nextInt(all.count()))) {
      if (System.nanoTime() - start > Footprint.LIMIT.toNanos()) {
        throw new IOException(filled.kind().title() + " has no hit");
      }
      // The cores are for the recovery.
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
    long firstHit = System.nanoTime();
    Footprint.await(store::isRecovered, filled.kind().title() + " is not recovered");
    long recovered = System.nanoTime();
    long cpu = Footprint.cpuNanos() - cpuBefore;
    Reopened reopened =
        new Reopened(
            store.blocks(),
            (firstHit - start) / 1e6,
            (recovered - start) / 1e6,
            cpu / 1e6,
            Footprint.usedHeapBytes() - before,
            store.indexOffHeapBytes());
    check(store, random, reopened.blocks());
    store.stop();
    return reopened;
  }

  /** Reads some blocks: those that came back must be right, and as many as the store tells. */
  private void check(Store store, SplittableRandom random, long recovered) throws IOException {
    int hits = 0;
    for (int i = 0; i < CHECKED_BLOCKS; i++) {
      hits += store.hit(random.nextInt(filled.blocks())) ? 1 : 0;
    }
    double expected = (double) CHECKED_BLOCKS * recovered / filled.blocks();
    if (hits < 0.95 * expected) {
      throw new IOException(
          filled.kind().title()
              + ": hits="
              + hits
              + " of "
              + CHECKED_BLOCKS
              + ", expected="
              + expected);
    }
  }
}
