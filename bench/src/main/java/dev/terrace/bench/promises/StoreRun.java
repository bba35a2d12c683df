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

import com.sun.management.OperatingSystemMXBean;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.OwnJvm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store's life in one process: it is opened, filled unless it was filled before, and stopped.
 *
 * @param kind which store
 * @param directory of its files
 * @param blocks how many
 * @param blocksPerFile how many blocks a file has
 * @param payloadBytes of each block
 * @param isFilled whether an earlier process has filled it
 */
record StoreRun(
    Store.Kind kind,
    String directory,
    int blocks,
    int blocksPerFile,
    int payloadBytes,
    boolean isFilled)
    implements OwnJvm.Task<StoreRun.Seen> {
  private static final Logger LOG = LoggerFactory.getLogger(StoreRun.class);
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int COLLECTIONS = 3;
  private static final int CHECKED_BLOCKS = 10_000;
  private static final double LEAST_HITS = 0.95;

  /**
   * Figures of a store in one process. They begin when it is opened; if it is filled here, after
   * that.
   *
   * @param blocks the blocks it holds
   * @param heapBytes the heap in use then, less that before
   * @param readHeapBytes the same once each block was hit; 0 if it was filled before
   * @param indexOffHeapBytes its index outside of the heap
   * @param firstHitMillis the time to the first hit; 0 if it was filled here
   * @param readyMillis the time until all blocks are there
   * @param cpuMillis CPU time of the process in that time
   */
  record Seen(
      long blocks,
      long heapBytes,
      long readHeapBytes,
      long indexOffHeapBytes,
      double firstHitMillis,
      double readyMillis,
      double cpuMillis) {

    double heapBytesPerBlock() {
      return (double) heapBytes / blocks;
    }

    double readHeapBytesPerBlock() {
      return (double) readHeapBytes / blocks;
    }

    double indexBytesPerBlock() {
      return (double) indexOffHeapBytes / blocks;
    }
  }

  @Override
  public Seen run() throws IOException, InterruptedException {
    // The first line opens all jars of the class path, whose directories stay on the heap; a server
    // has done that long before it opens its cache.
    LOG.info("the heap is measured from here on");
    SplittableRandom random = new SplittableRandom(1);
    BlockSet all = BlockSet.ofOneSize(blocks, payloadBytes).inFilesOf(blocksPerFile);
    // Loads HBase's classes of blocks, which a server has loaded before, too.
    all.verify(0, all.newBlock(0));
    long heapBefore = usedHeapBytes();
    long cpuBefore = cpuNanos();
    long start = System.nanoTime();
    Store store = kind.open(Path.of(directory), all);
    long firstHit = start;
    if (isFilled) {
      await(() -> store.hit(random.nextInt(blocks)), "has no hit");
      firstHit = System.nanoTime();
      await(store::isRecovered, "is not recovered");
    } else {
      await(store::isRecovered, "is not recovered, empty as it is");
      heapBefore = usedHeapBytes();
      cpuBefore = cpuNanos();
      start = System.nanoTime();
      for (int block = 0; block < blocks; block++) {
        store.put(block);
      }
      await(() -> store.blocks() == blocks, "does not hold all blocks that were put");
    }
    long ready = System.nanoTime();
    double cpuMillis = (cpuNanos() - cpuBefore) / 1e6;
    long heap = usedHeapBytes() - heapBefore;
    Seen seen =
        new Seen(
            store.blocks(),
            heap,
            isFilled ? 0 : heapOnceRead(store) - heapBefore,
            store.indexOffHeapBytes(),
            (firstHit - start) / 1e6,
            (ready - start) / 1e6,
            cpuMillis);
    check(store, random, seen.blocks());
    store.stop();
    return seen;
  }

  private long heapOnceRead(Store store) {
    for (int block = 0; block < blocks; block++) {
      store.hit(block);
    }
    return usedHeapBytes();
  }

  /** Reads some blocks: their bytes must be right, and as many must hit as the store tells. */
  private void check(Store store, SplittableRandom random, long held) throws IOException {
    int hits = 0;
    for (int i = 0; i < CHECKED_BLOCKS; i++) {
      hits += store.hit(random.nextInt(blocks)) ? 1 : 0;
    }
    double expected = (double) CHECKED_BLOCKS * held / blocks;
    if (hits < LEAST_HITS * expected) {
      throw new IOException(kind.title() + ": hits=" + hits + ", expected=" + Math.round(expected));
    }
  }

  private void await(BooleanSupplier condition, String complaint) throws IOException {
    if (!Await.until(condition, LIMIT)) {
      throw new IOException(kind.title() + " " + complaint + " after " + LIMIT.toSeconds() + " s");
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** The heap in use, after collections. */
  private static long usedHeapBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
