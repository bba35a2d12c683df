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

import java.util.SplittableRandom;

/**
 * Draws ranks 0, 1, 2, ... of which rank {@code r} has a probability proportional to {@code (r +
 * 1)^-exponent}.
 *
 * <p>Rejection-inversion after W. Hörmann and G. Derflinger, "Rejection-inversion to generate
 * variates from monotone discrete distributions", ACM TOMACS 6(3), 1996: constant time and no
 * tables, however many ranks there are. Immutable; each thread brings a generator of its own.
 */
public final class ZipfDistribution {

  private final long ranks;
  private final double exponent;
  private final double integralOfFirst;
  private final double integralOfAll;

  /**
   * Describes a distribution.
   *
   * @param ranks how many ranks there are, one or more
   * @param exponent zero for a uniform distribution; near one for what caches usually see
   */
  public ZipfDistribution(long ranks, double exponent) {
    if (ranks < 1 || !(exponent >= 0)) {
      throw new IllegalArgumentException(
          "ranks=" + ranks + " exponent=" + exponent + ": want >= 1 and >= 0");
    }
    this.ranks = ranks;
    this.exponent = exponent;
    this.integralOfFirst = integral(1.5) - 1;
    this.integralOfAll = integral(ranks + 0.5);
  }

  /** Draws a rank, 0 up to the number of ranks exclusive. */
  public long sample(SplittableRandom random) {
    while (true) {
      double area = integralOfAll + random.nextDouble() * (integralOfFirst - integralOfAll);
      long k = Math.max(1, Math.min(ranks, Math.round(inverseOfIntegral(area))));
      if (area >= integral(k + 0.5) - Math.pow((double) k, -exponent)) {
        return k - 1;
      }
    }
  }

  /** The integral of {@code t^-exponent} from 1 to x. */
  private double integral(double x) {
    double power = 1 - exponent;
    return power == 0 ? Math.log(x) : Math.expm1(power * Math.log(x)) / power;
  }

  private double inverseOfIntegral(double area) {
    double power = 1 - exponent;
    // Rounding may carry the argument below -1, where the logarithm has no value.
    return Math.exp(power == 0 ? area : Math.log1p(Math.max(-1, power * area)) / power);
  }
}
