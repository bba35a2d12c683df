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

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Draws ranks after Zipf's law: rank {@code r}, counted from 0, is drawn with a probability
 * proportional to {@code 1 / (r + 1)^exponent}. Immutable, so threads may share one.
 */
public final class Zipf {

  private final double[] cumulative;

  /**
   * @param ranks how many ranks there are, at least 1
   * @param exponent the skew, at least 0; 0 is uniform
   */
  public Zipf(int ranks, double exponent) {
    if (ranks < 1) {
      throw new IllegalArgumentException("ranks=" + ranks + ", must be at least 1");
    }
    if (!(exponent >= 0)) {
      throw new IllegalArgumentException("exponent=" + exponent + ", must be at least 0");
    }
    cumulative = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += Math.pow(rank + 1.0, -exponent);
      cumulative[rank] = sum;
    }
  }

  /** A rank from 0 to the number of ranks, exclusive. */
  public int draw(SplittableRandom random) {
    double point = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, point);
    // A point that equals a sum belongs to the next rank: rank r owns [sum(r - 1), sum(r)).
    int rank = found >= 0 ? found + 1 : -found - 1;
    return Math.min(rank, cumulative.length - 1);
  }

  /** The share of all draws that go to a rank. */
  public double probability(int rank) {
    double below = rank == 0 ? 0 : cumulative[rank - 1];
    return (cumulative[rank] - below) / cumulative[cumulative.length - 1];
  }
}
