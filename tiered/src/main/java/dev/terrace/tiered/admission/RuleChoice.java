// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import dev.terrace.api.policy.FrequencySketch;
import dev.terrace.api.policy.TierFill;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the admission rule for all lower tiers together: judged by its own hits, a tier would pay
 * for writes whose hits the tier below serves anyway. Thread-safe.
 */
final class RuleChoice {

  /** Offers between two estimates of the tiers' sizes in blocks; the first come earlier. */
  private static final int LOOK_EVERY = 4096;

  private static final int FIRST_LOOK = 64;

  private final List<? extends TierFill> tiers;
  private final boolean endurance;
  private final int trialKeys;

  /** How often keys left the highest tier recently. */
  final FrequencySketch frequencies = new FrequencySketch();

  private volatile RuleTrial trial;
  private long trialBlocks;
  private long offers;
  private long offeredBytes;

  /** About how many keys left the highest tier, counted each time they left. */
  private long left;

  private volatile OfferFilter.Rule rule = OfferFilter.Rule.SEEN;

  /**
   * Starts with {@link OfferFilter.Rule#SEEN}.
   *
   * @param tiers the lower ones
   * @param endurance whether fewer writes are worth more than hits
   * @param trialKeys see {@link RuleTrial}
   */
  RuleChoice(List<? extends TierFill> tiers, boolean endurance, int trialKeys) {
    this.tiers = List.copyOf(tiers);
    this.endurance = endurance;
    this.trialKeys = trialKeys;
  }

  /** The rule in force. */
  OfferFilter.Rule rule() {
    return rule;
  }

  /** Records an offer to one of the tiers. */
  synchronized void offered(int sizeBytes) {
    offers++;
    offeredBytes += sizeBytes;
    boolean isPowerOfTwo = Long.bitCount(offers) == 1 && offers >= FIRST_LOOK;
    if (isPowerOfTwo || offers % LOOK_EVERY == 0) {
      fit(tiers.stream().mapToLong(this::blocksWhenFull).toArray());
    }
  }

  /**
   * Starts or resizes the trial. It starts before the tiers are full, so that its small tiers fill
   * with them.
   */
  private void fit(long[] blocks) {
    long all = Arrays.stream(blocks).sum();
    if (trial == null || all > 2 * trialBlocks || 2 * all < trialBlocks) {
      trialBlocks = all;
      trial = new RuleTrial(blocks, trialKeys, frequencies, endurance);
    } else {
      trial.resize(blocks);
    }
  }

  /**
   * The number of blocks that a tier holds when full: estimated from its bytes while it has free
   * room, counted otherwise. A tier without room that is recovering or out of service counts as at
   * least half of the estimate.
   */
  private long blocksWhenFull(TierFill tier) {
    double meanBytes = Math.max(1.0, (double) offeredBytes / offers);
    long estimate = (long) (tier.capacityBytes() / meanBytes);
    return Math.max(tier.blockCount(), tier.hasFreeRoom() ? estimate : estimate / 2);
  }

  private boolean isSampled(long keyHash) {
    RuleTrial current = trial;
    return current != null && (keyHash & current.sampleMask()) == 0;
  }

  /** Records a lookup that reached the lower tiers. Takes a lock for sampled keys only. */
  void requested(long keyHash) {
    if (isSampled(keyHash)) {
      rule = trial.requested(keyHash);
    }
  }

  /** Called when a block leaves the highest tier. Takes a lock for few of the keys. */
  void evictedAbove(long keyHash) {
    if (frequencies.add(keyHash, 1)) {
      growFrequencies();
    }
    if (isSampled(keyHash)) {
      trial.leftHighest(keyHash);
    }
  }

  /** Not to more keys than left so far: the estimate is too high if the first blocks are small. */
  private synchronized void growFrequencies() {
    left += FrequencySketch.SAMPLING;
    frequencies.ensureKeys((int) Math.min(Math.min(trialBlocks, left), Integer.MAX_VALUE));
  }

  /** How often a key left the highest tier recently. */
  int frequency(long keyHash) {
    return frequencies.estimate(keyHash);
  }
}
