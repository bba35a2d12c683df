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

import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results of some stores, as a table and against what Terrace promises. */
final class MemoryReport {

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
  String table() {
    TextTable table =
        new TextTable(
            1,
            "cache",
            "blocks",
            "heap, bytes a block",
            "index off heap, bytes a block",
            "filled in",
            "blocks after restart",
            "first hit",
            "all recovered",
            "CPU of that");
    for (MemoryResult result : results) {
      table.add(
          result.store().title(),
          count(result.filled().blocks()),
          String.format(Locale.ROOT, "%.1f", result.heapBytesPerBlock()),
          String.format(Locale.ROOT, "%.1f", result.indexBytesPerBlock()),
          String.format(Locale.ROOT, "%.1f s", result.filled().fillMillis() / 1000.0),
          count(result.reopened().blocks()),
          millis(result.reopened().firstHitMillis()),
          millis(result.reopened().recoveredMillis()),
          millis(result.reopened().cpuMillis()));
    }
    return table.toString();
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

  private static String millis(double millis) {
    return String.format(Locale.ROOT, "%,.0f ms", millis);
  }
}
