// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Summary.LatencyNanos;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TableTest {

  private final Table table =
      new Table(
          "Speeds",
          Column.text("cache"),
          Column.of("ops", "ops/s", Unit.COUNT),
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
        new Table("Ratios", Column.text("what"), Column.of("times", "times", Unit.TIMES));
    published.row(Look.TERRACE, "here", Summary.of(4, 5, 6));
    published.row(Look.PUBLISHED, "published", Summary.of(2, 3));

    assertThat(ResultText.of(published))
        .containsPattern("here +\\| +5.00 × \\| 20 % \\|")
        .containsPattern("published \\| 2.00 × to 3.00 × \\| +- \\|");
  }

  @Test
  void takesTheMiddleOrTheMeanOfTheMiddleTwo() {
    assertThat(Summary.of(9, 1, 2)).isEqualTo(new Summary(2, 1, 9, 3));
    assertThat(Summary.of(4, 1, 2, 100)).isEqualTo(new Summary(3, 1, 100, 4));
    assertThatThrownBy(() -> Summary.of(List.of())).hasMessage("no measurements");
  }

  @Test
  void sumsAHistogramUp() {
    Histogram nanos = LatencyNanos.newHistogram();
    for (int i = 1; i <= 10_000; i++) {
      nanos.recordValue(i);
    }

    LatencyNanos latency = LatencyNanos.of(nanos);
    assertThat(latency.count()).isEqualTo(10_000);
    assertThat(latency.p50()).isCloseTo(5_000, within(5.0));
    assertThat(latency.p99()).isCloseTo(9_900, within(10.0));
    assertThat(latency.p999()).isCloseTo(9_990, within(10.0));
    assertThat(latency.max()).isCloseTo(10_000, within(10.0));
    assertThat(LatencyNanos.of(LatencyNanos.newHistogram()))
        .isEqualTo(new LatencyNanos(0, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "NUMBER; 1.234; 1.23",
        "SCALED; 999.6; 1.00 k",
        "SCALED; 17988118; 18.0 M",
        "SHARE; 0.9665; 96.7 %",
        "EXACT_SHARE; 0.44824; 44.82 %",
        "TIMES; 1.234; 1.23 ×",
        "FEW_BYTES; 0.04; 0.0",
        "NANOS; 12345; 12.3 µs",
        "MILLIS; 0.26; 0.30 ms",
        "SECONDS; 6.4; 6.40 s"
      })
  void threeDigitsCount(Unit unit, double figure, String text) {
    assertThat(unit.format(figure)).isEqualTo(text);
  }
}
