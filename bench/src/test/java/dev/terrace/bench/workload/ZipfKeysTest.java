/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class KeyDistributionTest {

  private static final int KEYS = 1000;
  private static final int DRAWS = 200_000;

  @ParameterizedTest
  @EnumSource(KeyDistribution.class)
  void drawsKeysInRangeAndTheSameForTheSameSeed(KeyDistribution distribution) {
    int[] drawn = distribution.draw(KEYS, DRAWS, 3);

    assertThat(drawn).hasSize(DRAWS);
    assertThat(Arrays.stream(drawn).min().orElseThrow()).isNotNegative();
    assertThat(Arrays.stream(drawn).max().orElseThrow()).isLessThan(KEYS);
    assertThat(distribution.draw(KEYS, DRAWS, 3)).isEqualTo(drawn);
    assertThat(distribution.draw(KEYS, DRAWS, 4)).isNotEqualTo(drawn);
  }

  @Test
  void uniformDrawsEveryKeyAboutAsOften() {
    int[] counts = counts(KeyDistribution.UNIFORM, 3);

    assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(DRAWS / KEYS / 2);
    assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(DRAWS / KEYS * 2);
  }

  @Test
  void zipfHasOnePopularKeyWhichAllSeedsAgreeOn() {
    int[] first = counts(KeyDistribution.ZIPF, 3);
    int[] second = counts(KeyDistribution.ZIPF, 4);
    int popular = indexOfMost(first);

    double weights =
        IntStream.rangeClosed(1, KEYS)
            .mapToDouble(place -> Math.pow(place, -KeyDistribution.ZIPF_EXPONENT))
            .sum();
    double share = 1 / weights;
    assertThat((double) first[popular] / DRAWS).isCloseTo(share, within(0.005));
    assertThat(indexOfMost(second)).isEqualTo(popular);
  }

  @Test
  void zipfsPopularKeysAreStrewnOverTheFiles() {
    int[] counts = counts(KeyDistribution.ZIPF, 3);
    long popularInFirstTenth =
        Arrays.stream(counts).limit(KEYS / 10).filter(count -> count > DRAWS / KEYS).count();
    long popular = Arrays.stream(counts).filter(count -> count > DRAWS / KEYS).count();

    assertThat(popular).isGreaterThan(50);
    assertThat(popularInFirstTenth).isLessThan(popular / 3);
  }

  private static int[] counts(KeyDistribution distribution, long seed) {
    int[] counts = new int[KEYS];
    for (int key : distribution.draw(KEYS, DRAWS, seed)) {
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
