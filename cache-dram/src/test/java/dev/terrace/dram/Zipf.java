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
package dev.terrace.dram;

import java.util.SplittableRandom;

/**
 * Draws numbers from 0 below a bound, the smaller ones more often: number {@code k} with a
 * probability proportional to {@code 1 / (k + 1)^skew}. By inversion over a table of sums.
 */
final class Zipf {

  private final double[] sums;
  private final SplittableRandom random;

  Zipf(int bound, double skew, long seed) {
    this.sums = new double[bound];
    this.random = new SplittableRandom(seed);
    double sum = 0;
    for (int k = 0; k < bound; k++) {
      sum += 1 / Math.pow(k + 1, skew);
      sums[k] = sum;
    }
  }

  int next() {
    double drawn = random.nextDouble() * sums[sums.length - 1];
    int low = 0;
    int high = sums.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sums[middle] > drawn) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
