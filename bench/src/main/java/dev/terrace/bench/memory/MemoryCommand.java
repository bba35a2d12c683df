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

import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Headline;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code terrace bench memory}: fills each store and opens it again, each time in a new JVM. */
@Command(
    name = "memory",
    mixinStandardHelpOptions = true,
    description =
        "Many small blocks: the heap and the index that a block takes, and how long a restart"
            + " takes.")
public final class MemoryCommand extends Benchmark {
  private static final int HEADLINE_RANK = 50;
  private static final double MOST_HEAP_BYTES = 8;
  private static final double MOST_INDEX_BYTES = 32;
  private static final double MOST_DRAM_HEAP_BYTES = 150;
  private static final double MOST_RECOVERY_MILLIS = 2000;
  private static final double MOST_FIRST_HIT_MILLIS = 1000;

  /** With fewer blocks the times and the share of what there is once prove nothing. */
  private static final int PROMISED_BLOCKS = 1_000_000;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "How many blocks (default: ${DEFAULT-VALUE}).")
  private int blocks;

  @Option(
      names = "--blocks-per-file",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many blocks a file has (default: ${DEFAULT-VALUE}).")
  private int blocksPerFile;

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      defaultValue = "512",
      description = "The bytes of a block (default: ${DEFAULT-VALUE}).")
  private int payloadBytes;

  @Option(
      names = "--only-terrace",
      description = "Leaves BucketCache out, of which nothing is promised.")
  private boolean onlyTerrace;

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

  MemoryCommand() {
    super(
        "Memory and restart",
        "Small blocks go into an empty store, and a second process opens what the first one left."
            + " What a store keeps in memory for each block limits how large a cache on SSDs can"
            + " be. The times begin when the store is opened, in a process that has run nothing of"
            + " it.");
  }

  @Override
  protected void checkOptions() {
    requireRange("--blocks", blocks, 1, 10_000_000);
    requireRange("--blocks-per-file", blocksPerFile, 1, 10_000_000);
    requireRange("--payload", payloadBytes, 64, 16 << 10);
  }

  @Override
  protected void measure(Result result) throws IOException, InterruptedException {
    List<Measured> stores = new ArrayList<>();
    for (Store.Kind store : Store.Kind.values()) {
      if (store.isTerrace() || !onlyTerrace) {
        stores.add(measure(store));
      }
    }
    headline(stores).ifPresent(result::add);
    result
        .setting("blocks", blocks)
        .setting("blocksPerFile", blocksPerFile)
        .setting("payloadBytes", payloadBytes)
        .add(table(stores))
        .addTargets(targets(stores))
        .detail("stores", stores);
  }

  private Measured measure(Store.Kind store) throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      String directory = store.directory(scratch).toString();
      print("%s: fills %,d blocks of %,d bytes", store.title(), blocks, payloadBytes);
      StoreRun fill = new StoreRun(store, directory, blocks, blocksPerFile, payloadBytes, false);
      StoreRun.Seen filled = OwnJvm.run(fill, StoreRun.Seen.class);
      if (!store.lasts()) {
        return new Measured(store, filled, null);
      }
      print("%s: opens them again", store.title());
      StoreRun reopen = new StoreRun(store, directory, blocks, blocksPerFile, payloadBytes, true);
      return new Measured(store, filled, OwnJvm.run(reopen, StoreRun.Seen.class));
    }
  }

  /** One line a store. */
  static Table table(List<Measured> stores) {
    Table table =
        new Table(
            "Memory a block, and restart",
            Column.text("cache"),
            Column.of("blocks", "blocks", Unit.COUNT),
            Column.of("heapBytes", "heap, bytes a block", Unit.FEW_BYTES).lessIsBetter(),
            Column.of("readHeapBytes", "once all were read", Unit.FEW_BYTES).lessIsBetter(),
            Column.of("indexBytes", "index off heap, bytes a block", Unit.FEW_BYTES).lessIsBetter(),
            Column.of("fillMillis", "filled in", Unit.MILLIS).lessIsBetter(),
            Column.of("blocksAfter", "blocks after restart", Unit.COUNT),
            Column.of("firstHitMillis", "first hit", Unit.MILLIS).lessIsBetter(),
            Column.of("recoveredMillis", "all recovered", Unit.MILLIS).lessIsBetter(),
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

  /** The slower of Terrace's tiers beside BucketCache; empty without both. */
  static Optional<Headline> headline(List<Measured> stores) {
    List<Measured> lasting = stores.stream().filter(each -> each.store().lasts()).toList();
    Optional<Measured> peer =
        lasting.stream().filter(each -> !each.store().isTerrace()).findFirst();
    return lasting.stream()
        .filter(each -> each.store().isTerrace() && peer.isPresent())
        .max(Comparator.comparingDouble(each -> each.reopened().readyMillis()))
        .map(
            ours ->
                new Headline(
                    HEADLINE_RANK,
                    Unit.MILLIS.format(ours.reopened().readyMillis()),
                    String.format(
                        Locale.ROOT,
                        "until all blocks are served again after a restart: %s; %s takes %s",
                        ours.store().title(),
                        peer.get().store().title(),
                        Unit.MILLIS.format(peer.get().reopened().readyMillis()))));
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
