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
package dev.terrace.bench.report.page;

import dev.terrace.bench.report.Markup;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.chart.Chart;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A report as one HTML file that needs nothing else: no network, no script, no font. */
public final class HtmlPage {

  private static final String TITLE = "Terrace: benchmark report";

  private final Report report;

  public HtmlPage(Report report) {
    this.report = report;
  }

  /** The whole page. */
  public String html() {
    Markup page = new Markup();
    page.open("html", "lang", "en").line();
    appendHead(page);
    page.open("body").line();
    page.element("a", "Skip to the figures", "class", "skip", "href", "#run-1").line();
    appendTop(page);
    page.open("main").line();
    List<Section> sections = report.sections();
    for (int index = 0; index < sections.size(); index++) {
      appendSection(page, sections.get(index), "run-" + (index + 1));
    }
    page.close().line();
    page.open("footer")
        .element("p", "Made by bin/terrace report. This page loads nothing and runs no script.")
        .close();
    return "<!DOCTYPE html>\n" + page.line().close().line().close().line().finish();
  }

  private static void appendHead(Markup page) {
    page.open("head").empty("meta", "charset", "utf-8").line();
    page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.empty("meta", "name", "color-scheme", "content", "light dark").line();
    // Browsers ask for an icon unless there is one.
    page.empty("link", "rel", "icon", "href", "data:,").line();
    page.element("title", TITLE).line();
    page.style(Chart.styleSheet() + styleSheet()).line().close().line();
  }

  private void appendTop(Markup page) {
    page.open("header").element("h1", TITLE);
    page.element("p", Report.WHAT_TERRACE_IS).line();
    if (!report.headlines().isEmpty()) {
      page.open("ul", "class", "headlines").line();
      report.headlines().forEach(headline -> headline.html(page));
      page.close().line();
    }
    page.element("p", report.promisesInWords(), "class", "promises");
    if (!report.missed().isEmpty()) {
      appendPromises(page, report.missed());
    }
    page.open("nav", "aria-label", "Contents").element("h2", "Contents").open("ol");
    int number = 1;
    for (Section section : report.sections()) {
      page.open("li")
          .element("a", section.titleWithTime(), "href", "#run-" + number++)
          .close()
          .line();
    }
    page.close().close().line();
    page.open("section").element("h2", "How to read it").open("ul");
    Report.HOW_TO_READ.forEach(sentence -> page.element("li", sentence));
    page.close().close().close().line();
  }

  private static void appendSection(Markup page, Section section, String id) {
    RunFacts facts = section.facts();
    page.open("section", "id", id, "class", "run", "aria-labelledby", id + "-name").line();
    page.element("h2", section.title(), "id", id + "-name");
    page.element("p", facts.time().replace('T', ' ').replace("Z", " UTC"), "class", "time").line();
    page.element("p", section.about()).line();
    if (!facts.promises().isEmpty()) {
      page.element("p", "What Terrace promises of it:", "class", "lead");
      appendPromises(page, facts.promises());
    }
    int number = 1;
    for (Part part : section.parts()) {
      part.html(page, id + "-" + number++);
    }
    page.element("h3", "How to repeat it");
    page.open("pre").element("code", facts.command().orElse("The file does not tell.")).close();
    page.line().open("div", "class", "facts").line();
    appendFacts(page, "Machine and versions", facts.machine());
    appendFacts(page, "Settings", facts.settings());
    page.close()
        .element("p", "Read from " + facts.fileName() + ".", "class", "time")
        .close()
        .line();
  }

  private static void appendPromises(Markup page, List<Target> promises) {
    page.open("ul", "class", "verdicts").line();
    for (Target promise : promises) {
      page.open("li")
          .element(
              "span",
              promise.met() ? "✓ met" : "✗ missed",
              "class",
              promise.met() ? "met" : "missed")
          .text(" " + promise.text())
          .close()
          .line();
    }
    page.close().line();
  }

  private static void appendFacts(Markup page, String title, Map<String, String> facts) {
    page.open("div").element("h3", title).open("dl").line();
    facts.forEach((name, value) -> page.element("dt", name).element("dd", value).line());
    page.close().close().line();
  }

  private static String styleSheet() {
    try (InputStream in = HtmlPage.class.getResourceAsStream("page.css")) {
      if (in == null) {
        throw new IllegalStateException("the class path does not hold page.css");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
