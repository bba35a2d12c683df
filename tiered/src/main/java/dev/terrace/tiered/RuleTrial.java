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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * Compares the rules of admission on a sample of the keys. Each rule runs a small cache without
 * blocks that works as a region log does: what comes in first leaves first, unless it was hit. Not
 * thread-safe.
 *
 * <p>After Waldspurger, Saemundsson, Ahmad, Park, "Cache Modeling and Optimization using Miniature
 * Simulations", 2017.
 */
final class RuleTrial {

  /** A small cache holds about so many keys, or up to twice as many. */
  private static final int TRIAL_KEYS = 1024;

  /** So many epochs pass while there are as many lookups as a small cache holds keys. */
  private static final int EPOCHS = 8;

  /** What a lookup of the epoch before counts. */
  private static final double MEMORY = 0.975;

  /**
   * A few must get so much more of the lookups than all that were seen, unless writes are spared.
   */
  private static final double WORTH_OF_FEW = 0.02;

  /** The frequent must get so much more, so that rules that are as good do not take turns. */
  private static final double WORTH_OF_FREQUENT = 0.003;

  /** So many keys that were hit get another round before one of them leaves all the same. */
  private static final int MOST_RENEWED = 9;

  private static final int MOST_HITS = 3;

  /** One rule at work. */
  private final class Trial {

    private final AdmissionRule rule;
    private final int capacity;
    private final Map<Long, Integer> hitsOfResident = new HashMap<>();
    private final Deque<Long> oldestFirst = new ArrayDeque<>();
    private final SeenKeys offered = new SeenKeys();
    private final FrequencyBar bar = new FrequencyBar();
    private long offers;
    private double hits;

    Trial(AdmissionRule rule, int capacity) {
      this.rule = rule;
      this.capacity = capacity;
    }

    void requested(long hash) {
      if (hitsOfResident.computeIfPresent(hash, (key, count) -> Math.min(MOST_HITS, count + 1))
          != null) {
        hits++;
      }
    }

    void offered(long hash) {
      if (hitsOfResident.containsKey(hash)) {
        return;
      }
      boolean seen = offered.contains(hash);
      if (!seen) {
        offered.add(hash, capacity);
      }
      if (hitsOfResident.size() >= capacity) {
        boolean frequent = bar.isBelow(frequencies.estimate(hash));
        if (!rule.admits(seen, frequent, ++offers)) {
          return;
        }
        makeRoom();
      }
      hitsOfResident.put(hash, 0);
      oldestFirst.addLast(hash);
    }

    private void makeRoom() {
      for (int step = 0; ; step++) {
        long oldest = oldestFirst.removeFirst();
        int count = hitsOfResident.get(oldest);
        if (count == 0 || step >= MOST_RENEWED) {
          hitsOfResident.remove(oldest);
          bar.left(frequencies.estimate(oldest));
          return;
        }
        hitsOfResident.put(oldest, count - 1);
        oldestFirst.addLast(oldest);
      }
    }
  }

  private final Map<AdmissionRule, Trial> trials = new EnumMap<>(AdmissionRule.class);
  private final FrequencySketch frequencies;
  private final double worth;
  private final boolean sparesWrites;
  private final long sampleMask;
  private final long epoch;
  private long requests;
  private double remembered;
  private AdmissionRule rule = AdmissionRule.SEEN;

  /**
   * A trial.
   *
   * @param blocks how many the tiers hold
   * @param frequencies how often keys left the tier above lately
   * @param worth the share of all requests that must become hits for more writes to be worth it
   * @param sparesWrites whether the rule that writes least is the one to be beaten
   */
  RuleTrial(long blocks, FrequencySketch frequencies, double worth, boolean sparesWrites) {
    this.frequencies = frequencies;
    this.worth = worth;
    this.sparesWrites = sparesWrites;
    long sampling = Long.highestOneBit(Math.max(1, blocks / TRIAL_KEYS));
    int keys = (int) Math.max(16, blocks / sampling);
    for (AdmissionRule each : AdmissionRule.values()) {
      trials.put(each, new Trial(each, keys));
    }
    sampleMask = sampling - 1;
    epoch = Math.max(1, keys / EPOCHS);
  }

  /** The bits of a key's hash that are zero if it belongs to the sample. */
  long sampleMask() {
    return sampleMask;
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

  /** Hears that a key of the sample left the tier above. */
  void offered(long hash) {
    trials.values().forEach(trial -> trial.offered(hash));
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
