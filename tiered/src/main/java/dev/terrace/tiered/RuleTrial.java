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
package dev.terrace.tiered;

import dev.terrace.api.FrequencySketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Compares the rules of admission on a sample of the keys. Each rule has small tiers of its own, as
 * many as there are lower tiers, and as large in proportion. Not thread-safe.
 *
 * <p>After Waldspurger, Saemundsson, Ahmad, Park, "Cache Modeling and Optimization using Miniature
 * Simulations", 2017.
 */
final class RuleTrial {

  /** The small tiers of a rule hold about so many keys together, or up to twice as many. */
  private static final int TRIAL_KEYS = 1024;

  private static final int LEAST_KEYS = 16;

  /** So many epochs pass while there are as many lookups as a rule's small tiers hold keys. */
  private static final int EPOCHS = 8;

  /** What a lookup of the epoch before counts. */
  private static final double MEMORY = 0.975;

  /**
   * A few must get so much more of the lookups than all that were seen, unless writes are spared.
   */
  private static final double WORTH_OF_FEW = 0.015;

  /** The frequent must get so much more, so that rules that are as good do not take turns. */
  private static final double WORTH_OF_FREQUENT = 0.006;

  /** One rule at work. */
  private final class Trial {

    private final AdmissionRule rule;
    private final List<SmallTier> tiers = new ArrayList<>();
    private double hits;

    Trial(AdmissionRule rule, int[] keys) {
      this.rule = rule;
      for (int capacity : keys) {
        tiers.add(new SmallTier(capacity, frequencies));
      }
    }

    void resize(int[] keys) {
      for (int i = 0; i < keys.length; i++) {
        tiers.get(i).capacity(keys[i]);
      }
    }

    void requested(long hash) {
      for (SmallTier tier : tiers) {
        if (tier.requested(hash)) {
          hits++;
          return;
        }
      }
    }

    void leftHighest(long hash) {
      for (SmallTier tier : tiers) {
        if (tier.leftHighest(hash)) {
          return;
        }
      }
      offer(hash, 0);
    }

    private void offer(long hash, int from) {
      for (int i = from; i < tiers.size(); i++) {
        int next = i + 1;
        if (tiers.get(i).offered(hash, rule, left -> offerBelow(left, next))) {
          return;
        }
      }
    }

    private void offerBelow(long hash, int from) {
      if (tiers.stream().skip(from).noneMatch(tier -> tier.holds(hash))) {
        offer(hash, from);
      }
    }
  }

  private final Map<AdmissionRule, Trial> trials = new EnumMap<>(AdmissionRule.class);
  private final FrequencySketch frequencies;
  private final double worth;
  private final boolean sparesWrites;
  private final long sampling;
  private final long epoch;
  private long requests;
  private double remembered;
  private AdmissionRule rule = AdmissionRule.SEEN;

  /**
   * A trial.
   *
   * @param blocks how many each tier holds, the highest first
   * @param frequencies how often keys left the tier above lately
   * @param worth the share of all requests that must become hits for more writes to be worth it
   * @param sparesWrites whether the rule that writes least is the one to be beaten
   */
  RuleTrial(long[] blocks, FrequencySketch frequencies, double worth, boolean sparesWrites) {
    this.frequencies = frequencies;
    this.worth = worth;
    this.sparesWrites = sparesWrites;
    this.sampling = Long.highestOneBit(Math.max(1, Arrays.stream(blocks).sum() / TRIAL_KEYS));
    int[] keys = keys(blocks);
    for (AdmissionRule each : AdmissionRule.values()) {
      trials.put(each, new Trial(each, keys));
    }
    epoch = Math.max(1, Arrays.stream(keys).sum() / EPOCHS);
  }

  private int[] keys(long[] blocks) {
    return Arrays.stream(blocks).mapToInt(this::keys).toArray();
  }

  private int keys(long blocks) {
    return (int) Math.max(LEAST_KEYS, blocks / sampling);
  }

  /**
   * Changes how much the small tiers hold. What they are compared by depends on it: a loop that
   * just fits, or just does not, makes all the difference.
   *
   * @param blocks see the constructor
   */
  void resize(long[] blocks) {
    int[] keys = keys(blocks);
    trials.values().forEach(trial -> trial.resize(keys));
  }

  /** The bits of a key's hash that are zero if it belongs to the sample. */
  long sampleMask() {
    return sampling - 1;
  }

  /**
   * Hears of a lookup of a key of the sample.
   *
   * @return the rule to go by
   */
  AdmissionRule requested(long hash) {
    trials.values().forEach(trial -> trial.requested(hash));
    if (++requests % epoch == 0) {
      decide();
    }
    return rule;
  }

  /** Hears that a key of the sample left the highest tier. */
  void leftHighest(long hash) {
    trials.values().forEach(trial -> trial.leftHighest(hash));
  }

  private void decide() {
    remembered += epoch;
    double few = hitShare(AdmissionRule.FEW);
    double seen = hitShare(AdmissionRule.SEEN);
    boolean isFewEnough = sparesWrites ? few > seen - worth : few > seen + WORTH_OF_FEW;
    rule = isFewEnough ? AdmissionRule.FEW : AdmissionRule.SEEN;
    double worthOfFrequent = isFewEnough && sparesWrites ? worth : WORTH_OF_FREQUENT;
    if (hitShare(AdmissionRule.FREQUENT) > hitShare(rule) + worthOfFrequent) {
      rule = AdmissionRule.FREQUENT;
    }
    if (hitShare(AdmissionRule.ALL) > hitShare(rule) + worth) {
      rule = AdmissionRule.ALL;
    }
    trials.values().forEach(trial -> trial.hits *= MEMORY);
    remembered *= MEMORY;
  }

  private double hitShare(AdmissionRule of) {
    return trials.get(of).hits / remembered;
  }
}
