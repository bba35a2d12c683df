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

import dev.terrace.bench.workload.Await;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a store.
 *
 * @param kind which store
 * @param directory where its files go
 * @param blocks how many
 * @param payloadBytes of each
 */
record Fill(StoreKind kind, String directory, int blocks, int payloadBytes)
    implements OwnJvm.Task<Fill.Filled> {
  private static final Logger LOG = LoggerFactory.getLogger(Fill.class);
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int COLLECTIONS = 3;

  /**
   * What filling a store showed.
   *
   * @param blocks how many blocks it holds
   * @param heapBytes the heap that it uses with them less what it used without
   * @param indexOffHeapBytes its index outside of the heap
   * @param fillMillis how long that took
   */
  record Filled(long blocks, long heapBytes, long indexOffHeapBytes, long fillMillis) {}

  @Override
  public Filled run() throws IOException, InterruptedException {
    logOnce();
    Store store = kind.open(directory, new SmallBlocks(blocks, payloadBytes));
    await(store::isRecovered, "is not recovered, empty as it is");
    long before = usedHeapBytes();
    long start = System.nanoTime();
    for (int block = 0; block < blocks; block++) {
      store.put(block);
    }
    await(() -> store.blocks() == blocks, "does not hold all blocks that were put");
    long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
    long heapBytes = usedHeapBytes() - before;
    Filled filled = new Filled(store.blocks(), heapBytes, store.indexOffHeapBytes(), millis);
    store.stop();
    return filled;
  }

  /**
   * Logs a line. The first one opens all jars of the class path, whose directories stay on the
   * heap; a server has done that long before it opens its cache.
   */
  static void logOnce() {
    LOG.info("the heap is measured from here on");
  }

  /** Waits; throws an IOException with the complaint if it takes some minutes. */
  void await(BooleanSupplier condition, String complaint) throws IOException {
    if (!Await.until(condition, LIMIT)) {
      throw new IOException(kind.title() + " " + complaint + " after " + LIMIT.toSeconds() + " s");
    }
  }

  /** The heap in use, after collections. */
  static long usedHeapBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
