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
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.chart.BarChart;
import dev.terrace.bench.report.chart.LineChart;
import dev.terrace.bench.report.chart.Look;
import dev.terrace.bench.report.page.Figure;
import dev.terrace.bench.report.page.Heading;
import dev.terrace.bench.report.page.Headline;
import dev.terrace.bench.report.page.Paragraph;
import dev.terrace.bench.report.page.Part;
import dev.terrace.bench.report.page.Section;
import dev.terrace.bench.report.page.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cases that papers and talks have published, beside what was measured here. */
final class CasesSection {

  private CasesSection() {}

  static Section of(RunFile run) throws RunFileException {
    List<Part> parts = new ArrayList<>();
    List<Headline> headlines = new ArrayList<>();
    Table overview =
        new Table(
            "All cases: what was published and what was measured here",
            2,
            List.of("case", "ratio", "here", "least", "most", "published", "target", "verdict"));
    List<Part> details = new ArrayList<>();
    List<Target> promises = new ArrayList<>(run.facts().promises());
    LoadTables tables = new LoadTables(List.of("case", "measurement"));
    for (Fields fields : run.body().needList("cases")) {
      String name = fields.needText("case");
      List<CaseRatio> ratios = new ArrayList<>();
      for (Fields ratio : fields.list("ratios")) {
        ratios.add(CaseRatio.of(ratio));
      }
      ratios.forEach(ratio -> overview.row(ratio.cells(name)));
      ratios.stream().flatMap(ratio -> ratio.headline(name).stream()).forEach(headlines::add);
      ratios.stream().flatMap(ratio -> ratio.promise(name).stream()).forEach(promises::add);
      details.addAll(details(name, fields, ratios, tables));
    }
    parts.add(overview);
    parts.addAll(details);
    if (!tables.latencies().rows().isEmpty()) {
      parts.add(tables.latencies());
      parts.add(tables.server());
    }
    return new Section(
        "Published cases (bench cases)",
        "What papers and talks have published of tiered block caches, measured again here: each"
            + " case with the ratio to its peer in the same run, and with words on what differs from"
            + " the original. Yellow bars are what was published.",
        run.facts().withPromises(promises),
        headlines,
        parts);
  }

  private static List<Part> details(
      String name, Fields fields, List<CaseRatio> ratios, LoadTables tables)
      throws RunFileException {
    List<Part> parts = new ArrayList<>();
    parts.add(new Heading("(" + name + ") " + fields.text("title").orElse("case " + name)));
    Optional<String> published = fields.text("published");
    Optional<String> source = fields.text("source");
    if (published.isPresent()) {
      parts.add(
          new Paragraph(
              "Published: " + published.get() + source.map(text -> " (" + text + ")").orElse("")));
    }
    fields
        .text("differs")
        .ifPresent(differs -> parts.add(new Paragraph("What differs here: " + differs)));
    ratioCharts(ratios).forEach(chart -> parts.add(new Figure(chart)));
    List<Fields> measures = fields.list("measures");
    if (!measures.isEmpty()) {
      parts.addAll(measures(name, measures, tables));
    }
    for (LineChart chart : seriesCharts(fields.list("series"))) {
      parts.add(new Figure(chart));
    }
    return parts;
  }

  /** One chart for each unit. */
  private static List<BarChart> ratioCharts(List<CaseRatio> ratios) {
    Map<String, BarChart> charts = new LinkedHashMap<>();
    for (CaseRatio ratio : ratios) {
      BarChart chart =
          charts.computeIfAbsent(
              ratio.unit(),
              unit ->
                  new BarChart(
                      hasPublished(ratios, unit) ? "Here and as published" : "Here",
                      axisText(unit),
                      value -> CaseRatio.withUnit(value, unit)));
      chart.group(ratio.name()).bar("here", Look.TERRACE, ratio.value());
      if (ratio.publishedLow().isPresent()) {
        double low = ratio.publishedLow().getAsDouble();
        chart.range("published", Look.PUBLISHED, low, ratio.publishedHigh().orElse(low));
      }
    }
    return List.copyOf(charts.values());
  }

  private static boolean hasPublished(List<CaseRatio> ratios, String unit) {
    return ratios.stream()
        .anyMatch(ratio -> ratio.unit().equals(unit) && ratio.publishedLow().isPresent());
  }

  private static String axisText(String unit) {
    return switch (unit) {
      case "%" -> "percent of the peer in the same run";
      case "times" -> "times the peer in the same run";
      case "s" -> "seconds (less is better)";
      default -> unit;
    };
  }

  private static List<Part> measures(String name, List<Fields> measures, LoadTables tables)
      throws RunFileException {
    BarChart chart =
        new BarChart(
            "Operations a second, case (" + name + ")",
            "operations a second (more is better)",
            Numbers::scaled);
    Table table =
        new Table(
            "Operations a second, case (" + name + ")", 1, List.of("measurement", "ops/s", "±"));
    for (Fields fields : measures) {
      String title = fields.needText("name");
      Optional<Summary> opsPerSecond = fields.summary("opsPerSecond");
      if (opsPerSecond.isPresent()) {
        chart.bar(title, look(title), opsPerSecond.get());
        table.row(
            List.of(
                title,
                Numbers.count(opsPerSecond.get().median()),
                Numbers.spread(opsPerSecond.get())));
      }
      tables.add(List.of("(" + name + ")", title), new Load(fields.list("runs")));
    }
    return chart.marks() == 0 ? List.of() : List.of(new Figure(chart), table);
  }

  private static Look look(String title) {
    return title.startsWith("Terrace") ? Look.TERRACE : Look.PEER;
  }

  private static String inWords(String unit) {
    return unit.equals("ops/s") ? "Operations a second" : unit;
  }

  /** One chart for each pair of units, as lines of others cannot share its axes. */
  private static List<LineChart> seriesCharts(List<Fields> series) throws RunFileException {
    Map<String, LineChart> charts = new LinkedHashMap<>();
    for (Fields fields : series) {
      String xUnit = fields.text("xUnit").orElse("s");
      String yUnit = fields.text("yUnit").orElse("ops/s");
      List<LineChart.Point> points =
          fields.pairs("points").stream()
              .map(pair -> new LineChart.Point(pair[0], pair[1]))
              .toList();
      if (!points.isEmpty()) {
        charts
            .computeIfAbsent(
                xUnit + "/" + yUnit,
                units ->
                    new LineChart(
                        inWords(yUnit) + " over time",
                        new LineChart.Axis("time, " + xUnit, 0, List.of(), Numbers::threeDigits),
                        new LineChart.Axis(inWords(yUnit), 0, List.of(), Numbers::scaled)))
            .line(fields.needText("name"), points);
      }
    }
    return List.copyOf(charts.values());
  }
}
