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
package dev.terrace.bench.jmh;

import dev.terrace.bench.workload.KeyDistribution;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/** One thread's lookups, drawn beforehand; after the last one they begin again. */
final class DrawnKeys {

  /** Enough that a thread does not come round to its first lookup soon. */
  private static final int LEAST_DRAWS = 1 << 16;

  private static final int DRAWS_PER_KEY = 4;

  private final BlockCacheKey[] keys;
  private final int[] sequence;
  private final int mask;
  private int next;

  /**
   * Draws.
   *
   * @param keys to draw from
   * @param thread different threads have different sequences
   */
  DrawnKeys(BlockCacheKey[] keys, KeyDistribution distribution, int thread) {
    int draws = Math.max(LEAST_DRAWS, Integer.highestOneBit(2 * DRAWS_PER_KEY * keys.length - 1));
    this.keys = keys;
    this.sequence = distribution.draw(keys.length, draws, thread);
    this.mask = draws - 1;
  }

  /** The next key. */
  BlockCacheKey next() {
    return keys[position()];
  }

  /** The next key's place among all keys. */
  int position() {
    return sequence[next++ & mask];
  }
}
