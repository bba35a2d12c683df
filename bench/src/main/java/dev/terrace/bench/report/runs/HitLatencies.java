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
import dev.terrace.bench.report.page.Part;
import dev.terrace.bench.report.page.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The time of single operations, where a file tells it: a chart for each group, and a table. */
final class HitLatencies {

  private HitLatencies() {}

  static List<Part> parts(String operationTitle, Collection<HitSection.Group> groups) {
    List<Part> parts = new ArrayList<>();
    Table table =
        new Table(
            operationTitle + ": time of a single one",
            2,
            List.of("conditions", "cache", "median", "p99", "p99.9"));
    for (HitSection.Group group : groups) {
      List<HitRow> rows =
          group.rows().stream().filter(row -> !row.latencyNanos().isEmpty()).toList();
      if (rows.isEmpty()) {
        continue;
      }
      parts.add(new Figure(chart(operationTitle + ", " + group.conditions(), rows)));
      for (HitRow row : rows) {
        List<String> cells = new ArrayList<>(List.of(group.conditions(), row.title()));
        for (String percentile : HitRow.PERCENTILES) {
          cells.add(
              Optional.ofNullable(row.latencyNanos().get(percentile))
                  .map(nanos -> Numbers.nanos(nanos.median()))
                  .orElse(Numbers.NONE));
        }
        table.row(cells);
      }
    }
    if (!table.rows().isEmpty()) {
      parts.add(table);
    }
    return parts;
  }

  private static BarChart chart(String conditions, List<HitRow> rows) {
    BarChart chart =
        new BarChart(
            "Time of a single one: " + conditions,
            "time of one operation (less is better)",
            Numbers::nanos);
    for (String percentile : HitRow.PERCENTILES) {
      chart.group(title(percentile));
      for (HitRow row : rows) {
        Summary nanos = row.latencyNanos().get(percentile);
        if (nanos != null) {
          chart.bar(row.title(), row.look(), nanos);
        }
      }
    }
    return chart;
  }

  private static String title(String percentile) {
    return switch (percentile) {
      case "p50" -> "Median";
      case "p99" -> "p99: 99 of 100 are faster";
      default -> "p99.9: 999 of 1,000 are faster";
    };
  }
}
