// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import dev.terrace.bench.report.Result.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code terrace report}: turns the JSON of runs into a page. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Turns the JSON results of any runs into one HTML page with charts, tables, the machine and"
            + " the commands to repeat them. The page needs no network.")
public final class ReportCommand implements Callable<Integer> {

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
    Path reports = Benchmark.reports();
    List<Path> from = places.isEmpty() ? List.of(reports) : places;
    boolean isNothingRun = places.isEmpty() && !Files.isDirectory(reports);
    List<Path> files = isNothingRun ? List.of() : Result.find(from);
    if (files.isEmpty()) {
      throw new IOException(
          "no results (*.json) in "
              + inWords(from)
              + ". Run 'bin/terrace bench put' (about a minute), or another benchmark of"
              + " 'bin/terrace bench --help', and then this again.");
    }
    List<Result> results = new ArrayList<>();
    for (Path file : files) {
      results.add(Result.read(file));
    }
    results.sort(Comparator.comparing(Result::name).thenComparing(Result::time));
    Path page = out != null ? out : reports.resolve("report.html");
    writePage(results, page);
    PrintWriter console = spec.commandLine().getOut();
    console.printf("%d runs in %s%nWritten: %s%n", files.size(), inWords(files), page);
    if (svg != null) {
      Picture.write(results.stream().flatMap(run -> run.tables().stream()).toList(), svg);
      console.printf("Written: %s%n", svg);
    }
    console.flush();
    return 0;
  }

  private static String inWords(List<Path> files) {
    return files.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  /**
   * Writes the page of results: one HTML file that loads nothing: no scripts, no fonts, no network.
   */
  public static void writePage(List<Result> results, Path file) throws IOException {
    FileUtils.writeStringToFile(file.toFile(), page(results), StandardCharsets.UTF_8);
  }

  private static String page(List<Result> results) {
    List<Target> all = results.stream().flatMap(result -> result.targets().stream()).toList();
    List<Target> missed = all.stream().filter(target -> !target.met()).toList();
    int met = all.size() - missed.size();
    return Picture.fill(
        "page.html",
        Map.of(
            "promises",
            all.isEmpty() ? false : Map.of("all", all.size(), "met", met, "missed", missed.size()),
            "missed",
            listOf(missed),
            "several",
            results.size() > 1,
            "runs",
            IntStream.range(0, results.size()).mapToObj(i -> run(i, results.get(i))).toList()));
  }

  /** A section around some items; empty without items. */
  private static List<?> listOf(List<?> items) {
    return items.isEmpty() ? List.of() : List.of(Map.of("items", items));
  }

  private static Map<String, ?> run(int index, Result result) {
    return Map.of(
        "id", "run-" + (index + 1),
        "result", result,
        "command", result.command().orElse("The file does not tell."),
        "verdicts", listOf(result.targets()),
        "tables", result.tables().stream().map(ReportCommand::table).toList(),
        "machine", ResultText.plain(result.machine()).entrySet(),
        "settings", ResultText.plain(result.settings()).entrySet());
  }

  private static Map<String, ?> table(Table table) {
    return Map.of(
        "charts", table.charts().stream().map(chart -> Picture.svg(table, chart)).toList(),
        "rows", table.isShown() ? List.of(rows(table)) : List.of(),
        "notes", table.notes());
  }

  private static Map<String, ?> rows(Table table) {
    List<Table.Shown> columns = table.shown();
    List<?> lines =
        table.rows().stream()
            .map(row -> columns.stream().map(column -> cell(column, column.text(row))).toList())
            .toList();
    return Map.of(
        "title", table.title(),
        "header", columns.stream().map(column -> cell(column, column.header())).toList(),
        "lines", lines);
  }

  private static Map<String, ?> cell(Table.Shown column, String text) {
    return Map.of("text", text, "kind", column.isText() ? "text" : "number");
  }
}
