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
package dev.terrace.bench.report.runs;

import dev.terrace.bench.hbase.HBaseInstall;
import dev.terrace.bench.report.page.HtmlPage;
import dev.terrace.bench.report.page.MarkdownSummary;
import dev.terrace.bench.report.page.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code terrace report}: turns the JSON of any runs into a page, and into Markdown. */
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
      names = "--markdown",
      paramLabel = "FILE.md",
      description = "write the tables as Markdown too")
  private Path markdown;

  @Override
  public Integer call() throws IOException {
    Path reports = HBaseInstall.home().resolve("bench/target/reports");
    try {
      List<Path> files = files(reports);
      if (files.isEmpty()) {
        spec.commandLine().getErr().println("terrace report: " + nothingIn(reports));
        return 1;
      }
      Report report = Sections.read(files);
      spec.commandLine().getOut().printf("%d runs in %s%n", files.size(), inWords(files));
      write(out != null ? out : reports.resolve("report.html"), new HtmlPage(report).html());
      if (markdown != null) {
        write(markdown, new MarkdownSummary(report).markdown());
      }
      return 0;
    } catch (RunFileException e) {
      spec.commandLine().getErr().println("terrace report: " + e.getMessage());
      return 1;
    }
  }

  private List<Path> files(Path reports) throws RunFileException {
    if (!places.isEmpty()) {
      return RunFiles.find(places);
    }
    return Files.isDirectory(reports) ? RunFiles.find(List.of(reports)) : List.of();
  }

  private String nothingIn(Path reports) {
    String where =
        places.isEmpty()
            ? reports.toString()
            : String.join(", ", places.stream().map(Path::toString).toList());
    return "no results (*.json) in "
        + where
        + ". Run 'bin/terrace bench hit --quick' (about 3 minutes), or another benchmark of"
        + " 'bin/terrace bench --help', and then this again.";
  }

  private static String inWords(List<Path> files) {
    return String.join(", ", files.stream().map(Path::toString).toList());
  }

  private void write(Path file, String text) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, text);
    PrintWriter console = spec.commandLine().getOut();
    console.printf("Written: %s%n", file);
    console.flush();
  }
}
