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
package dev.terrace.bench.cases;

import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Headline;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** A case's result as tables: what was measured, and beside it what was published. */
final class CaseReport {

  private static final int HEADLINE_RANK = 10;

  private final CaseResult result;

  CaseReport(CaseResult result) {
    this.result = result;
  }

  /** Adds all of it to a run's result. */
  void addTo(Result run) {
    tables().forEach(run::add);
    run.addTargets(targets());
    for (Ratio ratio : result.ratios()) {
      ratio.target().ifPresent(wanted -> run.add(headline(ratio, wanted)));
    }
    run.detail(
        "runs of (" + result.about().letter() + ")",
        result.measures().stream().map(Measure::toJson).toList());
  }

  /** Returns what was compared, what is different here, and the figures. */
  List<Table> tables() {
    CaseText about = result.about();
    List<Table> tables = new ArrayList<>();
    tables.add(
        Table.ofText(
            "(" + about.letter() + ") " + about.title(),
            "Published: " + about.published() + ". " + about.source() + ".",
            "Different here: " + about.differs().strip()));
    for (String unit : result.ratios().stream().map(Ratio::unit).distinct().toList()) {
      tables.add(ratios(unit));
    }
    if (!result.measures().isEmpty()) {
      LoadTables loads = new LoadTables("Case (" + about.letter() + ")", "", "measured");
      for (Measure measure : result.measures()) {
        loads.add(look(measure.name()), measure.runs(), OptionalDouble.empty(), measure.name());
      }
      tables.add(loads.clients().bars("Operations a second", "opsPerSecond"));
      tables.add(loads.servers());
    }
    if (!result.series().isEmpty()) {
      tables.add(series());
    }
    return tables;
  }

  private static Look look(String name) {
    return name.startsWith("Terrace") ? Look.TERRACE : Look.PEER;
  }

  /** The ratios of a unit, each with what was published below it. */
  private Table ratios(String unit) {
    List<Ratio> ratios =
        result.ratios().stream().filter(ratio -> ratio.unit().equals(unit)).toList();
    Table table =
        new Table(
            "Case (" + result.about().letter() + "): here and as published",
            Column.text("compared"),
            Column.text("where"),
            ratios.get(0).column().with(Column.Spread.RANGE));
    for (Ratio ratio : ratios) {
      table.row(Look.TERRACE, ratio.name(), "here", ratio.values().scaled(ratio.factor()));
      ratio
          .published()
          .ifPresent(
              range ->
                  table.row(
                      Look.PUBLISHED,
                      ratio.name(),
                      "published",
                      Summary.of(distinct(range)).scaled(ratio.factor())));
    }
    return table.bars("Here and as published", "figure");
  }

  private static double[] distinct(Ratio.Range range) {
    return range.low() == range.high()
        ? new double[] {range.low()}
        : new double[] {range.low(), range.high()};
  }

  private Table series() {
    Table table =
        new Table(
            "Operations a second over time",
            Column.text("system"),
            Column.of("seconds", "time, s", Unit.NUMBER),
            Column.of("opsPerSecond", "operations a second", Unit.SCALED));
    for (Series series : result.series()) {
      series
          .points()
          .forEach(
              point ->
                  table.row(
                      look(series.name()),
                      series.name(),
                      point.seconds(),
                      point.operationsPerSecond()));
    }
    return table.lines("Operations a second over time", "seconds", "opsPerSecond");
  }

  private Headline headline(Ratio ratio, Ratio.Target wanted) {
    return new Headline(
        HEADLINE_RANK,
        ratio.inWords(ratio.values().median()),
        ratio.name() + " (case " + result.about().letter() + ")",
        new Target(wanted.met(), "the target is " + wanted.inWords(ratio)));
  }

  /** Returns what had to be shown, and whether it was. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (Ratio ratio : result.ratios()) {
      ratio
          .target()
          .ifPresent(
              wanted ->
                  targets.add(
                      new Target(
                          wanted.met(),
                          String.format(
                              "(%s) %s: %s, wanted: %s",
                              result.about().letter(),
                              ratio.name(),
                              ratio.inWords(ratio.values().median()),
                              wanted.inWords(ratio)))));
    }
    return targets;
  }
}
