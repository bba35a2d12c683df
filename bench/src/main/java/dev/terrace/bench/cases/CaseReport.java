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
import dev.terrace.bench.load.Measure;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Headline;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A case's figures as tables: what was measured, and beside it what was published. */
record CaseReport(PublishedCase about, PublishedCase.Figures figures) {

  private static final int HEADLINE_RANK = 10;

  void addTo(Result run) {
    tables().forEach(run::add);
    run.addTargets(targets());
    for (Ratio ratio : figures.ratios()) {
      for (Target wanted : ratio.target().stream().toList()) {
        String words = ratio.name() + " (case " + about.letter() + ")";
        Target target = new Target(wanted.met(), "the target is " + wanted.text());
        run.add(new Headline(HEADLINE_RANK, ratio.figure(), words, target));
      }
    }
    run.detail(
        "runs of (" + about.letter() + ")",
        figures.measures().stream().map(Measure::toJson).toList());
  }

  /** Returns what was compared, what is different here, and the figures. */
  List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    tables.add(
        Table.ofText(
            "(" + about.letter() + ") " + about.title(),
            "Published: " + about.published() + ". " + about.source() + ".",
            "Different here: " + about.differs().strip()));
    for (Unit unit : figures.ratios().stream().map(Ratio::unit).distinct().toList()) {
      tables.add(ratios(unit));
    }
    if (!figures.measures().isEmpty()) {
      LoadTables loads = new LoadTables("Case (" + about.letter() + ")", "", "measured");
      for (Measure measure : figures.measures()) {
        loads.add(measure.look(), measure.runs(), Double.NaN, measure.name());
      }
      tables.add(loads.clients().bars("Operations a second", "opsPerSecond"));
      tables.add(loads.servers());
    }
    if (!figures.series().isEmpty()) {
      tables.add(series());
    }
    return tables;
  }

  /** The ratios of a unit, each with what was published below it. */
  private Table ratios(Unit unit) {
    Column column =
        Column.of("figure", unit.name().toLowerCase(Locale.ROOT), unit).with(Column.Spread.RANGE);
    Table table =
        new Table(
            "Case (" + about.letter() + "): here and as published",
            Column.text("compared"),
            Column.text("where"),
            unit == Unit.SECONDS ? column.lessIsBetter() : column);
    for (Ratio ratio : figures.ratios()) {
      if (ratio.unit() == unit) {
        table.row(Look.TERRACE, ratio.name(), "here", ratio.values());
        ratio
            .published()
            .ifPresent(range -> table.row(Look.PUBLISHED, ratio.name(), "published", range));
      }
    }
    return table.bars("Here and as published", "figure");
  }

  private Table series() {
    String title = "Operations a second, and part of them below 20 ms, over time";
    Table table =
        new Table(
            title,
            Column.text("system"),
            Column.of("seconds", "time, s", Unit.NUMBER),
            Column.of("opsPerSecond", "operations a second", Unit.SCALED),
            Column.of("quickShare", "below 20 ms", Unit.SHARE));
    figures
        .series()
        .forEach(
            (name, points) -> {
              Look look = name.startsWith("Terrace") ? Look.TERRACE : Look.PEER;
              points.forEach(
                  point ->
                      table.row(
                          look,
                          name,
                          point.seconds(),
                          point.operationsPerSecond(),
                          point.quickShare()));
            });
    return table.lines(title, "seconds", "opsPerSecond", "quickShare");
  }

  /** Returns what had to be shown, and whether it was. */
  List<Target> targets() {
    return figures.ratios().stream()
        .flatMap(ratio -> ratio.target().map(wanted -> target(ratio, wanted)).stream())
        .toList();
  }

  private Target target(Ratio ratio, Target wanted) {
    return new Target(
        wanted.met(),
        String.format(
            "(%s) %s: %s, wanted: %s",
            about.letter(), ratio.name(), ratio.figure(), wanted.text()));
  }
}
