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
import java.util.Locale;
import java.util.SplittableRandom;

/** How lookups spread over the keys. */
public enum KeyDistribution {
  /**
   * Zipf's law with exponent 0.99, scrambled: which keys are the popular ones has nothing to do
   * with their place in the files.
   */
  ZIPF {
    @Override
    public int[] draw(int keys, int draws, long seed) {
      int[] keyOfRank = shuffled(keys);
      ZipfDistribution zipf = new ZipfDistribution(keys, ZIPF_EXPONENT);
      SplittableRandom random = new SplittableRandom(seed);
      int[] drawn = new int[draws];
      for (int i = 0; i < draws; i++) {
        drawn[i] = keyOfRank[(int) zipf.sample(random)];
      }
      return drawn;
    }
  },

  /** Every key is as likely as any other. */
  UNIFORM {
    @Override
    public int[] draw(int keys, int draws, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      int[] drawn = new int[draws];
      for (int i = 0; i < draws; i++) {
        drawn[i] = random.nextInt(keys);
      }
      return drawn;
    }
  };

  /** The skew of {@link #ZIPF}. */
  public static final double ZIPF_EXPONENT = 0.99;

  /** Fixed, so that all threads of a run, and all runs, agree on which keys are popular. */
  private static final long SCRAMBLE_SEED = 0x7e55ace;

  /**
   * Draws keys.
   *
   * @param keys how many keys there are
   * @param draws how many to draw
   * @param seed the same seed draws the same keys
   * @return indexes from 0 to {@code keys}, exclusive
   */
  public abstract int[] draw(int keys, int draws, long seed);

  /** The name on the command line and in tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The distribution with a label; throws IllegalArgumentException naming the known ones. */
  public static KeyDistribution ofLabel(String label) {
    return Arrays.stream(values())
        .filter(distribution -> distribution.label().equalsIgnoreCase(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown distribution '" + label + "'; known are zipf and uniform"));
  }

  private static int[] shuffled(int size) {
    int[] order = new int[size];
    Arrays.setAll(order, i -> i);
    SplittableRandom random = new SplittableRandom(SCRAMBLE_SEED);
    for (int i = size - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[other];
      order[other] = swapped;
    }
    return order;
  }
}
