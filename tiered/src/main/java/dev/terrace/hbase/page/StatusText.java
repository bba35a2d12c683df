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
package dev.terrace.hbase.page;

import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.hbase.status.TerraceMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * Writes the status page from the figures as they are now. From the top: is all well, is it worth
 * its money, what should be changed; then lists, folded. Thread-safe.
 */
final class StatusText {

  /** Rows of a list, unless more are asked for. */
  static final int ROWS = 20;

  /** The parameter with the name that is asked for. */
  static final String WHY = "why";

  private static final Pattern PART = Pattern.compile("\\n\\n+");
  private static final Pattern COLUMN = Pattern.compile(" {2,}");

  private final TerraceMXBean bean;
  private final KnownFiles known;
  private final Configuration conf;
  private final History history;
  private final Instant start;

  StatusText(
      TerraceMXBean bean, KnownFiles known, Configuration conf, History history, Instant start) {
    this.bean = bean;
    this.known = known;
    this.conf = conf;
    this.history = history;
    this.start = start;
  }

  /**
   * The whole page.
   *
   * @param rows how many tables, families or files a list has at most, from 1
   */
  String html(int rows, Instant now) {
    Span minute = history.minute(now);
    Html page = new Html();
    page.add(
        "<header><h1>Terrace</h1><nav><a href=\"/rs-status\">Region server</a>"
            + " <a href=\"/jmx?qry=dev.terrace:*\">JMX</a></nav></header>\n<main>\n");
    verdict(page, minute);
    new Picture(minute).draw(page);
    page.add("<section aria-labelledby=\"change\"><h2 id=\"change\">What should I change?</h2>\n");
    Curves.whatIf(page, bean.getWhatIf());
    Curves.overTime(page, history.ratios());
    question(page, "");
    page.add("</section>\n<section aria-label=\"Lists\">\n");
    new Lists(bean, minute, rows).write(page, history, known, conf);
    page.add("</section>\n</main><footer>At the start: %s</footer>\n", bean.getStartLine());
    return Html.page("Terrace", page);
  }

  private void verdict(Html page, Span minute) {
    Instant now = minute.to().at();
    List<Problem> problems = Problem.of(history.quarter(minute));
    String level = problems.isEmpty() ? "well" : problems.get(0).isBad() ? "bad" : "poor";
    page.add("<section class=\"verdict %s\" aria-labelledby=\"verdict\">", level);
    page.add(
        "<h2 id=\"verdict\">%s</h2>\n",
        switch (problems.size()) {
          case 0 -> "All is well";
          case 1 -> "Something is wrong";
          default -> problems.size() + " things are wrong";
        });
    for (Problem problem : problems) {
      page.add("<article><h3>%s</h3><p>", problem.what());
      if (problem.since() != null) {
        page.add("Since %s. ", Shown.time(problem.since(), now));
      }
      page.add("%s</p>", problem.meaning());
      if (!problem.toDo().isEmpty()) {
        page.add("<p><b>To do:</b> %s</p>", problem.toDo());
      }
      page.add("</article>\n");
    }
    long paths = minute.to().tiers().values().stream().mapToLong(tier -> tier.paths().size()).sum();
    page.add(
        "<p class=\"soft\">%s%s. Up for %s. Figures are those of the last minute, up to %s.</p>"
            + "</section>\n",
        number(minute.to().tiers().size(), "tier"),
        paths == 0 ? "" : ", " + number(paths, "path"),
        Shown.period(Duration.between(start, now)),
        Shown.moment(now));
  }

  private static String number(long number, String of) {
    return number + " " + of + (number == 1 ? "" : "s");
  }

  /** The form that asks, for this page and for the status page. */
  private static void question(Html page, String name) {
    page.add(
        "<form method=\"get\"><label for=\"why\">Why is this not cached?</label>"
            + "<input id=\"why\" name=\"%s\" value=\"%s\""
            + " placeholder=\"a file, ns:table, or ns:table family\"> <button>Ask</button></form>\n",
        WHY, name);
  }

  /**
   * The page that answers why something is not cached.
   *
   * @param answer sentences, one a line; then, each after an empty line, tables
   */
  static String why(String name, String answer) {
    Html page = new Html();
    page.add(
        "<header><h1>Terrace</h1><nav><a href=\"/terrace\">Status</a></nav></header>\n<main>"
            + "<section>");
    question(page, name);
    List<String> parts = PART.splitAsStream(answer).toList();
    parts.get(0).lines().forEach(sentence -> page.add("<p>%s</p>\n", sentence));
    for (String table : parts.subList(1, parts.size())) {
      List<List<String>> rows =
          table.lines().map(line -> COLUMN.splitAsStream(line).toList()).toList();
      page.table(rows.get(0), rows.subList(1, rows.size()));
    }
    page.add("</section></main>");
    return Html.page("Terrace: " + name, page);
  }
}
