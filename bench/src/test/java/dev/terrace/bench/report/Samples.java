// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Results as benchmarks would have them, written as they write them. */
final class Samples {

  /** The command that is said to have made them. */
  @Command(name = "terrace")
  private static final class Root {}

  private Samples() {}

  /** Writes all into a directory. */
  static Path writeAll(Path directory) throws IOException {
    write(hit(), directory);
    write(macro(), directory);
    write(cases(), directory);
    write(churn(), directory);
    return directory;
  }

  /** Writes one into a directory, under its name. */
  static Path write(Result result, Path directory) throws IOException {
    Path file = directory.resolve(result.name() + ".json");
    result.write(file);
    return file;
  }

  static Result result(String name, String title) {
    CommandLine running = new CommandLine(new Root());
    running.parseArgs();
    return new Result(name, title, "What " + title + " measure.", new Machine(), running);
  }

  /** Figures that lie far apart, under two conditions. */
  static Result hit() {
    Table table =
        new Table(
            "Hits",
            Column.text("keys"),
            Column.text("threads"),
            Column.text("cache"),
            Column.of("opsPerSecond", "ops/s", Unit.SCALED).with(Column.Spread.HALF_RANGE),
            Column.of("times", "× BucketCache", Unit.TIMES));
    for (int threads = 1; threads <= 2; threads++) {
      String text = threads + (threads == 1 ? " thread" : " threads");
      double speed = threads * 1e6;
      table.row(Look.BOUND, "zipf", text, "bare map (floor)", Summary.of(60 * speed), null);
      table.row(
          Look.PEER,
          "zipf",
          text,
          "BucketCache offheap",
          Summary.of(2 * speed, 1.8 * speed, 2.4 * speed),
          1);
      table.row(
          Look.TERRACE,
          "zipf",
          text,
          "Terrace",
          Summary.of(21 * speed, 20 * speed, 22 * speed),
          10.5);
    }
    return result("hit", "Hits (bench hit)")
        .add(table.bars("Hits a second", "opsPerSecond"))
        .addTargets(
            List.of(
                new Target(true, "Terrace: 10.5 times BucketCache, at least 10"),
                new Target(false, "Terrace: 2 bytes of garbage a hit, less than 1")));
  }

  /** Loads under which Terrace is not always better. */
  static Result macro() {
    Table table =
        new Table(
            "YCSB: what the clients saw",
            Column.text("workload"),
            Column.text("cache"),
            Column.of("opsPerSecond", "ops/s", Unit.COUNT).with(Column.Spread.HALF_RANGE));
    String reads = "YCSB C: reads only, Zipf";
    String scans = "YCSB E: 95 % scans of 1 to 100 rows, 5 % inserts, Zipf";
    table.row(Look.PEER, reads, "HBase LRU", Summary.of(3_000, 3_100, 2_900));
    table.row(Look.PEER, reads, "HBase BucketCache offheap", Summary.of(2_800, 2_500, 3_000));
    table.row(Look.TERRACE, reads, "Terrace DRAM + PMem + SSD", Summary.of(4_000, 4_100, 4_400));
    table.row(Look.PEER, scans, "HBase LRU", Summary.of(1_000, 1_200, 1_100));
    table.row(Look.PEER, scans, "HBase BucketCache offheap", Summary.of(1_500, 1_600, 1_700));
    table.row(Look.TERRACE, scans, "Terrace DRAM + PMem + SSD", Summary.of(900, 950, 1_000));
    return result("macro", "A real HBase (bench macro)")
        .add(table.bars("YCSB", "opsPerSecond"))
        .setting("rounds", 3);
  }

  /** Figures beside published ones, and lines over time. */
  static Result cases() {
    Table ratios =
        new Table(
                "Here and as published",
                Column.text("compared"),
                Column.text("where"),
                Column.of("figure", "times", Unit.TIMES).with(Column.Spread.RANGE))
            .row(Look.TERRACE, "Terrace over local files", "here", Summary.of(62, 60, 70))
            .row(Look.PUBLISHED, "Terrace over local files", "published", Summary.of(50, 100))
            .bars("Here and as published", "figure");
    Table series =
        new Table(
            "Operations a second over time",
            Column.text("system"),
            Column.of("seconds", "time, s", Unit.NUMBER),
            Column.of("opsPerSecond", "operations a second", Unit.SCALED));
    for (int tick = 0; tick <= 120; tick++) {
      double seconds = tick / 2.0;
      series.row(Look.TERRACE, "Terrace over local files", seconds, 2000 - 500 / (1 + seconds));
      series.row(Look.PEER, "BucketCache offheap over local files", seconds, 20 * seconds);
    }
    return result("cases", "Published cases (bench cases)")
        .add(Table.ofText("(f) A warm restart", "Published: 5 s.", "Different here: much."))
        .add(ratios)
        .add(series.lines("Operations a second over time", "seconds", "opsPerSecond"));
  }

  /** Shares, whose bars begin at nothing. */
  static Result churn() {
    Table table =
        new Table("Payload", Column.text("cache"), Column.of("payloadShare", "payload", Unit.SHARE))
            .row(Look.TERRACE, "Terrace", 0.9)
            .row(Look.PEER, "BucketCache offheap", 0.6);
    return result("churn", "Churn (bench churn)")
        .add(table.bars("Bytes of blocks that the configured bytes hold", "payloadShare"));
  }
}
