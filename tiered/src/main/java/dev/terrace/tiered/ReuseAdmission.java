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

import dev.terrace.api.AdmissionPolicy;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;

/**
 * Writes a block to a tier when it was offered before, not long ago: a block that leaves the tier
 * above twice was read again in between. While the tier has free room it takes everything. Where
 * that evidence comes too late, or is too common, {@link RuleChoice} says so. What is brought for
 * safekeeping needs no evidence, and is none. In any case no more is taken than the tier's {@link
 * WriteBudget} allows. Thread-safe.
 */
final class ReuseAdmission implements AdmissionPolicy {

  private final Tier<?> tier;
  private final RuleChoice choice;
  private final boolean isNext;
  private final WriteBudget budget;
  private final SeenKeys offered = new SeenKeys();
  private final FrequencyBar bar = new FrequencyBar();
  private long turn;

  /**
   * A policy for a tier.
   *
   * @param choice of all lower tiers
   * @param isNext whether this is the tier below the highest one
   * @param budget what may be written; null for no limit
   */
  ReuseAdmission(Tier<?> tier, RuleChoice choice, boolean isNext, WriteBudget budget) {
    this.tier = tier;
    this.choice = choice;
    this.isNext = isNext;
    this.budget = budget;
  }

  @Override
  public Verdict offer(long keyHash, int sizeBytes, Source source, boolean wasHit) {
    choice.offered(sizeBytes);
    if (source != Source.SAFEKEEPING && !isWorthIt(keyHash, source)) {
      return Verdict.NO_REUSE;
    }
    return budget == null || budget.take(sizeBytes) ? Verdict.ADMIT : Verdict.OVER_BUDGET;
  }

  private boolean isWorthIt(long keyHash, Source source) {
    AdmissionRule rule = choice.rule();
    if (source == Source.AHEAD && rule == AdmissionRule.ALL) {
      rule = AdmissionRule.SEEN;
    }
    boolean hasFreeRoom = tier.hasFreeRoom();
    int frequency = choice.frequency(keyHash);
    synchronized (this) {
      boolean seen = offered.contains(keyHash);
      if (!seen) {
        offered.add(keyHash, tier.blockCount());
      }
      return hasFreeRoom || rule.admits(seen, bar.isBelow(frequency), ++turn);
    }
  }

  @Override
  public void requested(long keyHash) {
    if (isNext) {
      choice.requested(keyHash);
    }
  }

  @Override
  public void leaving(long keyHash) {
    if (isNext) {
      choice.leaving(keyHash);
    }
  }

  @Override
  public void left(long keyHash) {
    int frequency = choice.frequency(keyHash);
    synchronized (this) {
      bar.left(frequency);
    }
  }
}
