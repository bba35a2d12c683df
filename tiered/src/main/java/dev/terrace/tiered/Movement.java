// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.DemotionTarget.Above;
import dev.terrace.api.Tier;
import dev.terrace.api.policy.TierFill;
import dev.terrace.tiered.admission.AdmissionPolicy;
import dev.terrace.tiered.admission.ReuseAdmission;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * How blocks move between tiers.
 *
 * @param admissions the admission policies by the names of the tiers; a tier without one takes
 *     everything
 * @param promotion decides which blocks are copied up to the highest tier
 * @param carrier runs the demotions, off the threads that evict
 * @param maxInFlightBytes maximum bytes held by blocks that are being demoted from one tier
 */
public record Movement(
    Map<String, AdmissionPolicy> admissions,
    PromotionPolicy promotion,
    Executor carrier,
    long maxInFlightBytes) {

  /**
   * Decides whether a block that was hit in a lower tier is copied to the highest one. Thread-safe;
   * quick; never blocks.
   */
  public interface PromotionPolicy {

    /**
     * Decides after a hit below.
     *
     * @param keyHash of the block's key, see {@link dev.terrace.api.BlockKey#hash}
     */
    boolean promotes(long keyHash);

    /** Called when a block leaves a tier that has one below. */
    default void touched(long keyHash) {}
  }

  /** A tier this many times larger than the highest keeps copies of the highest tier's blocks. */
  private static final long MUCH_LARGER = 8;

  /**
   * The default movement: blocks go up at their second touch, and down if they have come back
   * before or there is free room.
   *
   * @param tiers the highest first
   * @param endurance whether fewer writes to the lower tiers are worth more than hits
   * @param writeLimits bytes per second that may be offered to a tier, by its name
   * @param nanoTime like {@link System#nanoTime}
   */
  public static <B> Movement standard(
      List<? extends Tier<B>> tiers,
      boolean endurance,
      Map<String, Long> writeLimits,
      LongSupplier nanoTime,
      Executor carrier,
      long maxInFlightBytes) {
    List<? extends Tier<B>> lower = below(tiers);
    return new Movement(
        ReuseAdmission.forTiers(lower, endurance, writeLimits, nanoTime),
        new SecondTouch(lower),
        carrier,
        maxInFlightBytes);
  }

  /**
   * Whether a tier above has a block, and whether the copy below is worth keeping.
   *
   * @param tiers the highest first; the last one has the copy
   * @param holds whether a tier has the block
   */
  public static <T extends TierFill> Above above(List<T> tiers, Predicate<T> holds) {
    int last = tiers.size() - 1;
    for (int i = last - 1; i >= 0; i--) {
      if (holds.test(tiers.get(i))) {
        return i == 0 && keepsCopies(tiers.get(last), tiers.get(0)) ? Above.VOLATILE : Above.YES;
      }
    }
    return Above.NO;
  }

  /** All but the highest. */
  static <T> List<T> below(List<T> tiers) {
    return tiers.subList(Math.min(1, tiers.size()), tiers.size());
  }

  /** Whether a tier has room to keep copies of the highest tier's blocks. */
  static boolean keepsCopies(TierFill tier, TierFill highest) {
    return tier.capacityBytes() >= MUCH_LARGER * highest.capacityBytes();
  }

  AdmissionPolicy admission(String tier) {
    return admissions.getOrDefault(tier, AdmissionPolicy.everything());
  }
}
