// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import com.samskivert.mustache.Mustache;
import dev.terrace.bench.report.Result.Target;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hbase.thirdparty.com.google.common.xml.XmlEscapers;

/**
 * Results as one HTML file that loads nothing: no network, no script, no font. {@code page.html} is
 * its template. All values are escaped, so that no text from a file becomes an element.
 */
final class HtmlPage {

  private HtmlPage() {}

  /** The whole page. */
  static String of(List<Result> results) {
    List<Target> all = results.stream().flatMap(result -> result.targets().stream()).toList();
    List<Target> missed = all.stream().filter(target -> !target.met()).toList();
    return fill(
        "page.html",
        Map.of(
            "promises",
            promises(all.size(), missed.size()),
            "missed",
            listOf(missed),
            "runs",
            IntStream.range(0, results.size()).mapToObj(i -> run(i, results.get(i))).toList()));
  }

  /** Fills a template in. */
  static String fill(String template, Map<String, ?> values) {
    return Mustache.compiler()
        .withEscaper(XmlEscapers.xmlAttributeEscaper()::escape)
        .emptyStringIsFalse(true)
        .withLoader(HtmlPage::resource)
        .compile(resource(template))
        .execute(values);
  }

  private static Reader resource(String name) {
    return new InputStreamReader(HtmlPage.class.getResourceAsStream(name), StandardCharsets.UTF_8);
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

  /** A section around some items; nothing if there are none. */
  private static List<?> listOf(List<?> items) {
    return items.isEmpty() ? List.of() : List.of(Map.of("items", items));
  }

  private static Map<String, ?> run(int index, Result result) {
    return Map.of(
        "id", "run-" + (index + 1),
        "result", result,
        "command", result.command().orElse("The file does not tell."),
        "verdicts", listOf(result.targets()),
        "tables", result.tables().stream().map(HtmlPage::table).toList(),
        "machine", ResultText.plain(result.machine()).entrySet(),
        "settings", ResultText.plain(result.settings()).entrySet());
  }

  private static Map<String, ?> table(Table table) {
    return Map.of(
        "heading", table.heading(),
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
