// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.status.Figures.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the list of metrics in docs/monitoring to the table of figures. */
class MonitoringDocsTest {

  /** What tells the counters of a family apart. */
  private static final Map<String, String> LABELS =
      Map.of(
          "refusals_total", "reason",
          "evictions_total", "cause",
          "faults_total", "kind",
          "moves_total", "outcome",
          "blocks_total", "outcome");

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  /** A row of the list, but for the meaning. */
  private static final Pattern ROW =
      Pattern.compile("(\\| `terrace_[^|]*\\|[^|]*\\| (?:gauge|counter) \\|) \\S.* \\|");

  @Test
  void theListHasEachFigure() throws IOException {
    Set<String> expected = new LinkedHashSet<>();
    Figures.OF_A_TIER.forEach(figure -> expected.add(row("", figure, "`tier`")));
    Figures.OF_A_PATH.forEach(figure -> expected.add(row("path_", figure, "`tier`, `path`")));
    Figures.OF_A_WAY.forEach(figure -> expected.add(row("", figure, "`from`, `to`")));
    Figures.OF_WARMING.forEach(figure -> expected.add(row("warm_", figure, "")));

    assertThat(Files.readAllLines(Path.of("..", "docs", "monitoring", "README.md")))
        .map(ROW::matcher)
        .filteredOn(Matcher::matches)
        .map(row -> row.group(1))
        .containsExactlyElementsOf(expected);
  }

  /** Those of a family are one. */
  private static String row(String prefix, Figure<?> figure, String labels) {
    String label = LABELS.get(figure.family());
    String own = label == null ? "" : "`" + label + "`";
    String all = labels + (labels.isEmpty() || own.isEmpty() ? "" : ", ") + own;
    return String.format(
        Locale.ROOT,
        "| `terrace_%s%s` | %s | %s |",
        prefix,
        figure.family(),
        all.isEmpty() ? "–" : all,
        figure.family().endsWith(Figure.TOTAL) ? "counter" : "gauge");
  }

  /** Names in the first column of a table that begin like those of figures. */
  @Test
  void whatToWatchHasNamesOfTheBean() throws IOException {
    Set<String> names = new TreeSet<>(Set.of("Paths"));
    Figures.OF_A_TIER.forEach(figure -> names.add(figure.family()));
    Figures.OF_A_WAY.forEach(figure -> names.add(figure.family()));
    String operations = Files.readString(Path.of("..", "docs", "operations.md"));
    int start = operations.indexOf("## What to watch\n");
    List<String> watched =
        operations
            .substring(start, operations.indexOf("\n#", start))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .flatMap(line -> NAME.matcher(line.substring(0, line.indexOf(" |"))).results())
            .map(match -> match.group(1))
            .toList();
    assertThat(watched).hasSizeGreaterThan(8).isSubsetOf(names);
  }
}
