// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowTunerTest {

  private static final int KEYS = 512;
  private static final int ACCESSES = 60_000;

  /** As of one file's keys, but the same in every process. */
  private static final long FILE = "file".hashCode() * 0x9E3779B97F4A7C15L;

  private static long hash(long key) {
    return BlockKey.hash(FILE ^ key << 16);
  }

  /** Keys that are read a few times within a short while, and never again. */
  private static double afterAShiftingWorkingSet(WindowTuner tuner, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double share = 0;
    for (int i = 0; i < ACCESSES; i++) {
      share = tuner.access(hash(i / 4 + random.nextInt(KEYS * 3 / 4)));
    }
    return share;
  }

  /** Keys that are read again and again between others that are read once. */
  private static double afterPopularKeysInAScan(WindowTuner tuner, long seed) {
    Zipf popular = new Zipf(4 * KEYS, 0.9, seed);
    double share = 0;
    for (int i = 0; i < ACCESSES; i++) {
      long key = i % 2 == 0 ? -1 - popular.next() : 1_000_000 + i;
      share = tuner.access(hash(key));
    }
    return share;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aShiftingWorkingSetWidensTheWindow(long seed) {
    assertThat(afterAShiftingWorkingSet(new WindowTuner(KEYS, WindowTuner.START), seed))
        .isGreaterThanOrEqualTo(0.5);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void popularKeysInAScanNarrowItAgain(long seed) {
    WindowTuner tuner = new WindowTuner(KEYS, WindowTuner.START);
    double wide = afterAShiftingWorkingSet(tuner, seed);
    double narrow = afterPopularKeysInAScan(tuner, seed);
    assertThat(narrow).isLessThan(wide).isLessThanOrEqualTo(WindowTuner.START);
    assertThat(afterAShiftingWorkingSet(tuner, seed)).isGreaterThanOrEqualTo(0.5);
  }

  @Test
  void theWindowStaysWhileNothingTellsTheRulesApart() {
    WindowTuner tuner = new WindowTuner(KEYS, WindowTuner.START);
    for (int i = 0; i < ACCESSES; i++) {
      assertThat(tuner.access(hash(i))).isEqualTo(WindowTuner.START);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 1_000, 1_024, 5_000, 65_536, 1_000_000, Integer.MAX_VALUE})
  void theSampleIsAboutAsLargeForAnyCache(int keys) {
    long sampleMask = new WindowTuner(keys, WindowTuner.START).sampleMask();
    assertThat(Long.bitCount(sampleMask + 1)).as("low bits").isEqualTo(1);
    assertThat(keys / (sampleMask + 1)).isBetween(512L, 1_023L);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 511})
  void ofAFewKeysAllAreSampled(int keys) {
    WindowTuner tuner = new WindowTuner(keys, WindowTuner.START);
    assertThat(tuner.sampleMask()).isZero();
    assertThat(tuner.access(hash(1))).isEqualTo(WindowTuner.START);
  }
}
