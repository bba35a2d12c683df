// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import com.samskivert.mustache.Mustache;
import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Result.Headline;
import dev.terrace.bench.report.Result.Target;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hbase.thirdparty.com.google.common.xml.XmlEscapers;

/**
 * Results as one HTML file that loads nothing: no network, no script, no font. {@code page.html} is
 * its template. All values are escaped, so that no text from a file becomes an element.
 */
final class HtmlPage {

  private static final int MOST_HEADLINES = 4;

  private int pictures;

  private HtmlPage() {}

  /** The whole page. */
  static String of(List<Result> results) {
    return Mustache.compiler()
        .withEscaper(XmlEscapers.xmlAttributeEscaper()::escape)
        .emptyStringIsFalse(true)
        .withLoader(HtmlPage::resource)
        .compile(resource("page.html"))
        .execute(new HtmlPage().values(results));
  }

  private static Reader resource(String name) {
    return new InputStreamReader(HtmlPage.class.getResourceAsStream(name), StandardCharsets.UTF_8);
  }

  private Map<String, ?> values(List<Result> results) {
    List<Target> all = results.stream().flatMap(result -> result.targets().stream()).toList();
    List<Target> missed = all.stream().filter(target -> !target.met()).toList();
    List<Map<String, ?>> headlines =
        results.stream()
            .flatMap(result -> result.headlines().stream().map(line -> Map.entry(line, result)))
            .sorted(Comparator.comparingInt(entry -> entry.getKey().rank()))
            .limit(MOST_HEADLINES)
            .<Map<String, ?>>map(entry -> headline(entry.getKey(), entry.getValue()))
            .toList();
    return Map.of(
        "headlines", headlines,
        "promises", promises(all.size(), missed.size()),
        "missed", listOf(missed),
        "runs", IntStream.range(0, results.size()).mapToObj(i -> run(i, results.get(i))).toList());
  }

  private static Map<String, ?> headline(Headline line, Result result) {
    return Map.of("line", line, "goal", result.goal(line).stream().toList());
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

  private Map<String, ?> run(int index, Result result) {
    Comparisons comparisons = new Comparisons(result.tables());
    return Map.of(
        "id", "run-" + (index + 1),
        "result", result,
        "command", result.command().orElse("The file does not tell."),
        "verdicts", listOf(result.targets()),
        "tables", result.tables().stream().map(this::table).toList(),
        "comparisons", comparisons.summary().orElse(""),
        "notBetter", listOf(comparisons.notBetter()),
        "machine", ResultText.plain(result.machine()).entrySet(),
        "settings", ResultText.plain(result.settings()).entrySet());
  }

  private Map<String, ?> table(Table table) {
    List<?> charts =
        table.charts().stream()
            .map(chart -> Map.of("title", chart.title(), "pictures", pictures(table, chart)))
            .toList();
    return Map.of(
        "heading",
        table.heading(),
        "charts",
        charts,
        "rows",
        table.isShown() ? List.of(rows(table)) : List.of(),
        "notes",
        table.notes());
  }

  private List<?> pictures(Table table, Table.Chart chart) {
    List<Map<String, ?>> drawn = new ArrayList<>();
    for (Picture picture : Picture.of(table, chart)) {
      drawn.add(Map.of("picture", picture, "svg", picture.svg("picture-" + ++pictures + "-")));
    }
    return drawn;
  }

  private Map<String, ?> rows(Table table) {
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

  /**
   * Compares Terrace with the best of its peers under the same conditions, and lists its losses.
   */
  static final class Comparisons {

    /** A difference of single measurements that is less than this share proves nothing. */
    private static final double NOISE = 0.05;

    private final List<String> notBetter = new ArrayList<>();
    private int all;

    /** Compares in all columns in which more, or less, is better. */
    Comparisons(List<Table> tables) {
      for (Table table : tables) {
        for (Column column : table.columns()) {
          if (column.better() != Column.Better.NEITHER) {
            rivals(table, column).forEach(rows -> compare(table, column, rows));
          }
        }
      }
    }

    /** The rows that are compared with one another. */
    private static Collection<List<Table.Row>> rivals(Table table, Column column) {
      return table.rows().stream()
          .filter(row -> Table.figure(row, column).isPresent())
          .collect(
              Collectors.groupingBy(
                  row -> Map.entry(table.conditions(row), row.place()),
                  LinkedHashMap::new,
                  Collectors.toList()))
          .values();
    }

    private void compare(Table table, Column column, List<Table.Row> rows) {
      Comparator<Table.Row> worstFirst = Comparator.comparing(row -> figure(row, column).median());
      Comparator<Table.Row> order =
          column.better() == Column.Better.MORE ? worstFirst : worstFirst.reversed();
      Optional<Table.Row> best = rows.stream().filter(row -> row.look() == Look.PEER).max(order);
      if (best.isPresent()) {
        rows.stream()
            .filter(row -> row.look() == Look.TERRACE)
            .forEach(row -> compare(table, column, row, best.get(), order));
      }
    }

    private void compare(
        Table table, Column column, Table.Row ours, Table.Row best, Comparator<Table.Row> order) {
      all++;
      Summary figure = figure(ours, column);
      Summary other = figure(best, column);
      boolean isUnclear = isUnclear(column, figure, other);
      if (isUnclear || order.compare(ours, best) <= 0) {
        String conditions = table.conditions(ours);
        notBetter.add(
            String.format(
                Locale.ROOT,
                "%s%s: %s %s, %s %s%s",
                conditions.isEmpty() ? "" : conditions + ", ",
                column.title(),
                table.name(ours),
                column.unit().format(figure.median()),
                table.name(best),
                column.unit().format(other.median()),
                isUnclear ? " (within the spread: no difference to be told)" : ""));
      }
    }

    private static Summary figure(Table.Row row, Column column) {
      return Table.figure(row, column).orElseThrow().figure();
    }

    private static boolean isUnclear(Column column, Summary ours, Summary theirs) {
      if (column.unit() == Unit.EXACT_SHARE) {
        return false;
      }
      if (ours.count() > 1 && theirs.count() > 1) {
        return ours.min() <= theirs.max() && theirs.min() <= ours.max();
      }
      return Math.abs(ours.median() - theirs.median()) < NOISE * Math.abs(theirs.median());
    }

    /** The comparisons in words; empty if there was nothing to compare. */
    Optional<String> summary() {
      String lead = "Where Terrace is not better than the best of the others";
      return all == 0
          ? Optional.empty()
          : Optional.of(
              notBetter.isEmpty()
                  ? lead + ": in none of the " + all + " comparisons of this run."
                  : lead + " (" + notBetter.size() + " of " + all + " comparisons of this run):");
    }

    /** Each of them. */
    List<String> notBetter() {
      return notBetter;
    }
  }
}
