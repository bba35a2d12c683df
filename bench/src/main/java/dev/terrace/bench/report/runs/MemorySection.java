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
package dev.terrace.bench.report.runs;

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.chart.BarChart;
import dev.terrace.bench.report.chart.Look;
import dev.terrace.bench.report.page.Figure;
import dev.terrace.bench.report.page.Headline;
import dev.terrace.bench.report.page.Part;
import dev.terrace.bench.report.page.Section;
import dev.terrace.bench.report.page.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** The heap and the index that a block takes, and how long a restart takes. */
final class MemorySection {

  private static final int HEADLINE_RANK = 50;

  private MemorySection() {}

  private record Row(
      String title,
      boolean isTerrace,
      double blocks,
      double heapBytes,
      double indexBytes,
      double fillMillis,
      double blocksAfter,
      double firstHitMillis,
      double recoveredMillis,
      double cpuMillis) {

    static Row of(Fields fields) throws RunFileException {
      String store = fields.needText("store");
      Fields filled =
          fields.object("filled").orElseThrow(() -> fields.wrong("filled", "an object"));
      Fields reopened =
          fields.object("reopened").orElseThrow(() -> fields.wrong("reopened", "an object"));
      double blocks = filled.needNumber("blocks");
      double blocksAfter = reopened.needNumber("blocks");
      return new Row(
          title(store),
          !store.startsWith("BUCKET"),
          blocks,
          Math.max(
              filled.needNumber("heapBytes") / blocks,
              reopened.needNumber("heapBytes") / Math.max(1, blocksAfter)),
          Math.max(
              filled.needNumber("indexOffHeapBytes") / blocks,
              reopened.needNumber("indexOffHeapBytes") / Math.max(1, blocksAfter)),
          filled.needNumber("fillMillis"),
          blocksAfter,
          reopened.needNumber("firstHitMillis"),
          reopened.needNumber("recoveredMillis"),
          reopened.needNumber("cpuMillis"));
    }

    private static String title(String store) {
      return switch (store) {
        case "PMEM" -> "Terrace PMem tier";
        case "SSD" -> "Terrace SSD tier";
        case "BUCKET_FILE" -> "BucketCache file:";
        default -> store;
      };
    }

    Look look() {
      return isTerrace ? Look.TERRACE : Look.PEER;
    }
  }

  static Section of(RunFile run) throws RunFileException {
    List<Row> rows = new ArrayList<>();
    for (Fields fields : run.body().needList("results")) {
      rows.add(Row.of(fields));
    }
    BarChart heap =
        new BarChart(
            "Java heap that a block takes", "bytes a block (less is better)", Numbers::scaled);
    rows.forEach(row -> heap.bar(row.title(), row.look(), Summary.of(row.heapBytes())));
    BarChart restart =
        new BarChart(
            "Time after a restart", "time since the opening (less is better)", Numbers::millis);
    restart.group("Until the first hit");
    rows.forEach(row -> restart.bar(row.title(), row.look(), Summary.of(row.firstHitMillis())));
    restart.group("Until all blocks are served again");
    rows.forEach(row -> restart.bar(row.title(), row.look(), Summary.of(row.recoveredMillis())));
    List<Part> parts = new ArrayList<>();
    parts.add(new Figure(heap));
    parts.add(new Figure(restart));
    parts.add(table(rows));
    parts.addAll(comparisons(rows).parts());
    return new Section(
        "Memory and restart (bench memory)",
        "Small blocks go into an empty store, and a second process opens what the first one left."
            + " What a store keeps in memory for each block limits how large a cache on SSDs can be."
            + " The times begin when the store is opened, in a process that has run nothing of it.",
        run.facts(),
        headlines(run, rows),
        parts);
  }

  private static Table table(List<Row> rows) {
    Table table =
        new Table(
            "Memory a block, and restart",
            1,
            List.of(
                "cache",
                "blocks",
                "heap, bytes a block",
                "index off heap, bytes a block",
                "filled in",
                "blocks after restart",
                "first hit",
                "all recovered",
                "CPU of that"));
    for (Row row : rows) {
      table.row(
          List.of(
              row.title(),
              Numbers.count(row.blocks()),
              Numbers.plainDecimal(row.heapBytes()),
              Numbers.plainDecimal(row.indexBytes()),
              Numbers.millis(row.fillMillis()),
              Numbers.count(row.blocksAfter()),
              Numbers.millis(row.firstHitMillis()),
              Numbers.millis(row.recoveredMillis()),
              Numbers.millis(row.cpuMillis())));
    }
    return table;
  }

  private static Comparisons comparisons(List<Row> rows) {
    Comparisons comparisons = new Comparisons(Comparisons.Better.LESS);
    for (Row ours : rows) {
      for (Row peer : rows) {
        if (ours.isTerrace() && !peer.isTerrace()) {
          compare(comparisons, "Heap", ours, peer, Row::heapBytes, MemorySection::bytesABlock);
          compare(
              comparisons,
              "Index off heap",
              ours,
              peer,
              Row::indexBytes,
              MemorySection::bytesABlock);
          compare(comparisons, "Filling", ours, peer, Row::fillMillis, Numbers::millis);
          compare(comparisons, "First hit", ours, peer, Row::firstHitMillis, Numbers::millis);
          compare(comparisons, "All recovered", ours, peer, Row::recoveredMillis, Numbers::millis);
        }
      }
    }
    return comparisons;
  }

  private static void compare(
      Comparisons comparisons,
      String what,
      Row ours,
      Row peer,
      ToDoubleFunction<Row> value,
      DoubleFunction<String> format) {
    comparisons.add(
        what,
        new Comparisons.Figure(ours.title(), Summary.of(value.applyAsDouble(ours))),
        new Comparisons.Figure(peer.title(), Summary.of(value.applyAsDouble(peer))),
        format);
  }

  private static String bytesABlock(double bytes) {
    return Numbers.plainDecimal(bytes) + " bytes a block";
  }

  /** The slower of Terrace's tiers beside BucketCache. */
  private static List<Headline> headlines(RunFile run, List<Row> rows) {
    Optional<Row> peer = rows.stream().filter(row -> !row.isTerrace()).findFirst();
    Optional<Row> ours =
        rows.stream().filter(Row::isTerrace).max(Comparator.comparingDouble(Row::recoveredMillis));
    if (peer.isEmpty() || ours.isEmpty()) {
      return List.of();
    }
    return List.of(
        new Headline(
            HEADLINE_RANK,
            Numbers.millis(ours.get().recoveredMillis()),
            String.format(
                Locale.ROOT,
                "until all blocks are served again after a restart: %s; %s takes %s",
                ours.get().title(),
                peer.get().title(),
                Numbers.millis(peer.get().recoveredMillis())),
            Promises.goal(run)));
  }
}
