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
package dev.terrace.bench.demo;

/**
 * Says which row has which rank of popularity: a fixed permutation that spreads the hot rows evenly
 * over the table, and so over its regions and blocks.
 *
 * <p>Rank r is row {@code r * step mod rows}, with a step near {@code rows / golden ratio}: any
 * first few ranks then lie about equally far apart. The step has no divisor in common with the
 * number of rows, so no row comes twice.
 */
final class RowOrder {

  private static final double GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

  private final long rows;
  private final long step;

  /**
   * Orders so many rows.
   *
   * @param rows one to 2^31
   */
  RowOrder(long rows) {
    if (rows < 1 || rows > 1L << 31) {
      throw new IllegalArgumentException("rows=" + rows + " is not within 1 and 2^31");
    }
    this.rows = rows;
    long candidate = Math.max(1, Math.round(rows / GOLDEN_RATIO));
    while (greatestCommonDivisor(candidate, rows) != 1) {
      candidate++;
    }
    this.step = candidate;
  }

  /** Returns the row of a rank, both from 0 up to the number of rows exclusive. */
  long rowOfRank(long rank) {
    return rank * step % rows;
  }

  private static long greatestCommonDivisor(long a, long b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }
}
