// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.demo;

import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the demo showed, in bars and a few lines, and how it was fair.
 *
 * @param measures of Terrace, and of its peer if there is one
 * @param restarts what each of them did first after a restart
 */
record DemoSummary(DemoCommand options, List<Measure> measures, List<LoadFigures> restarts) {

  /** A server whose compilers take this part of its processor time, or more, is not warm. */
  static final double MUCH_COMPILING = 0.1;

  private static final int BAR_CHARACTERS = 50;

  /** Prints it, and adds it to a result. */
  void tell(Result result, PrintWriter out) {
    out.print(bars("Gets a second, warm", measures.stream().map(this::gets).toList()));
    List<Double> first = restarts.stream().map(run -> run.outcome().operationsPerSecond()).toList();
    out.print(bars("Gets a second in the first 10 s after a restart", first));
    out.println();
    List<String> lines = lines();
    lines.forEach(out::println);
    out.println();
    fairness().forEach(out::println);
    out.flush();
    result.setting("summary", lines).setting("fairness", fairness());
  }

  /** Returns the gets of all, one chart. */
  Table chart() {
    Table table =
        new Table(
            "Gets a second, and the part of the data that came from the cache",
            Column.text("cache"),
            Column.of("gets", "gets a second", Unit.COUNT).with(Column.Spread.RANGE));
    for (Measure measure : measures) {
      String name = format("%s, warm (%s cached)", measure.setup().title(), cached(measure));
      table.row(measure.look(), name, measure.speed());
    }
    for (int i = 0; i < restarts.size(); i++) {
      LoadFigures run = restarts.get(i);
      String name = format("%s, restarted (%s cached)", title(i), share(run.dataHitRatio()));
      double gets = run.outcome().operationsPerSecond();
      table.row(measures.get(i).look(), name, gets);
    }
    return table.bars("Gets a second, HBase's files " + place(options.store.name()), "gets");
  }

  private static String place(String store) {
    return switch (store) {
      case "s3" -> "in S3";
      case "none" -> "on the local disk";
      default -> "on a simulated " + store;
    };
  }

  private boolean hasPeer() {
    return measures.size() > 1;
  }

  private String title(int server) {
    return measures.get(server).setup().title();
  }

  private double gets(Measure measure) {
    return measure.speed().median();
  }

  /** Each round is compared with itself. */
  private Summary ratio() {
    List<Double> ours = measures.get(0).operationsPerSecond();
    List<Double> theirs = measures.get(1).operationsPerSecond();
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < ours.size(); round++) {
      ratios.add(ours.get(round) / Math.max(1e-9, theirs.get(round)));
    }
    return Summary.of(ratios);
  }

  /** A line of characters for each figure, the longest one for the largest. */
  private String bars(String heading, List<Double> figures) {
    double most = figures.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    StringBuilder text = new StringBuilder(String.format("%n%s%n", heading));
    for (int i = 0; i < figures.size(); i++) {
      int length = (int) Math.max(1, Math.round(BAR_CHARACTERS * figures.get(i) / most));
      String bar = "#".repeat(length);
      text.append(String.format(Locale.ROOT, "  %-26s %s %,.0f%n", title(i), bar, figures.get(i)));
    }
    return text.toString();
  }

  private List<String> lines() {
    Measure ours = measures.get(0);
    List<String> lines = new ArrayList<>();
    if (hasPeer()) {
      Measure theirs = measures.get(1);
      Summary ratio = ratio();
      lines.add(
          format(
              "Warm: %,.0f gets a second with Terrace, %,.0f with %s: %.2f times (%.2f to %.2f in"
                  + " %d rounds).",
              gets(ours),
              gets(theirs),
              title(1),
              ratio.median(),
              ratio.min(),
              ratio.max(),
              ratio.count()));
      lines.add(
          format(
              "Of the data, %s came from Terrace and %s from %s; a get took %.0f and %.0f us of the"
                  + " server's processor time.",
              cached(ours), cached(theirs), title(1), micros(ours), micros(theirs)));
      lines.add(
          format(
              "First %d s after %s: %,.0f gets a second and %s of the data with Terrace, %,.0f and"
                  + " %s with %s.",
              10,
              options.kill ? "a kill and a restart" : "a restart",
              restarts.get(0).outcome().operationsPerSecond(),
              share(restarts.get(0).dataHitRatio()),
              restarts.get(1).outcome().operationsPerSecond(),
              share(restarts.get(1).dataHitRatio()),
              title(1)));
    } else {
      lines.add(
          format(
              "%,.0f gets a second, warm; %s of the data from Terrace, %.0f us of the server's"
                  + " processor time a get; %,.0f gets a second and %s in the first 10 s after a"
                  + " restart.",
              gets(ours),
              cached(ours),
              micros(ours),
              restarts.get(0).outcome().operationsPerSecond(),
              share(restarts.get(0).dataHitRatio())));
    }
    return lines;
  }

  private List<String> fairness() {
    List<String> lines = new ArrayList<>();
    for (Measure measure : measures) {
      double compiling = compiling(measure);
      if (compiling >= MUCH_COMPILING) {
        lines.add(
            format(
                "Compiling limits: it took %s of the processor time of the server with %s while"
                    + " gets were measured. A longer run (--seconds 60) or a quieter machine shows"
                    + " more.",
                share(compiling), measure.setup().title()));
      }
    }
    if (hasPeer()) {
      lines.add(
          format(
              "Fair to HBase: both servers have the same heap, the same %s of memory for data"
                  + " blocks, the same files, and the same reads to warm up; they take turns (ABBA)"
                  + " while the other one is suspended.",
              options.dram));
      lines.add(options.peer.fairness());
    }
    lines.add(
        "Files lie on a store that is as slow for both ("
            + options.store.describe()
            + "). Client and servers share this machine, whose page cache holds most of the SSD's"
            + " blocks.");
    return lines;
  }

  private static double compiling(Measure measure) {
    return measure.median(run -> run.used().compilingShare());
  }

  private static double micros(Measure measure) {
    return measure.median(LoadFigures::serverMicrosPerOperation);
  }

  private static String cached(Measure measure) {
    return share(measure.median(LoadFigures::dataHitRatio));
  }

  private static String share(double share) {
    return Unit.SHARE.format(share);
  }

  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
