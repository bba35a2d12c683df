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
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomDataGenerator;
import org.apache.commons.math3.random.Well19937c;

/** Lookups of keys after Zipf's law. The popular keys are strewn over the files. */
public final class ZipfKeys {

  public static final double EXPONENT = 0.99;

  /** Fixed, so that all threads of a run, and all runs, agree on which keys are popular. */
  private static final long SCRAMBLE_SEED = 0x7e55ace;

  private ZipfKeys() {}

  /** Draws numbers of keys, from 0; the same seed draws the same ones. */
  public static int[] draw(int keys, int draws, long seed) {
    ZipfDistribution ranks = new ZipfDistribution(new Well19937c(seed), keys, EXPONENT);
    int[] keyOfRank =
        new RandomDataGenerator(new Well19937c(SCRAMBLE_SEED)).nextPermutation(keys, keys);
    int[] drawn = new int[draws];
    Arrays.setAll(drawn, i -> keyOfRank[ranks.sample() - 1]);
    return drawn;
  }
}
