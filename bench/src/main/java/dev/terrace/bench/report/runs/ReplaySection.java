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

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.chart.BarChart;
import dev.terrace.bench.report.chart.HitRatioChart;
import dev.terrace.bench.report.chart.Look;
import dev.terrace.bench.report.page.Figure;
import dev.terrace.bench.report.page.Part;
import dev.terrace.bench.report.page.Section;
import dev.terrace.bench.report.page.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;

/** Hit ratios of a replayed trace. */
final class ReplaySection {

  private static final String TERRACE = "Terrace";
  private static final String OPTIMUM = "Belady";

  private ReplaySection() {}

  private record Hits(String cache, double capacityBytes, double ratio) {
    Look look() {
      return cache.startsWith(TERRACE)
          ? Look.TERRACE
          : cache.startsWith(OPTIMUM) ? Look.BOUND : Look.PEER;
    }

    Comparisons.Figure figure() {
      return new Comparisons.Figure(cache, Summary.of(ratio));
    }
  }

  static Section of(RunFile run) throws RunFileException {
    double accesses = run.settings().needNumber("accesses");
    List<Hits> hits = new ArrayList<>();
    for (Fields fields : run.body().needList("caches")) {
      hits.add(
          new Hits(
              fields.needText("cache"),
              fields.needNumber("capacityBytes"),
              fields.needNumber("hits") / accesses));
    }
    Set<Double> sizes =
        new LinkedHashSet<>(hits.stream().map(Hits::capacityBytes).sorted().toList());
    List<Part> parts = new ArrayList<>();
    parts.addAll(curves(run));
    parts.add(new Figure(chart(sizes, hits)));
    parts.add(table(sizes, hits));
    List<Fields> tiers = run.body().list("tiers");
    if (!tiers.isEmpty()) {
      parts.add(tierTable(tiers, accesses));
    }
    parts.addAll(comparisons(sizes, hits).parts());
    return new Section(
        "Replay of " + run.settings().text("trace").orElse("a trace"),
        "A recorded sequence of block accesses goes through Terrace's tiers and through other caches"
            + " of the same size, one access after the other. The hit ratio is the share of accesses"
            + " that find their block: more is better. Belady's optimum knows the future: no cache"
            + " can have more hits.",
        run.facts(),
        List.of(),
        parts);
  }

  private static String sizeTitle(double capacityBytes) {
    return "At " + new ByteSize(Math.round(capacityBytes));
  }

  private static BarChart chart(Set<Double> sizes, List<Hits> hits) {
    BarChart chart =
        new BarChart("Hit ratios", "share of all accesses (more is better)", Numbers::wholePercent);
    for (double size : sizes) {
      chart.group(sizeTitle(size));
      hits.stream()
          .filter(cache -> cache.capacityBytes() == size)
          .forEach(cache -> chart.bar(cache.cache(), cache.look(), Summary.of(cache.ratio())));
    }
    return chart;
  }

  private static Table table(Set<Double> sizes, List<Hits> hits) {
    List<String> header = new ArrayList<>(List.of("cache"));
    sizes.forEach(size -> header.add("hits at " + new ByteSize(Math.round(size))));
    Table table = new Table("Hits of all accesses", 1, header);
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (Hits cache : hits) {
      rows.computeIfAbsent(
          cache.cache(),
          name -> {
            List<String> cells = new ArrayList<>(List.of(name));
            for (double size : sizes) {
              cells.add(
                  hits.stream()
                      .filter(each -> each.cache().equals(name) && each.capacityBytes() == size)
                      .map(each -> String.format(Locale.ROOT, "%.2f %%", 100 * each.ratio()))
                      .findFirst()
                      .orElse(Numbers.NONE));
            }
            return cells;
          });
    }
    rows.values().forEach(table::row);
    return table;
  }

  private static Table tierTable(List<Fields> tiers, double accesses) throws RunFileException {
    Table table =
        new Table(
            "Terrace's tiers",
            1,
            List.of(
                "tier",
                "hits",
                "of all accesses",
                "blocks written",
                "written",
                "promoted",
                "demoted"));
    for (Fields tier : tiers) {
      table.row(
          List.of(
              tier.needText("tier"),
              Numbers.count(tier.needNumber("hits")),
              Numbers.percent(tier.needNumber("hits") / accesses),
              Numbers.count(tier.needNumber("blocksWritten")),
              new ByteSize(Math.round(tier.needNumber("bytesWritten"))).toString(),
              Numbers.count(tier.needNumber("promotions")),
              Numbers.count(tier.needNumber("demotions"))));
    }
    return table;
  }

  private static Comparisons comparisons(Set<Double> sizes, List<Hits> hits) {
    Comparisons comparisons = new Comparisons(Comparisons.Better.MORE);
    for (double size : sizes) {
      List<Hits> same = hits.stream().filter(each -> each.capacityBytes() == size).toList();
      for (Hits ours : same) {
        for (Hits peer : same) {
          if (ours.look() == Look.TERRACE && peer.look() == Look.PEER) {
            comparisons.add(sizeTitle(size), ours.figure(), peer.figure(), Numbers::percent);
          }
        }
      }
    }
    return comparisons;
  }

  /** Lines over cache sizes, and their table; empty unless the replay was asked for them. */
  private static List<Part> curves(RunFile run) throws RunFileException {
    List<Double> sizes = run.body().numbers("curveSizesPercent");
    Optional<Fields> curves = run.body().object("curves");
    if (curves.isEmpty() || sizes.isEmpty()) {
      return List.of();
    }
    List<String> header = new ArrayList<>(List.of("cache"));
    sizes.forEach(size -> header.add("at " + Numbers.threeDigits(size) + " %"));
    Table table = new Table("Hits of all accesses, by size in % of all blocks", 1, header);
    Map<String, double[]> lines = new LinkedHashMap<>();
    for (Map.Entry<String, JsonElement> entry : curves.get().entries()) {
      List<Double> ratios = curves.get().numbers(entry.getKey());
      if (ratios.size() != sizes.size()) {
        throw curves.get().wrong(entry.getKey(), "a list of " + sizes.size() + " numbers");
      }
      lines.put(entry.getKey(), ratios.stream().mapToDouble(Double::doubleValue).toArray());
      List<String> cells = new ArrayList<>(List.of(entry.getKey()));
      ratios.forEach(ratio -> cells.add(Numbers.percent(ratio)));
      table.row(cells);
    }
    return lines.isEmpty()
        ? List.of()
        : List.of(new Figure(HitRatioChart.of("Hit ratios over cache sizes", sizes, lines)), table);
  }
}
