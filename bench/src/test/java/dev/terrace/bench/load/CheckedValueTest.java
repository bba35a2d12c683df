// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.CheckedTable.CheckedValue;
import dev.terrace.bench.load.CheckedTable.Values;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CheckedValueTest {

  private static final byte[] ROW = bytes("user42");
  private static final byte[] FIELD = bytes("field0");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Optional<String> fault(byte[] row, byte[] field, byte[] value, int expected) {
    return CheckedValue.fault(row, field, value, expected, Values.RANDOM);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 15, 16, 17, 100, 1_000})
  void whatWasWrittenIsRightAtEveryLength(int length) {
    for (Values values : Values.values()) {
      byte[] value = CheckedValue.of(ROW, FIELD, 7, length, values);
      assertThat(value).hasSize(length);
      assertThat(CheckedValue.fault(ROW, FIELD, value, length, values)).isEmpty();
    }
  }

  /**
   * As a tier compresses them: {@code bench cases h} needs some that shrink, and some that do not.
   */
  @Test
  void allButRandomBytesShrink() {
    assertThat(deflatedShare(Values.RANDOM)).isGreaterThan(0.95);
    for (Values values : EnumSet.complementOf(EnumSet.of(Values.RANDOM))) {
      assertThat(deflatedShare(values)).as(values.id()).isLessThan(0.5);
    }
  }

  private static double deflatedShare(Values values) {
    ByteBuffer block = ByteBuffer.allocate(60_000);
    for (int row = 0; block.hasRemaining(); row++) {
      block.put(CheckedValue.of(bytes("user" + row), FIELD, row, 1_000, values));
    }
    Deflater deflater = new Deflater();
    deflater.setInput(block.array());
    deflater.finish();
    int bytes = deflater.deflate(new byte[2 * block.capacity()]);
    deflater.end();
    return (double) bytes / block.capacity();
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] value = CheckedValue.of(ROW, FIELD, 7, 101, Values.RANDOM);
    for (int bit = 0; bit < value.length * Byte.SIZE; bit++) {
      byte[] flipped = value.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThat(fault(ROW, FIELD, flipped, 101)).as("bit %d", bit).isPresent();
    }
  }

  @Test
  void theValueOfAnotherRowFieldOrLengthIsWrong() {
    byte[] value = CheckedValue.of(ROW, FIELD, 7, 100, Values.RANDOM);
    assertThat(fault(bytes("user43"), FIELD, value, 100)).isPresent();
    assertThat(fault(ROW, bytes("field1"), value, 100)).isPresent();
    assertThat(fault(ROW, FIELD, value, 99)).contains("100 bytes, should be 99");
    assertThat(fault(bytes("user4"), bytes("2field0"), value, 100)).isPresent();
  }

  @Test
  void twoWritesMixedAreWrong() {
    byte[] first = CheckedValue.of(ROW, FIELD, 7, 100, Values.RANDOM);
    byte[] second = CheckedValue.of(ROW, FIELD, 8, 100, Values.RANDOM);
    System.arraycopy(second, 50, first, 50, 50);
    assertThat(fault(ROW, FIELD, first, 100)).isPresent();
  }
}
