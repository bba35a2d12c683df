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
import dev.terrace.bench.workload.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a store, or opens a filled one again, in a JVM of its own, so that the heap counted is its
 * own, and the restart a real one. Prints {@link Filled} or {@link Reopened} as JSON.
 */
public final class MemoryMain {

  static final String FILL = "fill";
  static final String REOPEN = "reopen";

  private static final Logger LOG = LoggerFactory.getLogger(MemoryMain.class);

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final long LOOK_EVERY_NANOS = Duration.ofMillis(1).toNanos();
  private static final int COLLECTIONS = 3;
  private static final int CHECKED_BLOCKS = 10_000;

  private final StoreKind kind;
  private final Path directory;
  private final SmallBlocks blocks;

  private MemoryMain(StoreKind kind, Path directory, SmallBlocks blocks) {
    this.kind = kind;
    this.directory = directory;
    this.blocks = blocks;
  }

  /** Arguments: what to do, the store's name, its directory, blocks, payload bytes. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    MemoryMain run =
        new MemoryMain(
            StoreKind.valueOf(arguments[1]),
            Path.of(arguments[2]),
            new SmallBlocks(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4])));
    // The first line that is logged opens all jars of the class path, whose directories stay on the
    // heap. A server has done that long before it opens its cache.
    LOG.info("{} {}", arguments[0], arguments[1]);
    Object result = arguments[0].equals(FILL) ? run.fill() : run.reopen();
    System.out.println(new Gson().toJson(result));
    // BucketCache leaves threads behind that would keep the process alive.
    System.exit(0);
  }

  private Filled fill() throws IOException, InterruptedException {
    Store store = kind.open(directory, blocks);
    await(store::isRecovered, "recovered, empty as it is");
    long before = usedHeapBytes();
    long start = System.nanoTime();
    for (int block = 0; block < blocks.count(); block++) {
      store.put(block);
    }
    await(() -> store.blocks() == blocks.count(), "holding all blocks that were put");
    long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
    Filled filled =
        new Filled(store.blocks(), usedHeapBytes() - before, store.indexOffHeapBytes(), millis);
    store.stop();
    return filled;
  }

  private Reopened reopen() throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(1);
    long before = usedHeapBytes();
    long cpuBefore = cpuNanos();
    long start = System.nanoTime();
    Store store = kind.open(directory, blocks);
    while (!store.hit(random.nextInt(blocks.count()))) {
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        throw new IOException(kind.title() + " has no hit");
      }
      // The cores are for the recovery.
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
    long firstHit = System.nanoTime();
    await(store::isRecovered, "recovered");
    long recovered = System.nanoTime();
    long cpu = cpuNanos() - cpuBefore;
    Reopened reopened =
        new Reopened(
            store.blocks(),
            millis(firstHit - start),
            millis(recovered - start),
            millis(cpu),
            usedHeapBytes() - before,
            store.indexOffHeapBytes());
    check(store, random, reopened.blocks());
    store.stop();
    return reopened;
  }

  /**
   * Reads some blocks: those that came back must be right, and there must be as many as it says.
   */
  private void check(Store store, SplittableRandom random, long recovered) throws IOException {
    int hits = 0;
    for (int i = 0; i < CHECKED_BLOCKS; i++) {
      hits += store.hit(random.nextInt(blocks.count())) ? 1 : 0;
    }
    double expected = (double) CHECKED_BLOCKS * recovered / blocks.count();
    if (hits < 0.95 * expected) {
      throw new IOException(
          kind.title() + ": hits=" + hits + " of " + CHECKED_BLOCKS + ", expected=" + expected);
    }
  }

  private void await(BooleanSupplier condition, String what) throws IOException {
    if (!Await.until(condition, LIMIT)) {
      throw new IOException(
          kind.title() + " is not " + what + " after " + LIMIT.toSeconds() + " s");
    }
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static long usedHeapBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
