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

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.TerraceLine;
import java.io.IOException;
import java.io.StringReader;
import java.net.URISyntaxException;
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

  private static Path samples() throws URISyntaxException {
    return Path.of(ReportCommandTest.class.getResource("samples").toURI());
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

    assertThat(page.getElementsByTagName("figure").getLength()).isEqualTo(22);
    assertThat(page.getElementsByTagName("a").getLength()).isEqualTo(10);
    assertThat(page.getElementsByTagName("script").getLength()).isZero();
  }

  @Test
  void ratiosAreThoseOfTheFiguresInTheFile() throws Exception {
    String page = page(samples().resolve("sample-hit.json"));

    // 17,988,118 / 1,733,832 with one thread; the least of both ratios is on top.
    assertThat(page).contains("<strong>10.4 ×</strong>", "2 of 3 promises of this run");
    assertThat(page).contains("✗ missed").contains("less than 1");
  }

  @Test
  void targetsOfCasesAreOnTop() throws Exception {
    assertThat(page(samples().resolve("sample-cases.json")))
        .contains("<strong>98.6 %</strong>", "✓ met: the target is 98 %")
        .contains("<strong>6.40 s</strong>", "✗ missed: the target is 5 s");
  }

  @Test
  void whatTerraceLosesIsSaid() throws Exception {
    assertThat(page(samples().resolve("sample-macro.json")))
        .contains("Where Terrace is not better (")
        .contains("YCSB E: short scans: Terrace DRAM + SSD ");
  }

  @Test
  void runsOfTheSameNameAreShownOneAfterTheOther() throws Exception {
    String page =
        page(samples().resolve("sample-hit-tiers.json"), samples().resolve("sample-hit.json"));

    assertThat(page.indexOf("2026-11-21 04:00:00 UTC</a>"))
        .isPositive()
        .isLessThan(page.indexOf("2026-11-21 05:00:00 UTC</a>"));
  }

  @Test
  void anUnknownRunIsATableAndItsTextsAreEscaped() throws Exception {
    String page = page(samples().resolve("sample-unknown.json"));

    assertThat(page)
        .contains("no charts for runs named &#39;tails&#39;", "terrace &lt;dram&gt;", "nested.a")
        .contains("1.50 (1 to 2)", "The file does not tell.")
        .doesNotContain("<dram>");
  }

  @Test
  void textsOfAFileCannotBecomeElements() throws Exception {
    Path file =
        file(
            "evil.json",
            "{\"name\":\"<img src=x>\",\"time\":\"<b>\",\"settings\":{\"command\":\"a && b > c\"},"
                + "\"machine\":{\"<i>\":\"</style>\"},\"x\":[{\"</table>\":\"<script>1</script>\"}]}");

    String page = page(file);

    assertThat(parse(page).getElementsByTagName("img").getLength()).isZero();
    assertThat(page)
        .contains("&lt;img src=x&gt;", "a &amp;&amp; b &gt; c")
        .doesNotContain("<script>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"name\": \"hit\"                                | broken JSON",
        "[1, 2]                                            | must be an object with a 'name'",
        "{\"time\": \"now\"}                               | must be an object with a 'name'",
        "''                                                | must be an object with a 'name'",
        "{\"name\": \"hit\"}                               | report.summary must be a list of at least one object, and is missing",
        "{\"name\": \"hit\", \"summary\": 7}               | report.summary must be a list, and is 7",
        "{\"name\": \"hit\", \"summary\": [{\"cache\": \"lru\"}]} | report.summary[0].opsPerSecond must be a number, or an object with median, min, max and count, and is missing",
        "{\"name\": \"macro\", \"results\": [3]}           | report.results[0] must be an object",
        "{\"name\": \"memory\", \"results\": [{\"store\": \"SSD\"}]} | report.results[0].filled must be an object",
        "{\"name\": \"replay\", \"settings\": {\"accesses\": \"x\"}} | accesses must be a number, and is \"x\"",
        "{\"name\": \"cases\", \"cases\": [{\"case\": \"f\", \"series\": [{\"name\": \"s\", \"points\": [[1]]}]}]} | cases[0].series[0].points must be a list of pairs",
        "{\"name\": \"put\", \"targets\": [{\"text\": \"t\"}]} | report.targets[0].met must be true or false, and is missing"
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
    assertThat(terrace.err()).contains(directory.toString(), "bin/terrace bench hit --quick");
  }

  @Test
  void markdownHasTablesMachineAndCommands() throws Exception {
    Path markdown = directory.resolve("summary.md");
    assertThat(
            terrace.run(
                "report", samples(), "--out", directory.resolve("p.html"), "--markdown", markdown))
        .isZero();

    assertThat(Files.readString(markdown))
        .contains("### Hits (bench hit), 2026-11-21 04:00:00 UTC")
        .contains(
            "```\nbin/terrace bench hit --caches floor,lru,bucket-offheap,terrace --forks 2\n")
        .contains("Measured on: cpu Sample CPU, cores 2", "| BucketCache offheap")
        .contains("MISSED: ", "terrace \\<dram\\>")
        .doesNotContain("<svg");
  }
}
