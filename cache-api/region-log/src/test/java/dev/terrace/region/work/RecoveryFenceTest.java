// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveryFenceTest {

  private static final int FILES = 3;
  private static final int OFFSETS = 200;

  private final RecoveryFence fence = new RecoveryFence(2);

  private static String file(int number) {
    return "file-" + number;
  }

  /** A set of all offsets that were evicted is the model. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void keepsOutWhatWasEvictedAndNothingElse(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Set<String> evicted = new HashSet<>();
    for (int round = 0; round < 60; round++) {
      String file = file(random.nextInt(FILES));
      int from = random.nextInt(OFFSETS);
      int to = from + random.nextInt(-2, 12);
      if (random.nextInt(3) == 0) {
        to = from;
        fence.evicted(file, from, from);
      } else {
        fence.evicted(file, from, to);
      }
      for (int offset = from; offset <= to; offset++) {
        evicted.add(file + "@" + offset);
      }
      check(seed, evicted);
    }
  }

  private void check(long seed, Set<String> evicted) {
    for (int f = 0; f < FILES; f++) {
      for (int offset = 0; offset < OFFSETS + 12; offset++) {
        assertThat(fence.keepsOut(file(f), offset))
            .as("seed %d, %s @ %d", seed, file(f), offset)
            .isEqualTo(evicted.contains(file(f) + "@" + offset));
      }
    }
  }

  @Test
  void aFileTakesItsRangesIn() {
    fence.evicted("file", 10, 20);
    fence.evicted("file", 40, 40);
    fence.evicted("file", Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(fence.keepsOut("file", 0)).isTrue();
    assertThat(fence.keepsOut("file", Long.MAX_VALUE)).isTrue();
    assertThat(fence.keepsOut("other", 15)).isFalse();
  }

  @Test
  void manyEvictionsOfOnePlaceAreOneNote() {
    for (int i = 0; i < 4 * RecoveryFence.MOST_RANGES; i++) {
      fence.evicted("file", i % 1000, i % 1000 + 10);
    }
    assertThat(fence.keepsOut("file", 1009)).isTrue();
    assertThat(fence.keepsOut("file", 1010)).as("nothing was forgotten").isFalse();
  }

  @Test
  void rememberedRangesOfOneFileAreAllFound() {
    int most = RecoveryFence.MOST_RANGES;
    for (int i = 0; i < most; i++) {
      fence.evicted("file", 10L * i, 10L * i + 4);
    }
    for (int i = 0; i < most; i++) {
      assertThat(fence.keepsOut("file", 10L * i + 4)).isTrue();
      assertThat(fence.keepsOut("file", 10L * i + 5)).isFalse();
    }
  }

  @Test
  void whatIsTooMuchToRememberKeepsFewOthersOut() {
    for (int i = 0; i < 2 * RecoveryFence.MOST_RANGES; i++) {
      fence.evicted("other" + i, Long.MIN_VALUE, Long.MAX_VALUE);
      fence.evicted("file", 2L * i, 2L * i);
    }
    fence.evicted("range", 10, 20);
    int keptOut = 0;
    for (int i = 0; i < 2 * RecoveryFence.MOST_RANGES; i++) {
      assertThat(fence.keepsOut("other" + i, 5)).isTrue();
      assertThat(fence.keepsOut("file", 2L * i)).isTrue();
      keptOut += fence.keepsOut("file", 2L * i + 1) ? 1 : 0;
    }
    assertThat(fence.keepsOut("range", 15)).isTrue();
    assertThat(keptOut).as("by mistake").isLessThan(10);

    fence.recovered();
    assertThat(fence.isUp()).as("of one device of two").isTrue();
    assertThat(fence.keepsOut("range", 15)).isTrue();
    fence.recovered();
    assertThat(fence.isUp()).isFalse();
    assertThat(fence.keepsOut("range", 15)).isFalse();
  }
}
