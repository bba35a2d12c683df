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
   * @param series throughput over time by subject, for the cases that plot it
   */
  record Figures(
      List<Measure> measures, List<Ratio> ratios, Map<String, List<Watch.Point>> series) {}

  /** Adds the tables and the targets of a case to the result of a run. */
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

  /** The ratios of one unit; below each stands the published one. */
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
   * A figure of ours beside a published one.
   *
   * @param name what is compared, in words
   * @param values one for each round
   * @param published the published range, if there is one
   * @param target the target and whether it was met, if there is one
   */
  record Ratio(
      String name,
      Summary values,
      Unit unit,
      Optional<Summary> published,
      Optional<Target> target) {

    /** A figure that is not a quotient. */
    static Ratio of(String name, double value, Unit unit) {
      return of(name, Summary.of(value), unit);
    }

    /** A figure that was measured more than once. */
    static Ratio of(String name, Summary values, Unit unit) {
      return new Ratio(name, values, unit, Optional.empty(), Optional.empty());
    }

    Ratio published(double low, double high) {
      Summary range = low == high ? Summary.of(low) : Summary.of(low, high);
      return new Ratio(name, values, unit, Optional.of(range), target);
    }

    /** Requires the median to be at least the limit. */
    Ratio atLeast(double limit) {
      return withTarget(values.median() >= limit, unit.format(limit) + " or more");
    }

    /** Requires the median to be at most the limit. */
    Ratio atMost(double limit) {
      return withTarget(values.median() <= limit, unit.format(limit) + " or less");
    }

    /** Requires the median to be at most the limit, unless the other condition holds. */
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
