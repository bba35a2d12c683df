// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.io.function.IOFunction;

record PublishedCase(
    String letter, String title, String published, IOFunction<CaseBench, Figures> measuring) {

  /**
   * The results of a case.
   *
   * @param series operations a second over time, by what they are of, where that matters
   */
  record Figures(
      List<Measure> measures, List<Ratio> ratios, Map<String, List<Watch.Point>> series) {}

  /** Adds figures to the result of a run; they are in these tables. */
  void addTo(Result run, Figures figures) {
    tables(figures).forEach(run::add);
    for (Ratio ratio : figures.ratios()) {
      for (Target wanted : ratio.target().stream().toList()) {
        String figure = String.format("(%s) %s: %s", letter, ratio.name(), ratio.figure());
        run.addTargets(List.of(new Target(wanted.met(), figure + ", wanted: " + wanted.text())));
      }
    }
  }

  List<Table> tables(Figures figures) {
    List<Table> tables = new ArrayList<>();
    for (Unit unit : figures.ratios().stream().map(Ratio::unit).distinct().toList()) {
      tables.add(ratios(figures.ratios(), unit));
    }
    tables.get(0).note("Published: " + published + ".");
    tables.get(0).note("The source, and what differs here: docs/benchmarks/method.md.");
    if (!figures.measures().isEmpty()) {
      LoadTables loads = new LoadTables("Case (" + letter + ")", "", "measured");
      for (Measure measure : figures.measures()) {
        String clients = measure.threads() == 1 ? " thread" : " threads";
        String load = ", " + measure.workload().title() + ", " + measure.threads() + clients;
        loads.add(measure, Double.NaN, measure.setup().title() + load);
      }
      tables.add(loads.clients().bars("Operations a second", "opsPerSecond"));
      tables.add(loads.servers());
    }
    if (!figures.series().isEmpty()) {
      tables.add(series(figures.series()));
    }
    return tables;
  }

  /** The ratios of a unit, each with what was published below it. */
  private Table ratios(List<Ratio> ratios, Unit unit) {
    Column column = Column.of("figure", unit.name().toLowerCase(Locale.ROOT), unit);
    Table table =
        new Table(
            "(" + letter + ") " + title + ": here and as published",
            Column.text("compared"),
            Column.text("where"),
            column);
    for (Ratio ratio : ratios) {
      if (ratio.unit() == unit) {
        table.row(Look.TERRACE, ratio.name(), "here", ratio.values());
        ratio
            .published()
            .ifPresent(range -> table.row(Look.PUBLISHED, ratio.name(), "published", range));
      }
    }
    return table.bars("Here and as published", "figure");
  }

  private static Table series(Map<String, List<Watch.Point>> series) {
    String title = "Operations a second, and hits, over time";
    Table table =
        new Table(
            title,
            Column.text("system"),
            Column.of("seconds", "time, s", Unit.NUMBER),
            Column.of("opsPerSecond", "operations a second", Unit.SCALED),
            Column.of("hits", "hits", Unit.SHARE));
    series.forEach(
        (name, points) -> {
          Look look = name.startsWith("Terrace") ? Look.TERRACE : Look.PEER;
          for (Watch.Point point : points) {
            table.row(look, name, point.seconds(), point.speed(), point.hits());
          }
        });
    return table.lines(title, "seconds", "opsPerSecond", "hits");
  }

  /**
   * A figure of ours beside one that was published.
   *
   * @param name what is compared, in words
   * @param values one for each round
   * @param published from the least to the most that was published, if something was
   * @param target what must be shown, if something must: whether it was, and what it is in words
   */
  record Ratio(
      String name,
      Summary values,
      Unit unit,
      Optional<Summary> published,
      Optional<Target> target) {

    /** A figure that is no quotient. */
    static Ratio of(String name, double value, Unit unit) {
      return of(name, Summary.of(value), unit);
    }

    /** The same, taken more than once. */
    static Ratio of(String name, Summary values, Unit unit) {
      return new Ratio(name, values, unit, Optional.empty(), Optional.empty());
    }

    Ratio published(double low, double high) {
      Summary range = low == high ? Summary.of(low) : Summary.of(low, high);
      return new Ratio(name, values, unit, Optional.of(range), target);
    }

    /** The median must be so much or more. */
    Ratio atLeast(double limit) {
      return withTarget(values.median() >= limit, unit.format(limit) + " or more");
    }

    /** The median must be so much or less. */
    Ratio atMost(double limit) {
      return withTarget(values.median() <= limit, unit.format(limit) + " or less");
    }

    /** The median must be so much or less, or something else must hold. */
    Ratio atMost(double limit, boolean otherwise, String otherwiseInWords) {
      return withTarget(
          values.median() <= limit || otherwise,
          unit.format(limit) + " or less, or " + otherwiseInWords);
    }

    private Ratio withTarget(boolean met, String words) {
      return new Ratio(name, values, unit, published, Optional.of(new Target(met, words)));
    }

    String figure() {
      return unit.format(values.median());
    }
  }
}
