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

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Headline;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The results of some stores, as a table and against what Terrace promises. */
final class MemoryReport {

  private static final int HEADLINE_RANK = 50;
  private static final double MOST_HEAP_BYTES = 8;
  private static final double MOST_INDEX_BYTES = 32;
  private static final double MOST_RECOVERY_MILLIS = 2000;
  private static final double MOST_FIRST_HIT_MILLIS = 1000;

  /** With fewer blocks the times and the share of what there is once prove nothing. */
  private static final int PROMISED_BLOCKS = 1_000_000;

  private final List<MemoryResult> results;

  MemoryReport(List<MemoryResult> results) {
    this.results = List.copyOf(results);
  }

  /** One line a store. */
  Table table() {
    Table table =
        new Table(
            "Memory a block, and restart",
            Column.text("cache"),
            Column.of("blocks", "blocks", Unit.COUNT),
            Column.of("heapBytes", "heap, bytes a block", Unit.FEW_BYTES).lessIsBetter(),
            Column.of("indexBytes", "index off heap, bytes a block", Unit.FEW_BYTES).lessIsBetter(),
            Column.of("fillMillis", "filled in", Unit.MILLIS).lessIsBetter(),
            Column.of("blocksAfter", "blocks after restart", Unit.COUNT),
            Column.of("firstHitMillis", "first hit", Unit.MILLIS).lessIsBetter(),
            Column.of("recoveredMillis", "all recovered", Unit.MILLIS).lessIsBetter(),
            Column.of("cpuMillis", "CPU of that", Unit.MILLIS));
    for (MemoryResult result : results) {
      table.row(
          result.store().isTerrace() ? Look.TERRACE : Look.PEER,
          result.store().title(),
          result.filled().blocks(),
          result.heapBytesPerBlock(),
          result.indexBytesPerBlock(),
          result.filled().fillMillis(),
          result.reopened().blocks(),
          result.reopened().firstHitMillis(),
          result.reopened().recoveredMillis(),
          result.reopened().cpuMillis());
    }
    return table
        .bars("Java heap that a block takes", "heapBytes")
        .bars("Time after a restart", "firstHitMillis", "recoveredMillis");
  }

  /** The slower of Terrace's tiers beside BucketCache; empty without both. */
  Optional<Headline> headline() {
    Optional<MemoryResult> peer =
        results.stream().filter(result -> !result.store().isTerrace()).findFirst();
    return results.stream()
        .filter(result -> result.store().isTerrace() && peer.isPresent())
        .max(Comparator.comparingDouble(result -> result.reopened().recoveredMillis()))
        .map(
            ours ->
                new Headline(
                    HEADLINE_RANK,
                    Unit.MILLIS.format(ours.reopened().recoveredMillis()),
                    String.format(
                        Locale.ROOT,
                        "until all blocks are served again after a restart: %s; %s takes %s",
                        ours.store().title(),
                        peer.get().store().title(),
                        Unit.MILLIS.format(peer.get().reopened().recoveredMillis()))));
  }

  /** The promises; empty with fewer blocks than they are made for. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (MemoryResult result : results) {
      if (result.store().isTerrace() && result.filled().blocks() >= PROMISED_BLOCKS) {
        String title = result.store().title();
        Reopened reopened = result.reopened();
        targets.add(
            new Target(
                reopened.blocks() == result.filled().blocks(),
                title + ": " + count(reopened.blocks()) + " blocks after a restart, all of them"));
        most(title, "bytes of heap a block", result.heapBytesPerBlock(), MOST_HEAP_BYTES, targets);
        most(
            title,
            "bytes of index a block off the heap",
            result.indexBytesPerBlock(),
            MOST_INDEX_BYTES,
            targets);
        most(
            title,
            "ms until all blocks are recovered",
            reopened.recoveredMillis(),
            MOST_RECOVERY_MILLIS,
            targets);
        most(
            title,
            "ms until the first hit",
            reopened.firstHitMillis(),
            MOST_FIRST_HIT_MILLIS,
            targets);
      }
    }
    return targets;
  }

  private static void most(
      String title, String what, double measured, double most, List<Target> targets) {
    targets.add(
        new Target(
            measured <= most,
            String.format(Locale.ROOT, "%s: %.1f %s, at most %.0f", title, measured, what, most)));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
