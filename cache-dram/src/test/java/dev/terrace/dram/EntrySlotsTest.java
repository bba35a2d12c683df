// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntrySlotsTest {

  private static final int BLOCKS = 4096;
  private static final int SLOTS = 4 * BLOCKS;
  private static final int PROCESSES = 500;
  private static final int MIN_BLOCK_BYTES = 64 << 10;

  /** The hash of a client who knows no secret, and chooses where its blocks start. */
  private static long guessedHash(long offset) {
    return offset * 0x9E3779B97F4A7C15L;
  }

  private static int slot(long hash) {
    return (int) (hash >>> 32) & (SLOTS - 1);
  }

  private static long[] offsetsOfOneSlot() {
    long[] offsets = new long[BLOCKS];
    long offset = 0;
    for (int i = 0; i < BLOCKS; i++) {
      while (slot(guessedHash(offset)) != 0) {
        offset++;
      }
      offsets[i] = offset;
      offset += MIN_BLOCK_BYTES;
    }
    return offsets;
  }

  private static int maxInOneSlot(long[] offsets, LongUnaryOperator hash) {
    int[] counts = new int[SLOTS];
    int most = 0;
    for (long offset : offsets) {
      most = Math.max(most, ++counts[slot(hash.applyAsLong(offset))]);
    }
    return most;
  }

  /** The hash of another process each time. */
  private static LongUnaryOperator anyHash(SplittableRandom random) {
    long firstFactor = random.nextLong() | 1;
    long secondFactor = random.nextLong() | 1;
    return offset -> EntrySlots.hash(offset, firstFactor, secondFactor);
  }

  @Test
  void offsetsThatAreChosenToCollideDoNot() {
    long[] offsets = offsetsOfOneSlot();
    assertThat(maxInOneSlot(offsets, EntrySlotsTest::guessedHash)).isEqualTo(BLOCKS);
    SplittableRandom random = new SplittableRandom(1);
    for (int process = 0; process < PROCESSES; process++) {
      assertThat(maxInOneSlot(offsets, anyHash(random))).isLessThan(16);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4096, MIN_BLOCK_BYTES, MIN_BLOCK_BYTES + 33, 1 << 20})
  void offsetsOfOneStrideSpreadInEachProcess(long stride) {
    long[] offsets = LongStream.range(0, BLOCKS).map(block -> block * stride).toArray();
    SplittableRandom random = new SplittableRandom(stride);
    for (int process = 0; process < PROCESSES; process++) {
      assertThat(maxInOneSlot(offsets, anyHash(random))).isLessThan(16);
    }
  }
}
