// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import static dev.terrace.bench.server.JavaProcess.runToEnd;

import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.promises.Day.Figure;
import dev.terrace.bench.report.Benchmark;
import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.workload.OwnJvm;
import dev.terrace.bench.workload.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "day",
    mixinStandardHelpOptions = true,
    description =
        "What operations, periodic tasks, polls, a resize, a stop and a start cost with 2 TB of"
            + " SSD, 31 million blocks and 4,000 regions of HBase on a disk with holes. As root;"
            + " takes 10 GB of disk, 8 GB of memory and a quarter of an hour.")
public final class DayCommand extends Benchmark {

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "N",
      defaultValue = "16,4,1",
      description = "divisors of all sizes and numbers (default: ${DEFAULT-VALUE})")
  private List<Integer> parts;

  public DayCommand() {
    super("A day at two terabytes", "CPU and garbage; of what happens once, the time.");
  }

  @Override
  protected void checkOptions() {
    parts.forEach(part -> Scale.require("--parts", part, 1, 400));
  }

  @Override
  protected void measure(Result result) throws IOException, InterruptedException {
    List<Figure[]> days = new ArrayList<>();
    List<Column> columns = new ArrayList<>(List.of(Column.text("what")));
    for (int part : parts) {
      print("A day at 1/%d of 2 TB", part);
      Figure[] day = day(part);
      days.add(day);
      columns.addAll(Column.texts("1/" + part, "garbage at 1/" + part));
      for (Figure figure : day) {
        if (figure.isPeriodic()) {
          String text = figure.name() + ", at 1/%d: %s, at most 10 ms";
          double nanos = figure.nanos();
          result.addTargets(List.of(Target.of(nanos <= 1e7, text, part, Unit.NANOS.format(nanos))));
        }
      }
    }
    Table table = Table.of("A day at two terabytes", columns);
    for (int row = 0; row < days.get(0).length; row++) {
      List<String> cells = new ArrayList<>(List.of(days.get(0)[row].name()));
      for (Figure[] day : days) {
        cells.add(Unit.NANOS.format(day[row].nanos()));
        cells.add(day[row].bytes() == 0 ? "" : Unit.BYTES.format(day[row].bytes()));
      }
      table.row(Look.TERRACE, cells);
    }
    result.add(table);
  }

  private static Figure[] day(int part) throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.create()) {
      String image = scratch.fileDirectory().resolve("image").toString();
      Path disk = Files.createDirectory(scratch.fileDirectory().resolve("disk"));
      runToEnd("truncate", "-s", Long.toString((3L << 40) / part), image);
      runToEnd("mkfs.ext4", "-q", "-F", "-N", "1024", "-O", "^has_journal", image);
      runToEnd("mount", "-o", "loop,noatime", image, disk.toString());
      try {
        Day day = new Day(disk.resolve("ssd").toString(), part, new ArrayList<>());
        return OwnJvm.run(day, Figure[].class, "-Xmx3g", "-XX:MaxDirectMemorySize=4g");
      } finally {
        String unused = runToEnd("umount", "-l", disk.toString());
      }
    }
  }
}
