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
import dev.terrace.bench.report.page.Section;
import dev.terrace.bench.report.page.Table;
import java.util.ArrayList;
import java.util.List;

/** Puts into free space. */
final class PutSection {

  private static final String COPY = "copy";

  private PutSection() {}

  private record Row(String cache, Summary micros, double dropped, double keptBytesPerSecond) {

    static Row of(Fields fields) throws RunFileException {
      return new Row(
          fields.needText("cache"),
          fields.needSummary("microsPerBlock"),
          fields.number("droppedShare").orElse(0),
          fields.needNumber("keptBytesPerSecond"));
    }

    String title() {
      return cache.equals(COPY) ? "copying the bytes (floor)" : Caches.title(cache);
    }

    Look look() {
      return cache.equals(COPY) ? Look.BOUND : Caches.look(cache);
    }
  }

  static Section of(RunFile run) throws RunFileException {
    List<Row> rows = new ArrayList<>();
    for (Fields fields : run.body().needList("summary")) {
      rows.add(Row.of(fields));
    }
    BarChart kept =
        new BarChart(
            "Bytes a second that the cache kept",
            "bytes a second (more is better)",
            Numbers::scaled);
    rows.forEach(row -> kept.bar(row.title(), row.look(), Summary.of(row.keptBytesPerSecond())));
    BarChart dropped =
        new BarChart("Blocks that were dropped", "share of all blocks", Numbers::wholePercent);
    rows.forEach(row -> dropped.bar(row.title(), row.look(), Summary.of(row.dropped())));
    return new Section(
        "Puts (bench put)",
        "One thread puts blocks of 64 KB into an empty cache with room for all of them. Terrace"
            + " stores a block in the caller's thread; BucketCache queues it for its writers, and"
            + " drops it when their queue is full. So a short time is worth only what is kept of"
            + " the blocks: what a cache dropped has to be read from disk again. The same bytes"
            + " copied into memory are the bound of a cache that stores at once.",
        run.facts(),
        List.of(),
        List.of(new Figure(dropped), new Figure(kept), table(rows)));
  }

  private static Table table(List<Row> rows) {
    double copyBytesPerSecond =
        rows.stream()
            .filter(row -> row.cache().equals(COPY))
            .mapToDouble(Row::keptBytesPerSecond)
            .findFirst()
            .orElse(Double.NaN);
    Table table =
        new Table(
            "Puts of 64 KB",
            1,
            List.of(
                "cache", "µs a block", "±", "dropped", "GB/s kept", "kept of the copy's speed"));
    for (Row row : rows) {
      table.row(
          List.of(
              row.title(),
              Numbers.threeDigits(row.micros().median()),
              Numbers.spread(row.micros()),
              Numbers.percent(row.dropped()),
              Numbers.threeDigits(row.keptBytesPerSecond() / 1e9),
              Double.isNaN(copyBytesPerSecond)
                  ? Numbers.NONE
                  : Numbers.times(row.keptBytesPerSecond() / copyBytesPerSecond)));
    }
    return table;
  }
}
