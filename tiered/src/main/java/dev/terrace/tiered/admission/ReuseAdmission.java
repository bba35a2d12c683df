// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import dev.terrace.api.Source;
import dev.terrace.api.policy.TierFill;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Admits a block to a tier if it was offered before, not long ago: a block that leaves the tier
 * above twice was read again in between. While the tier has free room it takes everything, and
 * while it has {@linkplain TierFill#hasRoom room} what is put ahead of reads. {@link RuleChoice}
 * selects another rule where this evidence comes too late or is too common. Copies for safekeeping
 * and rewritten blocks need no evidence and give none. The {@link WriteBudget} limits all but the
 * last copies before a stop. Thread-safe.
 */
public final class ReuseAdmission implements AdmissionPolicy {

  private final TierFill tier;
  private final RuleChoice choice;
  private final boolean isNext;
  private final WriteBudget budget;
  private final OfferFilter filter = new OfferFilter();

  /**
   * A policy for a tier.
   *
   * @param choice of all lower tiers
   * @param isNext whether this is the tier below the highest one
   * @param budget what may be written; null for no limit
   */
  ReuseAdmission(TierFill tier, RuleChoice choice, boolean isNext, WriteBudget budget) {
    this.tier = tier;
    this.choice = choice;
    this.isNext = isNext;
    this.budget = budget;
  }

  /**
   * Policies for the lower tiers of a cache, by the names of the tiers.
   *
   * @param lower the tiers, the highest first
   * @param endurance whether fewer writes are worth more than hits
   * @param writeLimits bytes per second that may be offered to a tier, by its name
   * @param nanoTime like {@link System#nanoTime}
   */
  public static Map<String, AdmissionPolicy> forTiers(
      List<? extends TierFill> lower,
      boolean endurance,
      Map<String, Long> writeLimits,
      LongSupplier nanoTime) {
    return forTiers(lower, new RuleChoice(lower, endurance, RuleTrial.KEYS), writeLimits, nanoTime);
  }

  /** As {@link #forTiers} without write limits, for simulated tiers, with small trials. */
  public static Map<String, AdmissionPolicy> forSimulation(
      List<? extends TierFill> lower, boolean endurance) {
    RuleChoice choice = new RuleChoice(lower, endurance, RuleTrial.FEW_KEYS);
    return forTiers(lower, choice, Map.of(), () -> 0);
  }

  private static Map<String, AdmissionPolicy> forTiers(
      List<? extends TierFill> lower,
      RuleChoice choice,
      Map<String, Long> writeLimits,
      LongSupplier nanoTime) {
    Map<String, AdmissionPolicy> policies = new HashMap<>();
    for (TierFill tier : lower) {
      Long limit = writeLimits.get(tier.name());
      WriteBudget budget = limit == null ? null : new WriteBudget(limit, nanoTime);
      policies.put(tier.name(), new ReuseAdmission(tier, choice, tier == lower.get(0), budget));
    }
    return policies;
  }

  @Override
  public Verdict offer(long keyHash, int sizeBytes, Source source, boolean isFull) {
    choice.offered(sizeBytes);
    if (source == Source.LAST) {
      return Verdict.ADMIT;
    }
    boolean needsEvidence = source != Source.SAFEKEEPING && source != Source.REWRITTEN;
    if (needsEvidence && !isWorthIt(keyHash, source, isFull)) {
      return Verdict.NOT_ADMITTED;
    }
    return budget == null || budget.take(sizeBytes) ? Verdict.ADMIT : Verdict.OVER_BUDGET;
  }

  private boolean isWorthIt(long keyHash, Source source, boolean isFull) {
    OfferFilter.Rule rule = rule(source, isFull);
    int frequency = choice.frequency(keyHash);
    synchronized (filter) {
      return filter.admits(keyHash, rule, frequency, tier.blockCount());
    }
  }

  private OfferFilter.Rule rule(Source source, boolean isFull) {
    if (!isFull && (source.isAhead() ? tier.hasRoom() : tier.hasFreeRoom())) {
      return OfferFilter.Rule.ALL;
    }
    OfferFilter.Rule rule = choice.rule();
    return source.isAhead() && rule == OfferFilter.Rule.ALL ? OfferFilter.Rule.SEEN : rule;
  }

  @Override
  public void requested(long keyHash) {
    if (isNext) {
      choice.requested(keyHash);
    }
  }

  @Override
  public void evictedAbove(long keyHash) {
    if (isNext) {
      choice.evictedAbove(keyHash);
    }
  }

  @Override
  public void evicted(long keyHash) {
    int frequency = choice.frequency(keyHash);
    synchronized (filter) {
      filter.evicted(frequency);
    }
  }

  /**
   * Limits the bytes that are offered to a tier per second. A burst may take the bytes of one
   * second, or a few blocks. The limit is checked before a block is copied; the tier itself paces
   * the writes. Thread-safe.
   */
  static final class WriteBudget {

    /** The largest block must pass. */
    private static final long MIN_BURST_BYTES = 4 << 20;

    private final double bytesPerNano;
    private final double burstBytes;
    private final LongSupplier nanoTime;
    private double leftBytes;
    private long asOfNanos;

    /**
     * A budget.
     *
     * @param bytesPerSecond the limit, at least 1
     * @param nanoTime like {@link System#nanoTime}
     */
    WriteBudget(long bytesPerSecond, LongSupplier nanoTime) {
      this.bytesPerNano = (double) bytesPerSecond / TimeUnit.SECONDS.toNanos(1);
      this.burstBytes = Math.max(MIN_BURST_BYTES, bytesPerSecond);
      this.nanoTime = nanoTime;
      this.leftBytes = burstBytes;
      this.asOfNanos = nanoTime.getAsLong();
    }

    /** Spends bytes; returns false and spends none if too few are left. */
    synchronized boolean take(int bytes) {
      long now = nanoTime.getAsLong();
      leftBytes = Math.min(burstBytes, leftBytes + (now - asOfNanos) * bytesPerNano);
      asOfNanos = now;
      if (bytes > leftBytes) {
        return false;
      }
      leftBytes -= bytes;
      return true;
    }
  }
}
