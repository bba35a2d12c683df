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
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.bench.TerraceLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Looks at the page in a real browser: whether it is drawn, and whether it can be read. */
@Tag("long")
final class ReportPageIT {

  /** The charts that the samples make, with their pictures, and bars, lines and signs of lines. */
  private static final List<String> CHARTS =
      List.of(
          "Here and as published: 1 of 2",
          "Operations a second over time: 1 of 4",
          "YCSB: 2 of 6",
          "Hits a second: 2 of 6",
          "Bytes of blocks that the configured bytes hold: 1 of 2");

  @TempDir private static Path directory;

  private static Browser browser;

  @BeforeAll
  static void openThePage() throws IOException {
    Optional<Browser.Install> install = Browser.Install.find();
    if (install.isEmpty()) {
      String missing =
          "no chromium and chromedriver on the PATH; on Debian: apt-get install chromium"
              + " chromium-driver";
      assertThat(System.getenv("CI")).as(missing).isNotEqualTo("true");
      assumeTrue(false, missing);
    }
    Path page = directory.resolve("report.html");
    Path samples = Samples.writeAll(Files.createDirectory(directory.resolve("samples")));
    TerraceLine terrace = new TerraceLine();
    assertThat(terrace.run("report", samples, "--out", page)).as(terrace.err()).isZero();
    browser = Browser.start(install.orElseThrow(), directory.resolve("profile"));
    browser.open(page.toUri());
  }

  @AfterAll
  static void closeTheBrowser() throws IOException {
    if (browser != null) {
      browser.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "1280, dark", "400, light", "400, dark", "360, light"})
  void drawsAllChartsSoThatTheyCanBeRead(int widthPixels, String colors) throws IOException {
    browser.resize(widthPixels, 900);
    browser.prefer(colors);

    List<JsonObject> charts = charts();
    browser.screenshot(screenshotFile(widthPixels + "-" + colors));

    assertThat(charts)
        .extracting(
            chart ->
                chart.get("caption").getAsString()
                    + ": "
                    + chart.get("pictures")
                    + " of "
                    + chart.get("marks"))
        .containsExactlyElementsOf(CHARTS);
    for (JsonObject chart : charts) {
      assertThat(chart.get("wrong").getAsJsonArray()).as(chart.get("caption") + "").isEmpty();
      assertThat(chart.get("width").getAsDouble()).isBetween(widthPixels * 0.5, 760.0);
    }
    assertThat(number("return document.documentElement.scrollWidth"))
        .as("the page is not wider than the window")
        .isLessThanOrEqualTo(widthPixels);
  }

  @Test
  void barsAreAsLongAsTheirFigures() throws IOException {
    browser.resize(1280, 900);
    JsonObject chart =
        charts().stream()
            .filter(each -> each.get("caption").getAsString().startsWith("Bytes of blocks"))
            .findFirst()
            .orElseThrow();

    JsonArray widths = chart.get("widths").getAsJsonArray();
    assertThat(widths.get(1).getAsDouble() / widths.get(0).getAsDouble())
        .isCloseTo(0.6 / 0.9, within(0.01));
  }

  @Test
  void everyLinkOfTheContentsLeadsToASection() throws IOException {
    assertThat(number("return document.querySelectorAll('nav a').length")).isEqualTo(4);
    assertThat(
            number(
                "return [...document.querySelectorAll('a')]"
                    + ".filter(a => !document.querySelector(a.getAttribute('href'))).length"))
        .isZero();
  }

  @Test
  void tablesScrollByThemselvesOnAPhone() throws IOException {
    browser.resize(400, 900);

    assertThat(
            number(
                "return [...document.querySelectorAll('.scroll')]"
                    + ".filter(d => d.getBoundingClientRect().right > innerWidth).length"))
        .isZero();
  }

  @Test
  void asksNothingOfTheNetworkAndComplainsOfNothing() throws IOException {
    browser.run("location.reload()");
    assertThat(charts()).hasSameSizeAs(CHARTS);

    assertThat(browser.log("browser")).isEmpty();
    assertThat(requestedUrls())
        .isNotEmpty()
        .allSatisfy(url -> assertThat(url).matches("(file|data):.*"));
    assertThat(number("return document.scripts.length")).isZero();
  }

  /** What the page asked for; the browser's own first page asks for other things. */
  private static List<String> requestedUrls() throws IOException {
    List<String> urls = new ArrayList<>();
    for (String entry : browser.log("performance")) {
      JsonObject message =
          JsonParser.parseString(entry).getAsJsonObject().getAsJsonObject("message");
      JsonObject parameters = message.getAsJsonObject("params");
      if (message.get("method").getAsString().equals("Network.requestWillBeSent")
          && parameters.get("documentURL").getAsString().startsWith("file:")) {
        urls.add(parameters.getAsJsonObject("request").get("url").getAsString());
      }
    }
    return urls;
  }

  private static List<JsonObject> charts() throws IOException {
    List<JsonObject> charts = new ArrayList<>();
    for (JsonElement chart : browser.run(script()).getAsJsonArray()) {
      charts.add(chart.getAsJsonObject());
    }
    return charts;
  }

  private static double number(String script) throws IOException {
    return browser.run(script).getAsDouble();
  }

  private static String script() throws IOException {
    try (InputStream in = ReportPageIT.class.getResourceAsStream("charts.js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** For people who want to look. */
  private static Path screenshotFile(String name) {
    return Path.of(System.getProperty("terrace.build.directory", "target"))
        .resolve("report-page/" + name + ".png");
  }
}
