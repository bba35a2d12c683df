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
package dev.terrace.hbase.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the list of metrics in docs/monitoring to the table of figures. */
class MonitoringDocsTest {

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  @Test
  void theListHasEachFigure() throws IOException {
    List<String> expected = new ArrayList<>();
    for (Figure<?> figure : Figures.OF_A_TIER) {
      expected.add(row(figure, "`tier`", figure.jmxName()));
    }
    for (Breakdown<?, ?> breakdown : Figures.BREAKDOWNS_OF_A_TIER) {
      expected.add(row(breakdown, "`tier`", breakdown.name()));
    }
    for (Figure<?> figure : Figures.STATES_OF_A_PATH) {
      expected.add(rowOfPath(figure, "state"));
    }
    for (Figure<?> figure : Figures.OF_A_PATH) {
      expected.add(rowOfPath(figure, figure.jmxName()));
    }
    expected.add(row(Figures.MOVED_BYTES, "`from`, `to`", "Moves"));
    expected.add(row(Figures.MOVES, "`from`, `to`", "Moves"));
    for (Figure<?> figure : Figures.OF_WARMING) {
      String kind = figure.kind().name().toLowerCase(Locale.ROOT);
      expected.add(row("warm_" + figure.metricName(), "–", kind, "RegionHeat", figure.help()));
    }
    expected.add(
        row(
            "warm_blocks_total",
            "`outcome`",
            "counter",
            "RegionHeat",
            Figures.WARMED_BLOCKS.help()));

    assertThat(Files.readAllLines(Path.of("..", "docs", "monitoring", "README.md")))
        .filteredOn(line -> line.startsWith("| `terrace_") && line.endsWith(" |"))
        .filteredOn(line -> line.contains("gauge") || line.contains("counter"))
        .containsExactlyElementsOf(expected);
  }

  private static String rowOfPath(Figure<?> figure, String jmxName) {
    String kind = figure.kind().name().toLowerCase(Locale.ROOT);
    return row("path_" + figure.metricName(), "`tier`, `path`", kind, jmxName, figure.help());
  }

  /** Names in the first column of a table that begin like those of the bean. */
  @Test
  void whatToWatchHasNamesOfTheBean() throws IOException {
    Set<String> names =
        new TreeSet<>(Set.of("Moves", "Paths", "troubles", "refusals", "evictions"));
    Figures.OF_A_TIER.forEach(figure -> names.add(figure.jmxName()));
    String operations = Files.readString(Path.of("..", "docs", "operations.md"));
    int start = operations.indexOf("## What to watch\n");
    List<String> watched =
        operations
            .substring(start, operations.indexOf("\n#", start))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .flatMap(line -> NAME.matcher(line.substring(0, line.indexOf(" |"))).results())
            .map(match -> match.group(1))
            .filter(name -> !name.equals("NO_MEMORY"))
            .toList();
    assertThat(watched).hasSizeGreaterThan(8).isSubsetOf(names);
  }

  private static String row(Figure<?> figure, String labels, String jmxName) {
    String kind = figure.kind().name().toLowerCase(Locale.ROOT);
    return row(figure.metricName(), labels, kind, jmxName, figure.help());
  }

  private static String row(Breakdown<?, ?> breakdown, String labels, String jmxName) {
    return row(
        breakdown.name() + "_total",
        labels + ", `" + breakdown.label() + "`",
        "counter",
        jmxName,
        breakdown.help());
  }

  private static String row(String name, String labels, String kind, String jmx, String help) {
    return "| `terrace_"
        + name
        + "` | "
        + labels
        + " | "
        + kind
        + " | `"
        + jmx
        + "` | "
        + help
        + " |";
  }
}
