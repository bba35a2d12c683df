// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.TerraceLine;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class ReportCommandTest {

  @TempDir private Path directory;

  private final TerraceLine terrace = new TerraceLine();

  private Path samples() throws IOException {
    return Samples.writeAll(Files.createDirectories(directory.resolve("samples")));
  }

  private String page(Path... files) throws IOException {
    Path out = directory.resolve("page.html");
    Object[] arguments = new Object[files.length + 1];
    System.arraycopy(files, 0, arguments, 0, files.length);
    arguments[files.length] = "--out=" + out;
    Object[] more = Arrays.copyOfRange(arguments, 1, arguments.length);
    assertThat(terrace.run("report", arguments[0], more)).as(terrace.err()).isZero();
    return Files.readString(out);
  }

  private Path file(String name, String json) throws IOException {
    return Files.writeString(directory.resolve(name), json);
  }

  private static Document parse(String page) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
  }

  @Test
  void thePageIsWellFormedAndHasASectionForEachRun() throws Exception {
    Document page = parse(page(samples()));

    assertThat(page.getElementsByTagName("figure").getLength()).isEqualTo(5);
    assertThat(page.getElementsByTagName("a").getLength()).isEqualTo(5);
    assertThat(page.getElementsByTagName("script").getLength()).isZero();
  }

  @Test
  void promisesAreOnTop() throws Exception {
    assertThat(page(samples()))
        .contains("Of 2 promises that these runs can be held to, 1 are met and 1 missed");
  }

  @Test
  void chartsTellTheirFigures() throws Exception {
    assertThat(page(samples()))
        .contains(">Terrace: 90.0 %</text>", ">published: 50.0 × to 100 ×</text>")
        .contains(">operations a second, 0 to 1.99 k; time, s, 0 to 60</text>");
  }

  @Test
  void theFirstChartIsAFileToo() throws Exception {
    Path svg = directory.resolve("first.svg");

    page(samples(), Path.of("--svg=" + svg));

    Document drawn = parse(Files.readString(svg));
    assertThat(drawn.getDocumentElement().getTagName()).isEqualTo("svg");
  }

  @Test
  void runsOfTheSameNameAreShownByTheirTime() throws Exception {
    Path late = Samples.write(Samples.hit(), directory);
    Path early = directory.resolve("z-early.json");
    Files.writeString(
        early,
        Files.readString(late)
            .replaceFirst("\"time\": \"[^\"]*\"", "\"time\": \"2001-01-01T00:00:00Z\""));

    String page = page(late, early);

    assertThat(page.indexOf("#run-1")).isPositive();
    assertThat(page.indexOf("Hits (bench hit), 2001-01-01 00:00:00 UTC</a>"))
        .isPositive()
        .isLessThan(page.indexOf("href=\"#run-2\""));
  }

  @Test
  void textsOfAFileCannotBecomeElements() throws Exception {
    Result evil =
        Samples.result("<img src=x>", "<b>")
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
    assertThat(page).contains("&lt;b&gt;", "a &amp;&amp; b &gt; c").doesNotContain("<script>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"name\": \"hit\"                                  | broken JSON",
        "[1, 2]                                              | must be an object with a 'name'",
        "{\"tables\": []}                                    | must be an object with a 'name'",
        "''                                                  | must be an object with a 'name'",
        "{\"name\": \"hit\", \"summary\": []}                   | run the command again",
        "{\"name\": \"hit\", \"tables\": 7}                     | $.tables",
        "{\"name\": \"hit\", \"tables\": [{\"rows\": [3]}]}     | $.tables[0].rows[0]",
        "{\"name\": \"hit\", \"tables\": [{\"rows\": [{}]}]}    | must have a look",
        "{\"name\": \"hit\", \"tables\": [{\"columns\": [{}]}]} | must have a key",
        "{\"name\": \"hit\", \"tables\": [{\"columns\": [{\"key\": \"n\"}], \"rows\": [{\"look\":"
            + " \"PEER\", \"cells\": {\"n\": \"x\"}}]}]} | must have numbers in"
            + " its column 'n'",
        "{\"name\": \"hit\", \"tables\": [{\"charts\": [{\"kind\": \"BARS\", \"columns\":"
            + " [\"n\"]}]}]} | must have a column of figures 'n'"
      })
  void aBrokenFileIsOneLineThatNamesIt(String json, String complaint) throws Exception {
    Path file = file("broken.json", json);

    assertThat(terrace.run("report", file, "--out", directory.resolve("p.html"))).isEqualTo(1);
    assertThat(terrace.err().lines())
        .singleElement()
        .asString()
        .startsWith("terrace report: " + file)
        .contains(complaint);
    assertThat(directory.resolve("p.html")).doesNotExist();
  }

  @Test
  void aMissingFileIsNamed() {
    assertThat(terrace.run("report", directory.resolve("none.json"))).isEqualTo(1);
    assertThat(terrace.err()).contains("none.json: no such file or directory");
  }

  @Test
  void anEmptyDirectoryTellsWhatToRun() {
    assertThat(terrace.run("report", directory)).isEqualTo(1);
    assertThat(terrace.err()).contains(directory.toString(), "bin/terrace bench put");
  }
}
