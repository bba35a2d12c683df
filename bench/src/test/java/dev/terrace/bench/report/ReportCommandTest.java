// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.TerraceLine;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result.Target;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

final class ReportCommandTest {

  @TempDir private Path directory;

  private final TerraceLine terrace = new TerraceLine();

  /** The command that is said to have made the results. */
  @Command(name = "terrace")
  private static final class Root {}

  private static Result result(String name, String title) {
    CommandLine running = new CommandLine(new Root());
    running.parseArgs();
    return new Result(name, title, "What " + title + " measure.", new Machine(), running);
  }

  /** Figures that lie far apart, with promises. */
  private static Result hits() {
    Table table =
        Table.of(
                "Hits",
                Column.texts("threads", "cache"),
                List.of(
                    Column.of("opsPerSecond", "ops/s", Unit.SCALED),
                    Column.of("times", "× BucketCache", Unit.TIMES)))
            .row(Look.BOUND, "1 thread", "bare map (floor)", 60e6, null)
            .row(Look.PEER, "1 thread", "BucketCache", Summary.of(2e6, 1.8e6, 2.4e6), 1)
            .row(Look.TERRACE, "1 thread", "Terrace", Summary.of(21e6, 20e6, 22e6), 10.5);
    return result("hit", "Hits (bench hit)")
        .add(table.bars("Hits a second", "opsPerSecond"))
        .addTargets(
            List.of(
                new Target(true, "Terrace: 10.5 times BucketCache, at least 10"),
                new Target(false, "Terrace: 2 bytes of garbage a hit, less than 1")));
  }

  /** Figures beside published ones, and lines over time. */
  private static Result cases() {
    Table ratios =
        Table.of(
                "Here and as published",
                Column.texts("compared", "where"),
                List.of(Column.of("figure", "times", Unit.TIMES)))
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
      series.row(Look.TERRACE, "Terrace", seconds, 2000 - 500 / (1 + seconds));
      series.row(Look.PEER, "BucketCache", seconds, 20 * seconds);
    }
    return result("cases", "Published cases (bench cases)")
        .add(ratios)
        .add(series.lines("Operations a second over time", "seconds", "opsPerSecond"));
  }

  private Path samples() throws IOException {
    hits().write(directory.resolve("samples/hit.json"));
    cases().write(directory.resolve("samples/cases.json"));
    return directory.resolve("samples");
  }

  private String page(Path... files) throws IOException {
    Path out = directory.resolve("page.html");
    Object[] arguments = Stream.concat(Stream.of("--out=" + out), Stream.of(files)).toArray();
    assertThat(terrace.run("report", arguments)).as(terrace.err()).isZero();
    return Files.readString(out);
  }

  private static Document parse(String page) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
  }

  @Test
  void thePageIsWellFormedAndHasASectionForEachRun() throws Exception {
    String text = page(samples());
    Document page = parse(text);

    assertThat(page.getElementsByTagName("figure").getLength()).isEqualTo(3);
    assertThat(page.getElementsByTagName("a").getLength()).isEqualTo(3);
    assertThat(page.getElementsByTagName("script").getLength()).isZero();
    assertThat(text)
        .contains("Of 2 promises that these runs can be held to, 1 are met and 1\nmissed.")
        .contains(">Terrace: 21 M ± 5 %</text>", ">published: 50.0 × to 100 ×</text>")
        .contains(">operations a second, 0 to 1.99 k; time, s, 0 to 60</text>");
  }

  @Test
  void textsOfAFileCannotBecomeElements() throws Exception {
    Result evil =
        result("<img src=x>", "<b>")
            .setting("command", "a && b > c")
            .setting("<i>", "</style>")
            .add(
                new Table(
                        "</table>",
                        Column.text("<script>1</script>"),
                        Column.of("n", "n", Unit.COUNT))
                    .row(Look.PEER, "<script>2</script>", 1)
                    .bars("]]><script>3</script>", "n"));
    Path file = directory.resolve("evil.json");
    evil.write(file);

    String page = page(file);

    assertThat(parse(page).getElementsByTagName("img").getLength()).isZero();
    assertThat(page).as("of one run").doesNotContain("Contents");
    assertThat(page).contains("&lt;b&gt;", "a &amp;&amp; b &gt; c").doesNotContain("<script>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"name\": \"hit\"                                  | broken JSON",
        "[1, 2]                                              | broken JSON",
        "{\"tables\": []}                                    | run the command again",
        "''                                                  | run the command again",
        "{\"name\": \"hit\", \"tables\": 7}                     | $.tables"
      })
  void aBrokenFileIsOneLineThatNamesIt(String json, String complaint) throws Exception {
    Path file = Files.writeString(directory.resolve("broken.json"), json);

    assertThat(terrace.run("report", file, "--out", directory.resolve("p.html"))).isEqualTo(1);
    assertThat(terrace.err().lines())
        .singleElement()
        .asString()
        .startsWith("terrace report: " + file)
        .contains(complaint);
    assertThat(directory.resolve("p.html")).doesNotExist();
  }

  @Test
  void aMissingFileAndAnEmptyDirectoryAreNamed() {
    assertThat(terrace.run("report", directory.resolve("none.json"))).isEqualTo(1);
    assertThat(terrace.err()).contains("none.json: no such file or directory");

    assertThat(terrace.run("report", directory)).isEqualTo(1);
    assertThat(terrace.err()).contains(directory.toString(), "bin/terrace bench put");
  }
}
