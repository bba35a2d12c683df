// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import dev.terrace.api.DemotionTarget.Above;
import dev.terrace.api.policy.FrequencySketch;
import dev.terrace.api.policy.MiniatureTrial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * Compares the admission rules in a {@link MiniatureTrial}. Each rule has small tiers of its own,
 * one for each lower tier and in proportion to it. Thread-safe.
 */
final class RuleTrial {

  /** Minimum number of keys in the small tiers of a rule together; at most twice as many. */
  static final int KEYS = 1024;

  /** The same, where memory matters more. */
  static final int FEW_KEYS = 256;

  private static final int MIN_KEYS = 16;

  /** An epoch has one lookup per this many keys in the small tiers of a rule. */
  private static final int EPOCHS = 8;

  /** Weight of an epoch relative to the next one. */
  private static final double MEMORY = 0.975;

  /** Hit ratio that more writes must gain. */
  private static final double WORTH = 0.01;

  private static final double WORTH_IF_SPARING = 0.05;

  /** Hit ratio that FEW must gain over SEEN, unless endurance is on. */
  private static final double WORTH_OF_FEW = 0.015;

  /** Hit ratio that FREQUENT must gain, so that equal rules do not alternate. */
  private static final double WORTH_OF_FREQUENT = 0.006;

  /** One rule at work. The small tiers hold keys of size 1. */
  private final class Candidate {

    private final OfferFilter.Rule rule;
    private final List<SimulatedLog> tiers = new ArrayList<>();
    private final List<OfferFilter> filters = new ArrayList<>();

    /** Keys that were hit here and have not left the highest tier since. */
    private final Set<Long> above = new HashSet<>();

    Candidate(OfferFilter.Rule rule, int[] keys) {
      this.rule = rule;
      for (int capacity : keys) {
        int level = tiers.size();
        filters.add(new OfferFilter());
        tiers.add(
            new SimulatedLog(
                "small",
                capacity,
                IntUnaryOperator.identity(),
                this::takeFromAbove,
                (hash, size, wasHit) -> evicted(hash, level)));
      }
    }

    /** Called for a key whose turn to leave has come. If it is above, it is dropped here. */
    private Above takeFromAbove(long hash) {
      return above.remove(hash) ? Above.YES : Above.NO;
    }

    void resize(int[] keys) {
      for (int i = 0; i < keys.length; i++) {
        tiers.get(i).resize(keys[i]);
      }
    }

    void requested(long hash) {
      if (tiers.stream().anyMatch(tier -> tier.get(hash))) {
        above.add(hash);
        trial.hit(rule.ordinal());
      }
    }

    void leftHighest(long hash) {
      above.remove(hash);
      offer(hash, 0);
    }

    private void evicted(long hash, int level) {
      filters.get(level).evicted(frequencies.estimate(hash));
      offer(hash, level + 1);
    }

    /** Offers a key to the tiers from a level on, unless one of them holds it. */
    private void offer(long hash, int from) {
      if (tiers.stream().skip(from).anyMatch(tier -> tier.contains(hash))) {
        return;
      }
      for (int i = from; i < tiers.size(); i++) {
        SimulatedLog tier = tiers.get(i);
        OfferFilter.Rule inForce = tier.hasFreeRoom() ? OfferFilter.Rule.ALL : rule;
        int frequency = frequencies.estimate(hash);
        if (filters.get(i).admits(hash, inForce, frequency, tier.capacityBytes())) {
          boolean unused = tier.put(hash, 1);
          return;
        }
      }
    }
  }

  private final Map<OfferFilter.Rule, Candidate> candidates = new EnumMap<>(OfferFilter.Rule.class);
  private final MiniatureTrial trial;
  private final FrequencySketch frequencies;
  private final boolean sparesWrites;
  private final long sampling;
  private OfferFilter.Rule rule = OfferFilter.Rule.SEEN;

  /**
   * A trial.
   *
   * @param blocks how many each tier holds, the highest first
   * @param minKeys minimum number of keys in the small tiers of a rule together
   * @param frequencies how often keys left the tier above recently
   * @param sparesWrites whether the rule that writes least is the incumbent
   */
  RuleTrial(long[] blocks, int minKeys, FrequencySketch frequencies, boolean sparesWrites) {
    this.frequencies = frequencies;
    this.sparesWrites = sparesWrites;
    this.sampling = MiniatureTrial.sampling(Arrays.stream(blocks).sum(), minKeys);
    int[] keys = keys(blocks);
    long epochLookups = Math.max(1, Arrays.stream(keys).sum() / EPOCHS);
    this.trial = new MiniatureTrial(OfferFilter.Rule.values().length, epochLookups, MEMORY, 0);
    for (OfferFilter.Rule each : OfferFilter.Rule.values()) {
      candidates.put(each, new Candidate(each, keys));
    }
  }

  private int[] keys(long[] blocks) {
    return Arrays.stream(blocks).mapToInt(this::keys).toArray();
  }

  private int keys(long blocks) {
    return (int) Math.max(MIN_KEYS, blocks / sampling);
  }

  /**
   * Changes the capacity of the small tiers. The comparison depends on it: a loop that just fits
   * always hits, one that just does not fit never does.
   *
   * @param blocks see the constructor
   */
  synchronized void resize(long[] blocks) {
    int[] keys = keys(blocks);
    candidates.values().forEach(candidate -> candidate.resize(keys));
  }

  /** A key is in the sample if its hash has none of these bits. */
  long sampleMask() {
    return sampling - 1;
  }

  /**
   * Records a lookup of a sampled key.
   *
   * @return the rule to use from now on
   */
  synchronized OfferFilter.Rule requested(long hash) {
    candidates.values().forEach(candidate -> candidate.requested(hash));
    if (trial.endsEpoch()) {
      decide();
      trial.fade();
    }
    return rule;
  }

  /** Called when a sampled key leaves the highest tier. */
  synchronized void leftHighest(long hash) {
    candidates.values().forEach(candidate -> candidate.leftHighest(hash));
  }

  private void decide() {
    double worth = sparesWrites ? WORTH_IF_SPARING : WORTH;
    double worthOfFew = sparesWrites ? -worth : WORTH_OF_FEW;
    boolean isFewEnough = beats(OfferFilter.Rule.FEW, OfferFilter.Rule.SEEN, worthOfFew);
    rule = isFewEnough ? OfferFilter.Rule.FEW : OfferFilter.Rule.SEEN;
    double worthOfFrequent = isFewEnough && sparesWrites ? worth : WORTH_OF_FREQUENT;
    if (beats(OfferFilter.Rule.FREQUENT, rule, worthOfFrequent)) {
      rule = OfferFilter.Rule.FREQUENT;
    }
    if (beats(OfferFilter.Rule.ALL, rule, worth)) {
      rule = OfferFilter.Rule.ALL;
    }
  }

  private boolean beats(OfferFilter.Rule challenger, OfferFilter.Rule incumbent, double margin) {
    return trial.beats(challenger.ordinal(), incumbent.ordinal(), margin);
  }
}
