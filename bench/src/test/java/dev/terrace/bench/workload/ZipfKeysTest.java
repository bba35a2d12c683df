// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.workload.BlockSet.ZipfKeys;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ZipfKeysTest {

  private static final int KEYS = 1000;
  private static final int DRAWS = 200_000;

  @Test
  void drawsKeysInRangeAndTheSameForTheSameSeed() {
    int[] drawn = ZipfKeys.draw(KEYS, DRAWS, 3);

    assertThat(drawn).hasSize(DRAWS);
    assertThat(Arrays.stream(drawn).min().orElseThrow()).isNotNegative();
    assertThat(Arrays.stream(drawn).max().orElseThrow()).isLessThan(KEYS);
    assertThat(ZipfKeys.draw(KEYS, DRAWS, 3)).isEqualTo(drawn);
    assertThat(ZipfKeys.draw(KEYS, DRAWS, 4)).isNotEqualTo(drawn);
  }

  @Test
  void allSeedsAgreeOnTheMostPopularKey() {
    int[] first = counts(3);
    int[] second = counts(4);
    int popular = indexOfMost(first);

    double weights =
        IntStream.rangeClosed(1, KEYS)
            .mapToDouble(place -> Math.pow(place, -ZipfKeys.EXPONENT))
            .sum();
    double share = 1 / weights;
    assertThat((double) first[popular] / DRAWS).isCloseTo(share, within(0.005));
    assertThat(indexOfMost(second)).isEqualTo(popular);
  }

  @Test
  void popularKeysAreStrewnOverTheFiles() {
    int[] counts = counts(3);
    long popularInFirstTenth =
        Arrays.stream(counts).limit(KEYS / 10).filter(count -> count > DRAWS / KEYS).count();
    long popular = Arrays.stream(counts).filter(count -> count > DRAWS / KEYS).count();

    assertThat(popular).isGreaterThan(50);
    assertThat(popularInFirstTenth).isLessThan(popular / 3);
  }

  private static int[] counts(long seed) {
    int[] counts = new int[KEYS];
    for (int key : ZipfKeys.draw(KEYS, DRAWS, seed)) {
      counts[key]++;
    }
    return counts;
  }

  private static int indexOfMost(int[] counts) {
    int most = 0;
    for (int i = 0; i < counts.length; i++) {
      most = counts[i] > counts[most] ? i : most;
    }
    return most;
  }
}
