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

import java.util.HashMap;
import java.util.Map;

/**
 * Finds out how large the window of a {@link ClockTinyLfu} should be: small where blocks come back
 * by their frequency, large where they come back soon or never.
 *
 * <p>It runs several small caches, each with another window, on a sample of the keys (Waldspurger,
 * Saemundsson, Ahmad, Park, "Cache Modeling and Optimization using Miniature Simulations", 2017),
 * and takes the window of the one that did best lately. The small caches hold no blocks. Not
 * thread-safe.
 */
final class WindowTuner {

  static final double START = 0.2;

  private static final double[] SHARES = {0.01, 0.05, 0.2, 0.5, 1};

  /** A small cache holds about so many keys, or up to twice as many. */
  private static final int SHADOW_KEYS = 512;

  /** A decision is made after so many accesses for each key of a small cache. */
  private static final int EPOCH = 2;

  /** What a hit of the epoch before counts. */
  private static final double MEMORY = 0.8;

  /** Another window must get so much more of the accesses. */
  private static final double HYSTERESIS = 0.01;

  /** A cache that holds no blocks. */
  private static final class Shadow {

    private static final class Key extends ClockNode {
      Key(long hash) {
        super(hash, 1);
      }
    }

    private final Map<Long, Key> resident = new HashMap<>();
    private final ClockTinyLfu policy;
    private double hits;

    Shadow(int keys, double windowShare) {
      policy = new ClockTinyLfu(keys, windowShare, node -> resident.remove(node.keyHash));
    }

    void access(long hash) {
      Key key = resident.get(hash);
      if (key != null) {
        key.noteHit();
        hits++;
        return;
      }
      Key added = new Key(hash);
      resident.put(hash, added);
      policy.add(added);
    }
  }

  private final Shadow[] shadows = new Shadow[SHARES.length];
  private final long sampleMask;
  private final long epochAccesses;
  private long accesses;
  private int current = 2;

  /**
   * A tuner.
   *
   * @param keys about how many entries the policy holds
   */
  WindowTuner(int keys) {
    int sampling = Integer.highestOneBit(Math.max(1, keys / SHADOW_KEYS));
    int shadowKeys = Math.max(2, keys / sampling);
    sampleMask = sampling - 1L;
    epochAccesses = EPOCH * (long) shadowKeys;
    for (int i = 0; i < shadows.length; i++) {
      shadows[i] = new Shadow(shadowKeys, SHARES[i]);
    }
  }

  /** The bits of a key's hash that are zero if it belongs to the sample. */
  long sampleMask() {
    return sampleMask;
  }

  /**
   * Hears of an access to a key of the sample: a hit, or an addition.
   *
   * @return the window's share to be used from now on
   */
  double access(long hash) {
    for (Shadow shadow : shadows) {
      shadow.access(hash);
    }
    if (++accesses % epochAccesses == 0) {
      decide();
    }
    return SHARES[current];
  }

  private void decide() {
    int best = current;
    for (int i = 0; i < shadows.length; i++) {
      if (shadows[i].hits > shadows[best].hits) {
        best = i;
      }
    }
    double all = epochAccesses / (1 - MEMORY);
    if (shadows[best].hits - shadows[current].hits > HYSTERESIS * all) {
      current = best;
    }
    for (Shadow shadow : shadows) {
      shadow.hits *= MEMORY;
    }
  }
}
