// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Small blocks go into an empty store, and a second process opens what the first one left: the heap
 * and the index that a block takes, and how long a restart takes.
 *
 * @param withPeers whether BucketCache is measured too, of which nothing is promised
 */
public record MemoryPart(int blocks, boolean withPeers) implements Part {

  private static final double MOST_HEAP_BYTES = 8;
  private static final double MOST_INDEX_BYTES = 32;
  private static final double MOST_DRAM_HEAP_BYTES = 150;
  private static final double MOST_RECOVERY_MILLIS = 2000;
  private static final double MOST_FIRST_HIT_MILLIS = 1000;

  /** With fewer blocks the times and the share of what there is once prove nothing. */
  private static final int PROMISED_BLOCKS = 1_000_000;

  private static final int BLOCKS_PER_FILE = 1_000;
  private static final int PAYLOAD_BYTES = 512;

  /** The figures of a store: filled, and opened again, which is null if it does not last. */
  record Measured(Store.Kind store, StoreRun.Seen filled, StoreRun.Seen reopened) {
    /** Bytes of heap, filled or opened again, whichever is more. */
    double heapBytesPerBlock() {
      return reopened == null
          ? filled.heapBytesPerBlock()
          : Math.max(filled.heapBytesPerBlock(), reopened.heapBytesPerBlock());
    }

    double afterRestart(ToDoubleFunction<StoreRun.Seen> figure) {
      return reopened == null ? Double.NaN : figure.applyAsDouble(reopened);
    }

    /** Bytes of index outside of the heap, likewise. */
    double indexBytesPerBlock() {
      return reopened == null
          ? filled.indexBytesPerBlock()
          : Math.max(filled.indexBytesPerBlock(), reopened.indexBytesPerBlock());
    }
  }

  @Override
  public void measure(Result result, Consumer<String> console)
      throws IOException, InterruptedException {
    List<Measured> stores = new ArrayList<>();
    for (Store.Kind store : Store.Kind.values()) {
      if (store.isTerrace() || withPeers) {
        stores.add(measure(store, console));
      }
    }
    result.setting("memoryBlocks", blocks).add(table(stores)).addTargets(targets(stores));
  }

  private Measured measure(Store.Kind store, Consumer<String> console)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      String directory = store.directory(scratch).toString();
      String what = String.format("%,d blocks of %d bytes", blocks, PAYLOAD_BYTES);
      console.accept(store.title() + ": fills " + what);
      StoreRun.Seen filled = run(store, directory, false);
      if (!store.lasts()) {
        return new Measured(store, filled, null);
      }
      console.accept(store.title() + ": opens them again");
      return new Measured(store, filled, run(store, directory, true));
    }
  }

  private StoreRun.Seen run(Store.Kind store, String directory, boolean isFilled)
      throws IOException, InterruptedException {
    StoreRun run = new StoreRun(store, directory, blocks, BLOCKS_PER_FILE, PAYLOAD_BYTES, isFilled);
    return OwnJvm.run(run, StoreRun.Seen.class);
  }

  /** One line a store. */
  static Table table(List<Measured> stores) {
    Table table =
        new Table(
            "Memory a block, and restart",
            Column.text("cache"),
            Column.of("blocks", "blocks", Unit.COUNT),
            Column.of("heapBytes", "heap, bytes a block", Unit.FEW_BYTES),
            Column.of("readHeapBytes", "once all were read", Unit.FEW_BYTES),
            Column.of("indexBytes", "index off heap, bytes a block", Unit.FEW_BYTES),
            Column.of("fillMillis", "filled in", Unit.MILLIS),
            Column.of("blocksAfter", "blocks after restart", Unit.COUNT),
            Column.of("firstHitMillis", "first hit", Unit.MILLIS),
            Column.of("recoveredMillis", "all recovered", Unit.MILLIS),
            Column.of("cpuMillis", "CPU of that", Unit.MILLIS));
    for (Measured each : stores) {
      table.row(
          each.store().isTerrace() ? Look.TERRACE : Look.PEER,
          each.store().title(),
          each.filled().blocks(),
          each.heapBytesPerBlock(),
          each.filled().readHeapBytesPerBlock(),
          each.indexBytesPerBlock(),
          each.filled().readyMillis(),
          each.afterRestart(StoreRun.Seen::blocks),
          each.afterRestart(StoreRun.Seen::firstHitMillis),
          each.afterRestart(StoreRun.Seen::readyMillis),
          each.afterRestart(StoreRun.Seen::cpuMillis));
    }
    return table
        .bars("Java heap that a block takes", "heapBytes")
        .bars("Time after a restart", "firstHitMillis", "recoveredMillis");
  }

  /** The promises; empty with fewer blocks than they are made for. */
  static List<Target> targets(List<Measured> stores) {
    List<Target> targets = new ArrayList<>();
    for (Measured each : stores) {
      if (each.store() == Store.Kind.DRAM) {
        targets.add(
            atMost(
                MOST_DRAM_HEAP_BYTES,
                each.filled().heapBytesPerBlock(),
                each.store().title(),
                "bytes of heap a block"));
      } else if (each.store().isTerrace() && each.filled().blocks() >= PROMISED_BLOCKS) {
        String title = each.store().title();
        StoreRun.Seen after = each.reopened();
        boolean isComplete = after.blocks() == each.filled().blocks();
        targets.addAll(
            List.of(
                Target.of(
                    isComplete,
                    "%s: %,d blocks after a restart, all of them",
                    title,
                    after.blocks()),
                atMost(MOST_HEAP_BYTES, each.heapBytesPerBlock(), title, "bytes of heap a block"),
                atMost(
                    MOST_INDEX_BYTES,
                    each.indexBytesPerBlock(),
                    title,
                    "bytes of index a block off the heap"),
                atMost(
                    MOST_RECOVERY_MILLIS,
                    after.readyMillis(),
                    title,
                    "ms until all blocks are recovered"),
                atMost(
                    MOST_FIRST_HIT_MILLIS,
                    after.firstHitMillis(),
                    title,
                    "ms until the first hit")));
      }
    }
    return targets;
  }

  private static Target atMost(double most, double measured, String title, String what) {
    return Target.of(measured <= most, "%s: %.1f %s, at most %.0f", title, measured, what, most);
  }
}
