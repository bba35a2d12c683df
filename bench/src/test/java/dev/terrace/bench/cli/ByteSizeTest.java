// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteSizeTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0 B",
    "1023, 1023, 1023 B",
    "1k, 1024, 1 KB",
    "64K, 65536, 64 KB",
    "1536, 1536, 1.5 KB",
    "128m, 134217728, 128 MB",
    "1610612736, 1610612736, 1.5 GB",
    "8g, 8589934592, 8 GB",
    "2t, 2199023255552, 2 TB"
  })
  void readsUnitsAndShowsThreeDigitsOrSo(String text, long bytes, String shown) {
    assertThat(ByteSize.parse(text)).isEqualTo(new ByteSize(bytes)).hasToString(shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "-1", "1.5g", "12x", "99999999999t"})
  void namesWhatIsNoSize(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void isNeverNegative() {
    assertThatThrownBy(() -> new ByteSize(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
