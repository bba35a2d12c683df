// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.report.Column.Look;
import dev.terrace.bench.report.Summary.LatencyNanos;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LatencyNanosTest {

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
  }

  @Test
  void anEmptyHistogramHasNoTimes() {
    assertThat(LatencyNanos.of(LatencyNanos.newHistogram()))
        .isEqualTo(new LatencyNanos(0, 0, 0, 0, 0));
  }

  @Test
  void fillsItsColumns() {
    LatencyNanos latency = new LatencyNanos(10, 31.4, 999.6, 12_345, 2_345_678_000.0);
    Table table = new Table("t", LatencyNanos.columns("get", "get"));

    table.row(Look.TERRACE, latency.cells().toArray());
    assertThat(ResultText.of(table)).contains("|   31 ns | 1.00 µs | 12.3 µs | 2.35 s |");
    table.row(Look.TERRACE, new LatencyNanos(0, 0, 0, 0, 0).cells().toArray());
    assertThat(ResultText.of(table)).contains("|       - |       - |      - |");
  }
}
