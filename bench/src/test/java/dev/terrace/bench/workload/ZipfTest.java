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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ZipfTest {

  private static final int DRAWS = 400_000;

  @Test
  void drawsEachRankAsOftenAsItsProbability() {
    Zipf zipf = new Zipf(50, 0.99);
    int[] counts = counts(zipf, 50);

    for (int rank = 0; rank < 50; rank++) {
      assertThat((double) counts[rank] / DRAWS).isCloseTo(zipf.probability(rank), within(0.003));
    }
  }

  @Test
  void aRanksProbabilityFallsAsAPowerOfItsPlace() {
    Zipf zipf = new Zipf(1000, 0.99);

    assertThat(zipf.probability(0) / zipf.probability(9))
        .isCloseTo(Math.pow(10, 0.99), within(1e-9));
    assertThat(IntStream.range(0, 1000).mapToDouble(zipf::probability).sum())
        .isCloseTo(1, within(1e-9));
  }

  @Test
  void exponentZeroIsUniform() {
    Zipf zipf = new Zipf(4, 0);

    for (int count : counts(zipf, 4)) {
      assertThat((double) count / DRAWS).isCloseTo(0.25, within(0.005));
    }
  }

  @Test
  void oneRankIsAlwaysDrawn() {
    assertThat(new Zipf(1, 0.99).draw(new SplittableRandom(1))).isZero();
  }

  @Test
  void refusesWhatIsNoDistribution() {
    assertThatThrownBy(() -> new Zipf(0, 1)).hasMessage("ranks=0, must be at least 1");
    assertThatThrownBy(() -> new Zipf(1, -1)).hasMessage("exponent=-1.0, must be at least 0");
    assertThatThrownBy(() -> new Zipf(1, Double.NaN))
        .hasMessage("exponent=NaN, must be at least 0");
  }

  private static int[] counts(Zipf zipf, int ranks) {
    SplittableRandom random = new SplittableRandom(7);
    int[] counts = new int[ranks];
    for (int i = 0; i < DRAWS; i++) {
      counts[zipf.draw(random)]++;
    }
    return counts;
  }
}
