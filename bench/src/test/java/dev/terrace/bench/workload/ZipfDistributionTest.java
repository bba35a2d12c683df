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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ZipfDistributionTest {

  private static final int SAMPLES = 400_000;

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 0.99, 1, 1.2, 3})
  void eachRankIsAsFrequentAsItsProbability(double exponent) {
    int ranks = 20;
    int[] counts = new int[ranks];
    ZipfDistribution zipf = new ZipfDistribution(ranks, exponent);
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < SAMPLES; i++) {
      counts[(int) zipf.sample(random)]++;
    }
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += Math.pow(rank + 1.0, -exponent);
    }
    for (int rank = 0; rank < ranks; rank++) {
      double probability = Math.pow(rank + 1.0, -exponent) / sum;
      double fiveSigma = 5 * Math.sqrt(probability * (1 - probability) / SAMPLES);
      assertThat((double) counts[rank] / SAMPLES)
          .as("rank %d", rank)
          .isCloseTo(probability, within(fiveSigma));
    }
  }

  @Test
  void manyRanksStayInRange() {
    long ranks = 1_000_000_000;
    ZipfDistribution zipf = new ZipfDistribution(ranks, 0.99);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      assertThat(zipf.sample(random)).isBetween(0L, ranks - 1);
    }
  }

  @Test
  void oneRankIsAlwaysDrawn() {
    assertThat(new ZipfDistribution(1, 0.99).sample(new SplittableRandom(7))).isZero();
  }

  @Test
  void sameSeedDrawsTheSameRanks() {
    ZipfDistribution zipf = new ZipfDistribution(1000, 0.99);
    SplittableRandom one = new SplittableRandom(3);
    SplittableRandom other = new SplittableRandom(3);
    for (int i = 0; i < 100; i++) {
      assertThat(zipf.sample(one)).isEqualTo(zipf.sample(other));
    }
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> new ZipfDistribution(0, 1)).hasMessageContaining("ranks=0");
    assertThatThrownBy(() -> new ZipfDistribution(1, Double.NaN)).hasMessageContaining("NaN");
  }
}
