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
 * @param warm measures of Terrace, and of its peer if there is one
 * @param restarted what each of them did first after a restart
 */
record DemoSummary(DemoCommand options, List<Measure> warm, List<Measure> restarted) {

  /** A server whose compilers take this part of its processor time, or more, is not warm. */
  static final double MUCH_COMPILING = 0.1;

  private static final int BAR_CHARACTERS = 50;

  /** Prints it, and adds it to a result. */
  void tell(Result result, PrintWriter out) {
    printBars("Gets a second, warm", warm, out);
    printBars("Gets a second in the first 10 s after a restart", restarted, out);
    List<String> lines = lines();
    List<String> fairness = fairness();
    out.printf("%n%s%n%n%s%n", String.join("\n", lines), String.join("\n", fairness));
    out.flush();
    result.setting("summary", lines).setting("fairness", fairness);
  }

  /** Returns the gets of all, one chart. */
  Table chart() {
    Table table =
        new Table(
            "Gets a second, and the part of the data that came from the cache",
            Column.text("cache"),
            Column.of("gets", "gets a second", Unit.COUNT).with(Column.Spread.RANGE));
    addRows(table, warm, "warm");
    addRows(table, restarted, "restarted");
    String place =
        switch (options.store.name()) {
          case "s3" -> "in S3";
          case "none" -> "on the local disk";
          default -> "on a simulated " + options.store.name();
        };
    return table.bars("Gets a second, HBase's files " + place, "gets");
  }

  private static void addRows(Table table, List<Measure> measures, String when) {
    for (Measure measure : measures) {
      String title = measure.setup().title();
      String name = format("%s, %s (%s cached)", title, when, cached(measure));
      table.row(measure.look(), name, measure.speed());
    }
  }

  /** A line of characters for each figure, the longest one for the largest. */
  private static void printBars(String heading, List<Measure> measures, PrintWriter out) {
    double most = measures.stream().mapToDouble(DemoSummary::gets).max().orElse(1);
    out.printf("%n%s%n", heading);
    for (Measure measure : measures) {
      double gets = gets(measure);
      String bar = "#".repeat((int) Math.max(1, Math.round(BAR_CHARACTERS * gets / most)));
      out.printf(Locale.ROOT, "  %-26s %s %,.0f%n", measure.setup().title(), bar, gets);
    }
  }

  private List<String> lines() {
    Measure ours = warm.get(0);
    Measure ourRestart = restarted.get(0);
    if (warm.size() == 1) {
      return List.of(
          format(
              "%,.0f gets a second, warm; %s of the data from Terrace, %.0f us of the server's"
                  + " processor time a get; %,.0f gets a second and %s in the first 10 s after a"
                  + " restart.",
              gets(ours), cached(ours), micros(ours), gets(ourRestart), cached(ourRestart)));
    }
    Measure theirs = warm.get(1);
    Measure theirRestart = restarted.get(1);
    String title = theirs.setup().title();
    Summary ratio = ours.over(theirs);
    return List.of(
        format(
            "Warm: %,.0f gets a second with Terrace, %,.0f with %s: %.2f times (%.2f to %.2f in"
                + " %d rounds).",
            gets(ours),
            gets(theirs),
            title,
            ratio.median(),
            ratio.min(),
            ratio.max(),
            ratio.count()),
        format(
            "Of the data, %s came from Terrace and %s from %s; a get took %.0f and %.0f us of the"
                + " server's processor time.",
            cached(ours), cached(theirs), title, micros(ours), micros(theirs)),
        format(
            "First 10 s after %s: %,.0f gets a second and %s of the data with Terrace, %,.0f and"
                + " %s with %s.",
            options.kill ? "a kill and a restart" : "a restart",
            gets(ourRestart),
            cached(ourRestart),
            gets(theirRestart),
            cached(theirRestart),
            title));
  }

  private List<String> fairness() {
    List<String> lines = new ArrayList<>();
    for (Measure measure : warm) {
      double compiling = measure.median(run -> run.used().compilingShare());
      if (compiling >= MUCH_COMPILING) {
        lines.add(
            format(
                "Compiling limits: it took %s of the processor time of the server with %s while"
                    + " gets were measured. A longer run (--seconds 60) or a quieter machine shows"
                    + " more.",
                Unit.SHARE.format(compiling), measure.setup().title()));
      }
    }
    if (warm.size() > 1) {
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

  private static double gets(Measure measure) {
    return measure.speed().median();
  }

  private static double micros(Measure measure) {
    return measure.median(LoadFigures::serverMicrosPerOperation);
  }

  private static String cached(Measure measure) {
    return Unit.SHARE.format(measure.median(LoadFigures::dataHitRatio));
  }

  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
