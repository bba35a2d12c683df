// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
