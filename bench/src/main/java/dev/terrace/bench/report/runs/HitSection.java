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

import dev.terrace.bench.report.chart.BarChart;
import dev.terrace.bench.report.page.Figure;
import dev.terrace.bench.report.page.Headline;
import dev.terrace.bench.report.page.Part;
import dev.terrace.bench.report.page.Section;
import dev.terrace.bench.report.page.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Hits, and the other operations that {@code bench hit} measures of a cache alone. */
final class HitSection {

  private static final int HEADLINE_RANK = 30;

  private HitSection() {}

  /** What was measured under the same conditions, in the order of the file. */
  record Group(String operation, String conditions, List<HitRow> rows) {

    Optional<HitRow> find(String cache) {
      return rows.stream().filter(row -> row.cache().equals(cache)).findFirst();
    }

    String times(HitRow row, String otherCache) {
      return find(otherCache)
          .map(other -> Numbers.times(row.opsPerSecond().median() / other.opsPerSecond().median()))
          .orElse(Numbers.NONE);
    }
  }

  static Section of(RunFile run) throws RunFileException {
    Map<String, Map<String, Group>> operations = new LinkedHashMap<>();
    for (Fields fields : run.body().needList("summary")) {
      HitRow row = HitRow.of(fields);
      operations
          .computeIfAbsent(row.operation(), operation -> new LinkedHashMap<>())
          .computeIfAbsent(
              row.conditions(),
              conditions -> new Group(row.operation(), conditions, new ArrayList<>()))
          .rows()
          .add(row);
    }
    List<Part> parts = new ArrayList<>();
    operations.forEach(
        (operation, groups) -> {
          parts.add(new Figure(speeds(operation, groups.values())));
          parts.add(table(operation, groups.values()));
          parts.addAll(HitLatencies.parts(title(operation), groups.values()));
        });
    List<Group> all =
        operations.values().stream().flatMap(groups -> groups.values().stream()).toList();
    parts.addAll(comparisons(all).parts());
    return new Section(
        "Hits (bench hit)",
        "The caches alone, without a server: operations a second of all threads together, further"
            + " right is better. A hit looks a block up and gives it back. The floor is the least"
            + " that has to be done, a bare map of the same blocks, or a bare read of a file: no"
            + " cache can be faster.",
        run.facts(),
        headlines(run, all),
        parts);
  }

  private static String title(String operation) {
    return switch (operation) {
      case "hit" -> "Hits";
      case "miss" -> "Misses";
      case "put" -> "Puts into a full cache";
      case "mixed" -> "95 % gets and 5 % puts";
      case "evict-file" -> "Evictions of all blocks of a file";
      default -> operation;
    };
  }

  private static BarChart speeds(String operation, Collection<Group> groups) {
    BarChart chart =
        new BarChart(
            title(operation) + " a second",
            operation.equals("evict-file")
                ? "files a second (more is better)"
                : "operations a second (more is better)",
            Numbers::scaled);
    for (Group group : groups) {
      chart.group(group.conditions());
      group.rows().forEach(row -> chart.bar(row.title(), row.look(), row.opsPerSecond()));
    }
    return chart;
  }

  private static Table table(String operation, Collection<Group> groups) {
    Table table =
        new Table(
            title(operation) + ": speed, and garbage on the heap",
            2,
            List.of(
                "conditions",
                "cache",
                "a second",
                "±",
                "bytes of garbage each",
                "of the floor",
                "× BucketCache",
                "hits",
                "refused"));
    for (Group group : groups) {
      for (HitRow row : group.rows()) {
        table.row(
            List.of(
                group.conditions(),
                row.title(),
                Numbers.scaled(row.opsPerSecond().median()),
                Numbers.spread(row.opsPerSecond()),
                row.bytesPerHit()
                    .map(bytes -> Numbers.plainDecimal(bytes.median()))
                    .orElse(Numbers.NONE),
                group.times(row, row.floor()),
                group.times(row, row.bucketCache()),
                share(row.hitShare()),
                share(row.refusedShare())));
      }
    }
    return table.withoutEmptyColumns();
  }

  private static String share(OptionalDouble share) {
    return share.isPresent() ? Numbers.percent(share.getAsDouble()) : Numbers.NONE;
  }

  private static String speed(double opsPerSecond) {
    return Numbers.scaled(opsPerSecond) + " ops/s";
  }

  private static Comparisons comparisons(List<Group> groups) {
    Comparisons comparisons = new Comparisons(Comparisons.Better.MORE);
    for (Group group : groups) {
      String what = title(group.operation()) + ", " + group.conditions();
      for (HitRow row : group.rows()) {
        if (row.isTerrace()) {
          group.rows().stream()
              .filter(peer -> peer.isPeerOf(row))
              .forEach(
                  peer -> comparisons.add(what, row.figure(), peer.figure(), HitSection::speed));
        }
      }
    }
    return comparisons;
  }

  /**
   * The least of the ratios of hits to BucketCache in the same kind of place, for the first of
   * Terrace's configurations.
   */
  private static List<Headline> headlines(RunFile run, List<Group> groups) {
    String first = "";
    double least = Double.MAX_VALUE;
    String text = "";
    for (Group group : groups) {
      for (HitRow row : group.rows()) {
        Optional<HitRow> peer = group.find(row.bucketCache());
        if (row.isTerrace() && row.isHit() && peer.isPresent()) {
          first = first.isEmpty() ? row.cache() : first;
          double ratio = row.opsPerSecond().median() / peer.get().opsPerSecond().median();
          if (first.equals(row.cache()) && ratio < least) {
            least = ratio;
            text =
                String.format(
                    Locale.ROOT,
                    "the hits a second of %s: %s (%s)",
                    peer.get().title(),
                    row.title(),
                    group.conditions());
          }
        }
      }
    }
    return text.isEmpty()
        ? List.of()
        : List.of(new Headline(HEADLINE_RANK, Numbers.times(least), text, Promises.goal(run)));
  }
}
