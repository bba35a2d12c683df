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

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results as one HTML file that needs nothing else: no network, no script, no font. */
final class HtmlPage {

  private static final String TITLE = "Terrace: benchmark report";
  private static final int MOST_HEADLINES = 4;

  private static final String WHAT_TERRACE_IS =
      "Terrace is a block cache for Apache HBase that keeps hot file blocks in tiers: DRAM, then"
          + " persistent memory, then SSD files. This report sets it beside HBase's own caches,"
          + " with the same bytes to work with, on the same machine and in the same run.";

  private static final List<String> HOW_TO_READ =
      List.of(
          "Each figure is the median over the rounds of a run. ± is half the range from the least"
              + " to the greatest; in the charts that range is the thin line. A figure without ±"
              + " was measured once: take it as an impression.",
          "× is how many times one figure is of another in the same run.",
          "Blue is Terrace, grey is a cache of HBase or another one, a dashed outline is a bound"
              + " that no cache can beat, yellow is what others have published. Each bar has its"
              + " name and its figure beside it.",
          "Ratios carry over to other machines better than figures do.");

  private final List<Result> results;
  private final Markup page = new Markup();

  HtmlPage(List<Result> results) {
    this.results = List.copyOf(results);
  }

  /** The whole page. */
  String html() {
    page.open("html", "lang", "en").line();
    head();
    page.open("body").line();
    page.element("a", "Skip to the figures", "class", "skip", "href", "#run-1").line();
    top();
    page.open("main").line();
    for (int i = 0; i < results.size(); i++) {
      run(results.get(i), "run-" + (i + 1));
    }
    page.close().line();
    page.open("footer")
        .element("p", "Made by bin/terrace report. This page loads nothing and runs no script.")
        .close();
    return "<!DOCTYPE html>\n" + page.line().close().line().close().line();
  }

  private void head() {
    page.open("head").raw("<meta charset=\"utf-8\"/>").line();
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>");
    page.raw("<meta name=\"color-scheme\" content=\"light dark\"/>").line();
    // Browsers ask for an icon unless there is one.
    page.raw("<link rel=\"icon\" href=\"data:,\"/>").line();
    page.element("title", TITLE).line();
    page.open("style").raw(styleSheet()).close().line().close().line();
  }

  private void top() {
    page.open("header").element("h1", TITLE).element("p", WHAT_TERRACE_IS).line();
    page.open("ul", "class", "headlines").line();
    results.stream()
        .flatMap(result -> result.headlines().stream().map(line -> Map.entry(result, line)))
        .sorted(Comparator.comparingInt(entry -> entry.getValue().rank()))
        .limit(MOST_HEADLINES)
        .forEach(entry -> headline(entry.getKey(), entry.getValue()));
    page.close().line();
    List<Target> all = results.stream().flatMap(result -> result.targets().stream()).toList();
    List<Target> missed = all.stream().filter(target -> !target.met()).toList();
    page.element("p", promises(all.size(), missed.size()), "class", "promises");
    verdicts(missed);
    page.open("nav", "aria-label", "Contents").element("h2", "Contents").open("ol");
    for (int i = 0; i < results.size(); i++) {
      page.open("li")
          .element("a", results.get(i).titleWithTime(), "href", "#run-" + (i + 1))
          .close()
          .line();
    }
    page.close().close().line();
    page.open("section").element("h2", "How to read it").open("ul");
    HOW_TO_READ.forEach(sentence -> page.element("li", sentence));
    page.close().close().close().line();
  }

  private void headline(Result result, Headline headline) {
    page.open("li").element("strong", headline.figure()).element("span", headline.text());
    result
        .goal(headline)
        .ifPresent(
            goal ->
                page.element("span", verdict(goal) + ": " + goal.text(), "class", cssClass(goal)));
    page.close().line();
  }

  private static String promises(int all, int missed) {
    return all == 0
        ? "The runs hold no promises."
        : String.format(
            Locale.ROOT,
            "Of %d promises that these runs can be held to, %d are met and %d missed%s",
            all,
            all - missed,
            missed,
            missed == 0 ? "." : ":");
  }

  private void run(Result result, String id) {
    page.open("section", "id", id, "class", "run", "aria-labelledby", id + "-name").line();
    page.element("h2", result.title(), "id", id + "-name");
    page.element("p", result.time(), "class", "time").element("p", result.about()).line();
    if (!result.targets().isEmpty()) {
      page.element("p", "What Terrace promises of it:", "class", "lead");
      verdicts(result.targets());
    }
    int number = 1;
    for (Table table : result.tables()) {
      table(table, id + "-" + number++);
    }
    comparisons(new Comparisons(result.tables()));
    page.element("h3", "How to repeat it");
    page.open("pre").element("code", result.command().orElse("The file does not tell.")).close();
    page.line().open("div", "class", "facts").line();
    facts("Machine and versions", ResultText.plain(result.machine().entrySet()));
    facts("Settings", ResultText.plain(result.settings().entrySet()));
    page.close().close().line();
  }

  private void verdicts(List<Target> targets) {
    if (targets.isEmpty()) {
      return;
    }
    page.open("ul", "class", "verdicts").line();
    for (Target target : targets) {
      page.open("li").element("span", verdict(target), "class", cssClass(target));
      page.text(" " + target.text()).close().line();
    }
    page.close().line();
  }

  /** A sign that is no colour, and a word. */
  private static String verdict(Target target) {
    return target.met() ? "✓ met" : "✗ missed";
  }

  private static String cssClass(Target target) {
    return target.met() ? "met" : "missed";
  }

  private void table(Table table, String id) {
    if (!table.heading().isEmpty()) {
      page.element("h3", table.heading(), "id", id).line();
    }
    int number = 1;
    for (Table.Chart chart : table.charts()) {
      figure(table, chart, id + "-chart" + number++);
    }
    if (table.isShown()) {
      rows(table, id + "-caption");
    }
    table.notes().forEach(note -> page.element("p", note).line());
  }

  private void figure(Table table, Table.Chart chart, String id) {
    page.open("figure").element("figcaption", chart.title()).line();
    for (Picture picture : Picture.of(table, chart)) {
      if (!picture.heading().isEmpty()) {
        page.element("p", picture.heading(), "class", "group");
      }
      page.open("div", "class", "chart", "role", "img", "aria-label", picture.description());
      page.raw(picture.svg(id + "-")).close().line();
      id += "x";
    }
    page.close().line();
  }

  private void rows(Table table, String captionId) {
    // A table that is wider than the page is scrolled, also by keys, and the page is not.
    page.element("p", table.title(), "class", "caption", "id", captionId);
    page.open(
        "div", "class", "scroll", "tabindex", "0", "role", "region", "aria-labelledby", captionId);
    page.open("table", "aria-labelledby", captionId).open("thead").open("tr");
    List<Table.Shown> columns = table.shown();
    columns.forEach(
        column -> page.element("th", column.header(), "scope", "col", "class", cssClass(column)));
    page.close().close().line().open("tbody");
    for (Table.Row row : table.rows()) {
      page.open("tr");
      for (int i = 0; i < columns.size(); i++) {
        Table.Shown column = columns.get(i);
        if (i == 0) {
          page.element("th", column.text(row), "scope", "row", "class", cssClass(column));
        } else {
          page.element("td", column.text(row), "class", cssClass(column));
        }
      }
      page.close().line();
    }
    page.close().close().close().line();
  }

  private static String cssClass(Table.Shown column) {
    return column.isText() ? "text" : "number";
  }

  private void comparisons(Comparisons comparisons) {
    comparisons.summary().ifPresent(lead -> page.element("p", lead, "class", "lead"));
    if (!comparisons.notBetter().isEmpty()) {
      page.open("ul");
      comparisons.notBetter().forEach(item -> page.element("li", item));
      page.close().line();
    }
  }

  private void facts(String title, Map<String, String> facts) {
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
