// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import dev.terrace.bench.report.Benchmark.ResultOptions;
import dev.terrace.bench.report.Result.ResultFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code terrace report}: turns the JSON of any runs into a page. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Turns the JSON results of any runs into one HTML page with charts, tables, the machine and"
            + " the commands to repeat them. The page needs no network.")
public final class ReportCommand implements Callable<Integer> {

  /** The runs that come first, those of a whole HBase before those of a cache alone. */
  private static final List<String> FIRST =
      List.of("cases", "macro", "hit", "put", "churn", "memory", "pause", "replay");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE|DIR",
      arity = "0..*",
      description = "JSON files, or directories of them (default: bench/target/reports)")
  private List<Path> places = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "FILE.html",
      description = "where the page goes (default: bench/target/reports/report.html)")
  private Path out;

  @Option(
      names = "--svg",
      paramLabel = "FILE.svg",
      description = "write the first chart as a file too")
  private Path svg;

  @Override
  public Integer call() throws IOException {
    Path reports = ResultOptions.reports();
    boolean isNothingRun = places.isEmpty() && !Files.isDirectory(reports);
    List<Path> from = places.isEmpty() ? List.of(reports) : places;
    List<Path> files = isNothingRun ? List.of() : ResultFiles.find(from);
    if (files.isEmpty()) {
      throw new IOException(
          "no results (*.json) in "
              + inWords(from)
              + ". Run 'bin/terrace bench put' (about a minute), or another benchmark of"
              + " 'bin/terrace bench --help', and then this again.");
    }
    List<Result> results = new ArrayList<>();
    for (Path file : files) {
      results.add(ResultFiles.read(file));
    }
    results.sort(
        Comparator.comparingInt(ReportCommand::place)
            .thenComparing(Result::name)
            .thenComparing(Result::time));
    spec.commandLine().getOut().printf("%d runs in %s%n", files.size(), inWords(files));
    write(out != null ? out : reports.resolve("report.html"), HtmlPage.of(results));
    if (svg != null) {
      Picture.write(results.stream().flatMap(run -> run.tables().stream()).toList(), svg);
      spec.commandLine().getOut().printf("Written: %s%n", svg);
    }
    return 0;
  }

  private static int place(Result result) {
    int place = FIRST.indexOf(result.name());
    return place < 0 ? FIRST.size() : place;
  }

  private static String inWords(List<Path> files) {
    return files.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  /** Writes the page of results. */
  public static void writePage(List<Result> results, Path file) throws IOException {
    FileUtils.writeStringToFile(file.toFile(), HtmlPage.of(results), StandardCharsets.UTF_8);
  }

  private void write(Path file, String text) throws IOException {
    FileUtils.writeStringToFile(file.toFile(), text, StandardCharsets.UTF_8);
    PrintWriter console = spec.commandLine().getOut();
    console.printf("Written: %s%n", file);
    console.flush();
  }
}
