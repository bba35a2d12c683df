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
    "0,0",
    "512,512",
    "1k,1024",
    "64K,65536",
    "128m,134217728",
    "8g,8589934592",
    "2t,2199023255552"
  })
  void readsUnits(String text, long bytes) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "-1", "1.5g", "12x", "99999999999t"})
  void namesWhatIsNoSize(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "0,0 B",
    "1023,1023 B",
    "1024,1 KB",
    "1536,1.5 KB",
    "134217728,128 MB",
    "1610612736,1.5 GB"
  })
  void showsThreeDigitsOrSo(long bytes, String shown) {
    assertThat(new ByteSize(bytes)).hasToString(shown);
  }

  @Test
  void isNeverNegative() {
    assertThatThrownBy(() -> new ByteSize(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
