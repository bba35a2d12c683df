// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store's life in one process: it is opened, filled unless an earlier process filled it, and
 * stopped. The first process fills it with small blocks, and the second opens what is left. This
 * measures the heap and the index bytes of a block, and how long a restart takes.
 *
 * @param kind which store
 * @param directory of its files
 * @param blocks how many
 * @param isFilled whether an earlier process has filled it
 */
public record Memory(Store.Kind kind, String directory, int blocks, boolean isFilled)
    implements OwnJvm.Task<Memory.Seen> {

  private static final Logger LOG = LoggerFactory.getLogger(Memory.class);
  private static final double MAX_HEAP_BYTES = 8;
  private static final double MAX_INDEX_BYTES = 32;
  private static final double MAX_DRAM_HEAP_BYTES = 150;
  private static final double MAX_RECOVERY_MILLIS = 2000;
  private static final double MAX_FIRST_HIT_MILLIS = 1000;

  /** With fewer blocks, the times and the share of one-time costs prove nothing. */
  private static final int PROMISED_BLOCKS = 1_000_000;

  private static final int BLOCKS_PER_FILE = 1_000;
  private static final int PAYLOAD_BYTES = 512;
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int COLLECTIONS = 3;
  private static final int CHECKED_BLOCKS = 10_000;
  private static final double MIN_HITS = 0.95;

  /**
   * The figures of a store in one process. They begin when it is opened or, if it is filled here,
   * after the opening.
   *
   * @param blocks the blocks it holds
   * @param heapBytes the heap in use then, minus that before
   * @param indexOffHeapBytes its off-heap index
   * @param firstHitMillis the time to the first hit; 0 if it was filled here
   * @param readyMillis the time until all blocks are there
   */
  record Seen(
      long blocks,
      long heapBytes,
      long indexOffHeapBytes,
      double firstHitMillis,
      double readyMillis) {

    private double heapBytesPerBlock() {
      return (double) heapBytes / blocks;
    }

    private double indexBytesPerBlock() {
      return (double) indexOffHeapBytes / blocks;
    }
  }

  /** The figures of a store, filled and reopened; the latter null if it is not persistent. */
  record Measured(Store.Kind store, Seen filled, Seen reopened) {

    private double afterRestart(ToDoubleFunction<Seen> figure) {
      return reopened == null ? Double.NaN : figure.applyAsDouble(reopened);
    }

    /** The larger of a figure when filled and when reopened. */
    private double most(ToDoubleFunction<Seen> figure) {
      double first = figure.applyAsDouble(filled);
      return reopened == null ? first : Math.max(first, figure.applyAsDouble(reopened));
    }
  }

  /** Measures the tiers, as part of the guard. */
  public static void measure(int blocks, Result result, Consumer<String> console)
      throws IOException, InterruptedException {
    List<Measured> stores = new ArrayList<>();
    for (Store.Kind store : Store.Kind.values()) {
      stores.add(measure(store, blocks, console));
    }
    result.setting("memoryBlocks", blocks).add(table(stores)).addTargets(targets(stores));
  }

  private static Measured measure(Store.Kind store, int blocks, Consumer<String> console)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      String directory = store.directory(scratch).toString();
      console.accept(
          String.format("%s: fills %,d blocks of %d bytes", store.title(), blocks, PAYLOAD_BYTES));
      Seen filled = OwnJvm.run(new Memory(store, directory, blocks, false), Seen.class);
      if (!store.lasts()) {
        return new Measured(store, filled, null);
      }
      console.accept(store.title() + ": opens them again");
      Seen reopened = OwnJvm.run(new Memory(store, directory, blocks, true), Seen.class);
      return new Measured(store, filled, reopened);
    }
  }

  /** One line for each store. */
  static Table table(List<Measured> stores) {
    Table table =
        new Table(
            "Memory a block, and restart",
            Column.text("cache"),
            Column.of("blocks", "blocks", Unit.COUNT),
            Column.of("heapBytes", "heap, bytes a block", Unit.FEW_BYTES),
            Column.of("indexBytes", "index off heap, bytes a block", Unit.FEW_BYTES),
            Column.of("fillMillis", "filled in", Unit.MILLIS),
            Column.of("blocksAfter", "blocks after restart", Unit.COUNT),
            Column.of("firstHitMillis", "first hit", Unit.MILLIS),
            Column.of("recoveredMillis", "all recovered", Unit.MILLIS));
    for (Measured each : stores) {
      Seen filled = each.filled();
      table.row(
          Look.TERRACE,
          each.store().title(),
          filled.blocks(),
          each.most(Seen::heapBytesPerBlock),
          each.most(Seen::indexBytesPerBlock),
          filled.readyMillis(),
          each.afterRestart(Seen::blocks),
          each.afterRestart(Seen::firstHitMillis),
          each.afterRestart(Seen::readyMillis));
    }
    return table
        .bars("Java heap that a block takes", "heapBytes")
        .bars("Time after a restart", "firstHitMillis", "recoveredMillis");
  }

  /** The promises; for persistent tiers only at the number of blocks that they are made for. */
  static List<Target> targets(List<Measured> stores) {
    List<Target> targets = new ArrayList<>();
    for (Measured each : stores) {
      String title = each.store().title();
      double heap = each.most(Seen::heapBytesPerBlock);
      Seen after = each.reopened();
      if (each.store() == Store.Kind.DRAM) {
        targets.add(atMost(MAX_DRAM_HEAP_BYTES, heap, title, "bytes of heap a block"));
      } else if (each.filled().blocks() >= PROMISED_BLOCKS) {
        double index = each.most(Seen::indexBytesPerBlock);
        targets.add(
            Target.of(
                after.blocks() == each.filled().blocks(),
                "%s: %,d blocks after a restart, all of them",
                title,
                after.blocks()));
        targets.add(atMost(MAX_HEAP_BYTES, heap, title, "bytes of heap a block"));
        targets.add(atMost(MAX_INDEX_BYTES, index, title, "bytes of index a block off the heap"));
        String recovered = "ms until all blocks are recovered";
        targets.add(atMost(MAX_RECOVERY_MILLIS, after.readyMillis(), title, recovered));
        String hit = "ms until the first hit";
        targets.add(atMost(MAX_FIRST_HIT_MILLIS, after.firstHitMillis(), title, hit));
      }
    }
    return targets;
  }

  private static Target atMost(double most, double measured, String title, String what) {
    return Target.of(measured <= most, "%s: %.1f %s, at most %.0f", title, measured, what, most);
  }

  @Override
  public Seen run() throws IOException, InterruptedException {
    // The first log line opens all jars of the class path, whose directories stay on the heap. A
    // server has done that long before it opens its cache.
    LOG.info("the heap is measured from here on");
    SplittableRandom random = new SplittableRandom(1);
    BlockSet all = BlockSet.ofOneSize(blocks, PAYLOAD_BYTES).inFilesOf(BLOCKS_PER_FILE);
    // Loads HBase's block classes, which a server has also loaded before.
    all.verify(0, all.newBlock(0));
    long heapBefore = usedHeapBytes();
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
      start = System.nanoTime();
      // Makes the time to the first hit 0.
      firstHit = start;
      for (int block = 0; block < blocks; block++) {
        store.put(block);
      }
      await(() -> store.blocks() == blocks, "does not hold all blocks that were put");
    }
    long ready = System.nanoTime();
    long heap = usedHeapBytes() - heapBefore;
    Seen seen =
        new Seen(
            store.blocks(),
            heap,
            store.indexOffHeapBytes(),
            (firstHit - start) / 1e6,
            (ready - start) / 1e6);
    check(store, random, seen.blocks());
    store.stop();
    return seen;
  }

  /** Reads some blocks: their bytes must be right, and as many must hit as the store reports. */
  private void check(Store store, SplittableRandom random, long held) throws IOException {
    int hits = 0;
    for (int i = 0; i < CHECKED_BLOCKS; i++) {
      hits += store.hit(random.nextInt(blocks)) ? 1 : 0;
    }
    double expected = (double) CHECKED_BLOCKS * held / blocks;
    if (hits < MIN_HITS * expected) {
      throw new IOException(kind.title() + ": hits=" + hits + ", expected=" + Math.round(expected));
    }
  }

  private void await(BooleanSupplier condition, String complaint) throws IOException {
    if (!Await.until(condition, LIMIT)) {
      throw new IOException(kind.title() + " " + complaint + " after " + LIMIT.toSeconds() + " s");
    }
  }

  /** The heap in use after garbage collections. */
  private static long usedHeapBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
