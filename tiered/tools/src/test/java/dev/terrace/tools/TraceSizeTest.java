// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.tools.trace.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceSizeTest {

  private static final int BLOCK_BYTES = 64 << 10;

  private final Trace trace = trace();

  private static Trace trace() {
    Trace.Builder trace = new Trace.Builder();
    for (int block = 0; block < 1_000; block++) {
      trace.add(block, BLOCK_BYTES);
    }
    return trace.build();
  }

  @Test
  void aShareIsOfTheDistinctBlocks() {
    long blocks = TraceSize.parse("5%").bytesOf(trace) / BLOCK_BYTES;

    assertThat(blocks).isEqualTo(trace.distinctBlocks() * 5L / 100);
    assertThat(TraceSize.parse("100%").bytesOf(trace)).isEqualTo(trace.distinctBytes());
    assertThat(TraceSize.parse("0%").bytesOf(trace)).isZero();
  }

  @Test
  void bytesAreRoundedDownToBlocks() {
    assertThat(TraceSize.parse("1m").bytesOf(trace)).isEqualTo(1 << 20);
    assertThat(TraceSize.parse("65537").bytesOf(trace)).isEqualTo(65536);
    assertThat(TraceSize.parse("64").bytesOf(trace)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"much", "101%", "-1%", "5 percent", "%", ""})
  void refusesOtherWords(String text) {
    assertThatThrownBy(() -> TraceSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'" + text + "'", "64m", "0% to 100%");
  }
}
