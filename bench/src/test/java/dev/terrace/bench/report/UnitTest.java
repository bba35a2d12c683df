// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.report.Column.Unit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnitTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "COUNT; 1234567.8; 1,234,568",
        "NUMBER; 12; 12",
        "NUMBER; 1.234; 1.23",
        "NUMBER; 12.34; 12.3",
        "NUMBER; 0.01234; 0.0123",
        "SCALED; 999.4; 999",
        "SCALED; 999.6; 1.00 k",
        "SCALED; 17988118; 18.0 M",
        "SCALED; 4.1e9; 4.10 G",
        "SHARE; 0.9665; 96.7 %",
        "EXACT_SHARE; 0.44824; 44.82 %",
        "TIMES; 1.234; 1.23 ×",
        "TIMES; 10.04; 10.0 ×",
        "TIMES; 1234; 1,234 ×",
        "FEW_BYTES; 0.04; 0.0",
        "FEW_BYTES; 66000; 66,000",
        "BYTES; 65536; 64 KB",
        "NANOS; 31.4; 31 ns",
        "NANOS; 999.6; 1.00 µs",
        "NANOS; 12345; 12.3 µs",
        "NANOS; 2345678000; 2.35 s",
        "MILLIS; 0.26; 0.30 ms",
        "MILLIS; 1500; 1.50 s",
        "SECONDS; 6.4; 6.40 s"
      })
  void threeDigitsCount(Unit unit, double figure, String text) {
    assertThat(unit.format(figure)).isEqualTo(text);
  }

  @Test
  void textsHaveNoFigures() {
    assertThatThrownBy(() -> Unit.TEXT.format(1)).isInstanceOf(IllegalStateException.class);
  }
}
