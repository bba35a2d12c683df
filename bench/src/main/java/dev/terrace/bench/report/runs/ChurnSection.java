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
import dev.terrace.bench.report.page.Figure;
import dev.terrace.bench.report.page.Headline;
import dev.terrace.bench.report.page.Part;
import dev.terrace.bench.report.page.Section;
import dev.terrace.bench.report.page.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Payload and memory while blocks of all sizes come and go. */
final class ChurnSection {

  private static final int HEADLINE_RANK = 40;

  private ChurnSection() {}

  private record Row(
      String cache,
      Summary payloadShare,
      Optional<Double> directShare,
      double blocks,
      Summary hitRatio,
      Summary getsPerSecond,
      double putsPerSecond,
      double refusedShare) {

    static Row of(Fields fields) throws RunFileException {
      double capacityBytes = fields.needNumber("capacityBytes");
      Optional<Double> directShare =
          fields.number("directBytesMost").isPresent()
              ? Optional.of(fields.needNumber("directBytesMost") / capacityBytes)
              : Optional.empty();
      return new Row(
          fields.needText("cache"),
          fields.needSummary("payloadShare"),
          directShare,
          fields.needNumber("blocksMedian"),
          fields.needSummary("hitRatio"),
          fields.needSummary("getsPerSecond"),
          fields.needNumber("putsPerSecond"),
          fields.needNumber("refusedShare"));
    }

    Comparisons.Figure figure(Summary value) {
      return new Comparisons.Figure(Caches.title(cache), value);
    }
  }

  static Section of(RunFile run) throws RunFileException {
    List<Row> rows = new ArrayList<>();
    for (Fields fields : run.body().needList("summary")) {
      rows.add(Row.of(fields));
    }
    BarChart payload =
        new BarChart(
            "Bytes of blocks that the configured bytes hold",
            "payload, share of the configured bytes (more is better)",
            Numbers::wholePercent);
    BarChart hits =
        new BarChart(
            "Hits, with the same configured bytes",
            "share of all lookups (more is better)",
            Numbers::wholePercent);
    for (Row row : rows) {
      payload.bar(Caches.title(row.cache()), Caches.look(row.cache()), row.payloadShare());
      hits.bar(Caches.title(row.cache()), Caches.look(row.cache()), row.hitRatio());
    }
    List<Part> parts = new ArrayList<>();
    parts.add(new Figure(payload));
    parts.add(new Figure(hits));
    parts.add(table(rows));
    parts.addAll(comparisons(rows).parts());
    return new Section(
        "Churn (bench churn)",
        "Blocks of 4 KB to 1 MB, four times as many as fit, are looked up after Zipf's law, and each"
            + " one that is missing is put. Payload is what the blocks in the cache have in bytes, in"
            + " parts of what the cache was configured with, read once a second; the thin line goes"
            + " from the least to the most of the run. Memory that holds no blocks is lost to the"
            + " size classes of the cache.",
        run.facts(),
        headlines(run, rows),
        parts);
  }

  private static Table table(List<Row> rows) {
    Table table =
        new Table(
            "Payload, memory and hits",
            1,
            List.of(
                "cache",
                "payload, least",
                "payload, median",
                "direct memory, most",
                "blocks",
                "hits",
                "gets/s",
                "puts/s",
                "puts refused"));
    for (Row row : rows) {
      table.row(
          List.of(
              Caches.title(row.cache()),
              Numbers.percent(row.payloadShare().min()),
              Numbers.percent(row.payloadShare().median()),
              row.directShare().map(Numbers::percent).orElse(Numbers.NONE),
              Numbers.count(row.blocks()),
              Numbers.percent(row.hitRatio().median()),
              Numbers.count(row.getsPerSecond().median()),
              Numbers.count(row.putsPerSecond()),
              String.format(Locale.ROOT, "%.2f %%", 100 * row.refusedShare())));
    }
    return table;
  }

  private static Comparisons comparisons(List<Row> rows) {
    Comparisons comparisons = new Comparisons(Comparisons.Better.MORE);
    for (Row ours : rows) {
      for (Row peer : rows) {
        if (Caches.isTerrace(ours.cache()) && !Caches.isTerrace(peer.cache())) {
          comparisons.add(
              "Payload",
              ours.figure(ours.payloadShare()),
              peer.figure(peer.payloadShare()),
              Numbers::percent);
          comparisons.add(
              "Hits", ours.figure(ours.hitRatio()), peer.figure(peer.hitRatio()), Numbers::percent);
          comparisons.add(
              "Lookups a second",
              ours.figure(ours.getsPerSecond()),
              peer.figure(peer.getsPerSecond()),
              Numbers::count);
        }
      }
    }
    return comparisons;
  }

  private static List<Headline> headlines(RunFile run, List<Row> rows) {
    Optional<Row> ours = rows.stream().filter(row -> Caches.isTerrace(row.cache())).findFirst();
    Optional<Row> peer = rows.stream().filter(row -> !Caches.isTerrace(row.cache())).findFirst();
    if (ours.isEmpty() || peer.isEmpty()) {
      return List.of();
    }
    return List.of(
        new Headline(
            HEADLINE_RANK,
            Numbers.times(ours.get().payloadShare().median() / peer.get().payloadShare().median()),
            "the blocks' bytes of "
                + Caches.title(peer.get().cache())
                + " in the same memory, while blocks of all sizes come and go",
            Promises.goal(run)));
  }
}
