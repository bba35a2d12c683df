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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Loads on a real HBase, with one cache after the other. */
final class MacroSection {

  private static final int HEADLINE_RANK = 20;
  private static final int MOST_HEADLINES = 2;

  /** Terrace's configurations, those that tell most first. */
  private static final List<String> TERRACE =
      List.of("terrace-dram-ssd", "terrace-dram", "terrace-all", "terrace-dram-pmem");

  private static final String BUCKET_OFFHEAP = "bucket-offheap";
  private static final String BUCKET_FILE = "bucket-file";

  private MacroSection() {}

  private record Row(
      String configuration,
      String title,
      String workload,
      String workloadTitle,
      Summary opsPerSecond,
      Load load) {

    static Row of(Fields fields) throws RunFileException {
      String configuration = fields.needText("configuration");
      String workload = fields.needText("workload");
      return new Row(
          configuration,
          fields.text("configurationTitle").orElse(configuration),
          workload,
          fields.text("workloadTitle").orElse(workload),
          fields.needSummary("opsPerSecond"),
          new Load(fields.list("runs")));
    }

    boolean isTerrace() {
      return Caches.isTerrace(configuration);
    }

    Look look() {
      return isTerrace() ? Look.TERRACE : Look.PEER;
    }

    Comparisons.Figure figure() {
      return new Comparisons.Figure(title, opsPerSecond);
    }
  }

  static Section of(RunFile run) throws RunFileException {
    Map<String, List<Row>> workloads = new LinkedHashMap<>();
    for (Fields fields : run.body().needList("results")) {
      Row row = Row.of(fields);
      workloads.computeIfAbsent(row.workloadTitle(), title -> new ArrayList<>()).add(row);
    }
    List<Part> parts = new ArrayList<>();
    for (Map.Entry<String, List<Row>> workload : workloads.entrySet()) {
      parts.add(new Figure(chart(workload.getKey(), workload.getValue())));
    }
    parts.add(table(workloads));
    LoadTables tables = new LoadTables(List.of("workload", "configuration"));
    for (List<Row> rows : workloads.values()) {
      for (Row row : rows) {
        tables.add(List.of(row.workloadTitle(), row.title()), row.load());
      }
    }
    parts.add(tables.latencies());
    parts.add(tables.server());
    parts.addAll(comparisons(workloads).parts());
    return new Section(
        "A real HBase under load (bench macro)",
        "Each configuration is an HBase server in a process of its own, with the same heap, the same"
            + " DRAM bytes for blocks and the same data; a client in another process puts a load on"
            + " it. The configurations take turns, round after round. Bars are operations a second"
            + " that the client saw: longer is better. YCSB is the Yahoo! Cloud Serving Benchmark, PE"
            + " is HBase's own PerformanceEvaluation; Zipf means that few rows are read often.",
        run.facts(),
        headlines(workloads),
        parts);
  }

  private static BarChart chart(String workload, List<Row> rows) {
    BarChart chart =
        new BarChart(workload, "operations a second (more is better)", Numbers::scaled);
    rows.forEach(row -> chart.bar(row.title(), row.look(), row.opsPerSecond()));
    return chart;
  }

  private static Table table(Map<String, List<Row>> workloads) {
    Table table =
        new Table(
            "Operations a second",
            2,
            List.of(
                "workload",
                "configuration",
                "ops/s",
                "±",
                "× HBase's LRU",
                "× BucketCache offheap",
                "× BucketCache file"));
    workloads.forEach(
        (workload, rows) -> {
          for (Row row : rows) {
            table.row(
                List.of(
                    workload,
                    row.title(),
                    Numbers.count(row.opsPerSecond().median()),
                    Numbers.spread(row.opsPerSecond()),
                    times(row, rows, "lru"),
                    times(row, rows, BUCKET_OFFHEAP),
                    times(row, rows, BUCKET_FILE)));
          }
        });
    return table.withoutEmptyColumns();
  }

  private static String times(Row row, List<Row> rows, String peer) {
    return find(rows, peer)
        .map(other -> Numbers.times(row.opsPerSecond().median() / other.opsPerSecond().median()))
        .orElse(Numbers.NONE);
  }

  private static Optional<Row> find(List<Row> rows, String configuration) {
    return rows.stream().filter(row -> row.configuration().equals(configuration)).findFirst();
  }

  private static String speed(double opsPerSecond) {
    return Numbers.count(opsPerSecond) + " ops/s";
  }

  private static Comparisons comparisons(Map<String, List<Row>> workloads) {
    Comparisons comparisons = new Comparisons(Comparisons.Better.MORE);
    workloads.forEach(
        (workload, rows) -> {
          for (Row ours : rows) {
            for (Row peer : rows) {
              if (ours.isTerrace() && !peer.isTerrace()) {
                comparisons.add(workload, ours.figure(), peer.figure(), MacroSection::speed);
              }
            }
          }
        });
    return comparisons;
  }

  /** The configuration of HBase with the same devices, or else with the same DRAM. */
  private static Optional<Row> peer(List<Row> rows, String configuration) {
    Optional<Row> offheap = find(rows, BUCKET_OFFHEAP);
    return configuration.equals("terrace-dram-ssd") || configuration.equals("terrace-all")
        ? find(rows, BUCKET_FILE).or(() -> offheap)
        : offheap;
  }

  /**
   * Terrace beside the configuration of HBase with the same devices, where the load is reads alone,
   * or else the first load.
   */
  private static List<Headline> headlines(Map<String, List<Row>> workloads) {
    List<Row> rows =
        workloads.values().stream()
            .filter(each -> each.get(0).workload().equals("ycsb-c"))
            .findFirst()
            .orElse(workloads.values().iterator().next());
    List<Headline> headlines = new ArrayList<>();
    for (String configuration : TERRACE) {
      Optional<Row> ours = find(rows, configuration);
      Optional<Row> peer = peer(rows, configuration);
      if (ours.isPresent() && peer.isPresent() && headlines.size() < MOST_HEADLINES) {
        headlines.add(
            new Headline(
                HEADLINE_RANK,
                Numbers.times(
                    ours.get().opsPerSecond().median() / peer.get().opsPerSecond().median()),
                "the operations a second of "
                    + peer.get().title()
                    + ": "
                    + ours.get().title()
                    + " ("
                    + ours.get().workloadTitle()
                    + ")",
                Optional.empty()));
      }
    }
    return headlines;
  }
}
