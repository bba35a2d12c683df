// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.plan;

import dev.terrace.api.DemotionTarget.Above;
import dev.terrace.api.Source;
import dev.terrace.api.policy.SimulatedTier;
import dev.terrace.dram.SimulatedDram;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.SecondTouch;
import dev.terrace.tiered.TieredCache;
import dev.terrace.tiered.admission.AdmissionPolicy;
import dev.terrace.tiered.admission.ReuseAdmission;
import dev.terrace.tiered.admission.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntBiFunction;

/**
 * Tiers without blocks as one cache. Keys move as blocks do in {@link TieredCache}, by the same
 * policies. Not thread-safe.
 */
final class SimulatedCache {

  private final ToIntBiFunction<String, Integer> storedSize;
  private final List<SimulatedTier<?>> tiers = new ArrayList<>();
  private final Map<String, AdmissionPolicy> admissions;
  private final SecondTouch promotion;

  /**
   * Empty tiers.
   *
   * @param sizes tiers of 0 bytes are left out
   * @param storedSize a block's stored size in a lower tier, by the tier's name and its full size
   * @param endurance whether fewer writes to the lower tiers are worth more than hits
   */
  SimulatedCache(TierSizes sizes, ToIntBiFunction<String, Integer> storedSize, boolean endurance) {
    this.storedSize = storedSize;
    for (String tier : sizes.tiers()) {
      int level = tiers.size();
      long bytes = sizes.bytes(tier);
      SimulatedTier.Evictions evictions =
          (keyHash, sizeBytes, wasHit) -> left(level, keyHash, sizeBytes, wasHit);
      tiers.add(
          tier.equals(TierSizes.DRAM)
              ? new SimulatedDram(bytes, evictions)
              : new SimulatedLog(
                  tier,
                  bytes,
                  sizeBytes -> storedSize.applyAsInt(tier, sizeBytes),
                  keyHash -> above(level, keyHash),
                  evictions));
    }
    List<SimulatedTier<?>> lower = below(0);
    this.admissions = ReuseAdmission.forSimulation(lower, endurance);
    this.promotion = new SecondTouch(lower);
  }

  private List<SimulatedTier<?>> below(int level) {
    return tiers.subList(Math.min(level + 1, tiers.size()), tiers.size());
  }

  /** The highest tier has no admission policy. */
  private AdmissionPolicy admission(SimulatedTier<?> tier) {
    return admissions.getOrDefault(tier.name(), AdmissionPolicy.everything());
  }

  /** Looks a key up, and puts it on a miss; true for a hit. */
  boolean access(long keyHash, int sizeBytes) {
    if (tiers.isEmpty()) {
      return false;
    }
    SimulatedTier<?> highest = tiers.get(0);
    if (highest.get(keyHash)) {
      return true;
    }
    for (SimulatedTier<?> tier : below(0)) {
      admission(tier).requested(keyHash);
      if (tier.get(keyHash)) {
        if (promotion.promotes(keyHash) && !highest.promote(keyHash, sizeBytes)) {
          below(0).forEach(lower -> admission(lower).evictedAbove(keyHash));
        }
        return true;
      }
    }
    if (!highest.put(keyHash, sizeBytes)) {
      putBelow(0, keyHash, sizeBytes, Source.READ);
    }
    return false;
  }

  private void putBelow(int level, long keyHash, int sizeBytes, Source source) {
    for (SimulatedTier<?> tier : below(level)) {
      if (tier.contains(keyHash)
          || (isAdmitted(tier, keyHash, sizeBytes, source) && tier.put(keyHash, sizeBytes))) {
        return;
      }
    }
  }

  private boolean isAdmitted(SimulatedTier<?> tier, long keyHash, int sizeBytes, Source source) {
    int storedBytes = storedSize.applyAsInt(tier.name(), sizeBytes);
    return admission(tier).offer(keyHash, storedBytes, source, false)
        == AdmissionPolicy.Verdict.ADMIT;
  }

  /** Called when a tier evicts a key that no tier above has. */
  private void left(int level, long keyHash, int sizeBytes, boolean wasHit) {
    admission(tiers.get(level)).evicted(keyHash);
    List<SimulatedTier<?>> below = below(level);
    if (below.isEmpty()) {
      return;
    }
    promotion.touched(keyHash);
    below.forEach(tier -> admission(tier).evictedAbove(keyHash));
    for (SimulatedTier<?> tier : below) {
      if (tier.contains(keyHash)) {
        if (wasHit) {
          tier.touch(keyHash);
        }
        return;
      }
    }
    putBelow(level, keyHash, sizeBytes, Source.DEMOTION);
  }

  private Above above(int level, long keyHash) {
    return Movement.above(tiers.subList(0, level + 1), tier -> tier.contains(keyHash));
  }

  long keys() {
    return tiers.stream().mapToLong(SimulatedTier::blockCount).sum();
  }

  /** Whether no tier has room for another key without an eviction. */
  boolean isFull() {
    return tiers.stream().noneMatch(SimulatedTier::hasFreeRoom);
  }

  long ssdBytesWritten() {
    return tiers.stream()
        .filter(tier -> tier.name().equals(TierSizes.SSD))
        .mapToLong(SimulatedTier::bytesWritten)
        .sum();
  }
}
