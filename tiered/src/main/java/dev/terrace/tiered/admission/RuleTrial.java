// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import dev.terrace.api.policy.FrequencySketch;
import dev.terrace.api.policy.MiniatureTrial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Compares the admission rules in a {@link MiniatureTrial}. Each rule has small tiers of its own,
 * one for each lower tier and in proportion to it. Not thread-safe.
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

  /** Hit ratio that FEW must gain over SEEN, unless endurance is on. */
  private static final double WORTH_OF_FEW = 0.015;

  /** Hit ratio that FREQUENT must gain, so that equal rules do not alternate. */
  private static final double WORTH_OF_FREQUENT = 0.006;

  /** One rule at work. */
  private final class Candidate {

    private final OfferFilter.Rule rule;
    private final List<SmallTier> tiers = new ArrayList<>();

    Candidate(OfferFilter.Rule rule, int[] keys) {
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
          trial.hit(rule.ordinal());
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

  private final Map<OfferFilter.Rule, Candidate> candidates = new EnumMap<>(OfferFilter.Rule.class);
  private final MiniatureTrial trial;
  private final FrequencySketch frequencies;
  private final double worth;
  private final boolean sparesWrites;
  private final long sampling;
  private OfferFilter.Rule rule = OfferFilter.Rule.SEEN;

  /**
   * A trial.
   *
   * @param blocks how many each tier holds, the highest first
   * @param minKeys minimum number of keys in the small tiers of a rule together
   * @param frequencies how often keys left the tier above recently
   * @param worth gain in hit ratio that justifies more writes
   * @param sparesWrites whether the rule that writes least is the incumbent
   */
  RuleTrial(
      long[] blocks, int minKeys, FrequencySketch frequencies, double worth, boolean sparesWrites) {
    this.frequencies = frequencies;
    this.worth = worth;
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
  void resize(long[] blocks) {
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
  OfferFilter.Rule requested(long hash) {
    candidates.values().forEach(candidate -> candidate.requested(hash));
    if (trial.endsEpoch()) {
      decide();
      trial.fade();
    }
    return rule;
  }

  /** Called when a sampled key leaves the highest tier. */
  void leftHighest(long hash) {
    candidates.values().forEach(candidate -> candidate.leftHighest(hash));
  }

  private void decide() {
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

  /**
   * A small tier of a trial. It holds keys without blocks and works like a region log: first in,
   * first out, unless a key was hit. A key that is hit also counts as in the highest tier until it
   * leaves that tier; if its turn comes before, it is dropped here. Not thread-safe.
   */
  static final class SmallTier {

    /** Maximum number of keys that get another round per eviction. */
    private static final int MAX_RENEWED = 9;

    private static final int MAX_HITS = 3;

    private static final class Resident {
      int hits;
      boolean isAbove;
    }

    private final Map<Long, Resident> oldestFirst = new LinkedHashMap<>();
    private final OfferFilter filter = new OfferFilter();
    private final FrequencySketch frequencies;
    private int capacity;

    /**
     * An empty tier.
     *
     * @param frequencies how often keys left the highest tier recently
     */
    SmallTier(int capacity, FrequencySketch frequencies) {
      this.capacity = capacity;
      this.frequencies = frequencies;
    }

    /** Changes the capacity in keys. The next admission evicts what exceeds it. */
    void capacity(int keys) {
      capacity = keys;
    }

    boolean holds(long hash) {
      return oldestFirst.containsKey(hash);
    }

    /** Records a lookup; returns whether it is a hit. */
    boolean requested(long hash) {
      Resident resident = oldestFirst.get(hash);
      if (resident == null) {
        return false;
      }
      resident.hits = Math.min(MAX_HITS, resident.hits + 1);
      resident.isAbove = true;
      return true;
    }

    /** Called when a key leaves the highest tier; returns whether it is here, too. */
    boolean leftHighest(long hash) {
      Resident resident = oldestFirst.get(hash);
      if (resident == null) {
        return false;
      }
      resident.isAbove = false;
      return true;
    }

    /**
     * Offers an absent key.
     *
     * @param left receives each evicted key, unless a tier above has it
     * @return whether the tier holds it now
     */
    boolean offered(long hash, OfferFilter.Rule rule, LongConsumer left) {
      OfferFilter.Rule inForce = oldestFirst.size() < capacity ? OfferFilter.Rule.ALL : rule;
      if (!filter.admits(hash, inForce, frequencies.estimate(hash), capacity)) {
        return false;
      }
      while (oldestFirst.size() >= capacity) {
        dropOne(left);
      }
      oldestFirst.put(hash, new Resident());
      return true;
    }

    private void dropOne(LongConsumer left) {
      for (int renewed = 0; ; renewed++) {
        long oldest = oldestFirst.keySet().iterator().next();
        Resident resident = oldestFirst.remove(oldest);
        if (resident.isAbove) {
          return;
        }
        if (resident.hits == 0 || renewed == MAX_RENEWED) {
          filter.evicted(frequencies.estimate(oldest));
          left.accept(oldest);
          return;
        }
        resident.hits--;
        oldestFirst.put(oldest, resident);
      }
    }
  }
}
