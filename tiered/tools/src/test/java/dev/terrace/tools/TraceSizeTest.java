// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.tools.trace.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

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
    long blocks = TraceInput.Size.parse("5%").bytesOf(trace) / BLOCK_BYTES;

    assertThat(blocks).isEqualTo(trace.distinctBlocks() * 5L / 100);
    assertThat(TraceInput.Size.parse("100%").bytesOf(trace)).isEqualTo(trace.distinctBytes());
    assertThat(TraceInput.Size.parse("0%").bytesOf(trace)).isZero();
  }

  @Test
  void bytesAreRoundedDownToBlocks() {
    assertThat(TraceInput.Size.parse("1m").bytesOf(trace)).isEqualTo(1 << 20);
    assertThat(TraceInput.Size.parse("65537").bytesOf(trace)).isEqualTo(65536);
    assertThat(TraceInput.Size.parse("64").bytesOf(trace)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"much", "101%", "-1%", "5 percent", "%", ""})
  void refusesOtherWords(String text) {
    assertThatThrownBy(() -> TraceInput.Size.parse(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContainingAll("'" + text + "'", "64m", "0% to 100%");
  }
}
