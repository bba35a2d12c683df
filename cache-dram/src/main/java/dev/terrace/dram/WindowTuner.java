// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.policy.MiniatureTrial;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Chooses the window size of a {@link EvictionPolicy}: small where frequency predicts reuse, large
 * where blocks come back soon or never. It compares several sizes in a {@link MiniatureTrial}. Not
 * thread-safe.
 */
final class WindowTuner {

  static final double START = 0.2;

  /**
   * Initial window after a restart: whatever DRAM rejects then is still in a lower tier, so
   * rejecting it costs no miss.
   */
  static final double START_FROM_BELOW = 0.05;

  private static final double[] SHARES = {0.01, 0.05, 0.2, 0.5, 1};

  /** The window gets a new tuner when the number of entries changes by this factor. */
  private static final int RETUNE = 2;

  /** A small cache holds at least this many keys, and at most twice as many. */
  private static final int SHADOW_KEYS = 512;

  /** Accesses between decisions, for each key of a small cache. */
  private static final int EPOCH = 2;

  /** Weight of an epoch relative to the next one. */
  private static final double MEMORY = 0.8;

  /** Delays the first change, as if there had been many epochs before. */
  private static final double PRIOR_EPOCHS = MEMORY / (1 - MEMORY);

  /** Minimum gain in hit ratio for a change of the window. */
  private static final double HYSTERESIS = 0.01;

  private static final class Shadow {

    private final Map<Long, ClockNode> resident = new HashMap<>();
    private final EvictionPolicy policy;

    Shadow(int keys, double windowShare) {
      policy =
          new EvictionPolicy(
              keys, windowShare, node -> false, node -> resident.remove(node.keyHash));
    }

    /** Returns whether the access is a hit; if not, adds the key. */
    boolean access(long hash) {
      ClockNode key = resident.get(hash);
      if (key != null) {
        key.recordHit();
        return true;
      }
      ClockNode added = new ClockNode(hash, 1);
      resident.put(hash, added);
      policy.add(added, false);
      return false;
    }
  }

  private final Shadow[] shadows = new Shadow[SHARES.length];
  private final MiniatureTrial trial;
  private final int keys;
  private final long sampling;
  private int current;

  /** A tuner for about this many entries, with one of {@link #SHARES}. */
  WindowTuner(int keys, double start) {
    this.keys = keys;
    current = Arrays.binarySearch(SHARES, start);
    sampling = MiniatureTrial.sampling(keys, SHADOW_KEYS);
    int shadowKeys = (int) Math.max(2, keys / sampling);
    trial = new MiniatureTrial(SHARES.length, EPOCH * (long) shadowKeys, MEMORY, PRIOR_EPOCHS);
    for (int i = 0; i < shadows.length; i++) {
      shadows[i] = new Shadow(shadowKeys, SHARES[i]);
    }
  }

  /**
   * The tuner that a policy needs before an addition: a new one when the policy is full and its
   * number of entries has changed a lot.
   *
   * @param current null before the first
   * @return the current one or a new one; null until the policy is full
   */
  static WindowTuner fitting(WindowTuner current, EvictionPolicy policy, int addedWeight) {
    int keys = policy.size();
    int tunedFor = current == null ? 0 : current.keys;
    boolean isFull = policy.weight() + addedWeight > policy.maximum();
    boolean fits = keys <= tunedFor * RETUNE && keys * RETUNE >= tunedFor;
    if (!isFull || fits) {
      return current;
    }
    return new WindowTuner(keys, policy.isFilledFromBelow() ? START_FROM_BELOW : START);
  }

  /** A key is in the sample if its hash has none of these bits. */
  long sampleMask() {
    return sampling - 1;
  }

  /**
   * Records an access to a sampled key: a hit or an addition.
   *
   * @return the window's share to use from now on
   */
  double access(long hash) {
    for (int i = 0; i < shadows.length; i++) {
      if (shadows[i].access(hash)) {
        trial.hit(i);
      }
    }
    if (trial.endsEpoch()) {
      current = trial.best(current, HYSTERESIS);
      trial.fade();
    }
    return SHARES[current];
  }
}
