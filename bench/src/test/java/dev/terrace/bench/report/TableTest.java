// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TableTest {

  private final Table table =
      new Table(
          "Speeds",
          Column.text("cache"),
          Column.of("ops", "ops/s", Unit.COUNT).with(Column.Spread.HALF_RANGE),
          Column.of("share", "share", Unit.SHARE));

  @Test
  void figuresAreWrittenInTheirUnitsWithTheirSpreads() {
    table.row(Look.TERRACE, "Terrace", Summary.of(900, 1000, 1100), 0.5);
    table.row(Look.PEER, "LRU", 10, null);

    assertThat(ResultText.of(table).lines())
        .containsSubsequence(
            "Speeds:",
            "| cache   | ops/s |    ± |  share |",
            "| ------- | -----:| ----:| ------:|",
            "| Terrace | 1,000 | 10 % | 50.0 % |",
            "| LRU     |    10 |    - |      - |");
  }

  @Test
  void columnsWithoutFiguresAreLeftOut() {
    table.row(Look.TERRACE, "Terrace", 1, Double.NaN);
    table.row(Look.TERRACE, "Terrace", Optional.of(2), Optional.empty());

    assertThat(ResultText.of(table)).contains("| cache   | ops/s |").doesNotContain("share");
  }

  @Test
  void whatWasPublishedIsARange() {
    Table published =
        new Table(
            "Ratios",
            Column.text("what"),
            Column.of("times", "times", Unit.TIMES).with(Column.Spread.RANGE));
    published.row(Look.TERRACE, "here", Summary.of(4, 5, 6));
    published.row(Look.PUBLISHED, "published", Summary.of(2, 3));

    assertThat(ResultText.of(published))
        .containsPattern("here +\\| +5.00 × \\| 4.00 × to 6.00 × \\|")
        .containsPattern("published \\| 2.00 × to 3.00 × \\| +- \\|");
  }

  @Test
  void linesAreNoTableToRead() {
    Table lines =
        new Table(
            "Over time",
            Column.text("name"),
            Column.of("x", "x", Unit.NUMBER),
            Column.of("y", "y", Unit.NUMBER));
    lines.row(Look.TERRACE, "Terrace", 1, 2).lines("Over time", "x", "y");

    assertThat(ResultText.of(lines)).isEmpty();
    String svg = Picture.svg(lines, lines.charts().get(0));
    assertThat(svg).startsWith("<svg").contains("Terrace").doesNotContain("NaN");
  }

  @Test
  void aRowHasACellForEachColumn() {
    assertThatThrownBy(() -> table.row(Look.PEER, "LRU")).hasMessage("Speeds: values=1, must be 3");
  }
}
