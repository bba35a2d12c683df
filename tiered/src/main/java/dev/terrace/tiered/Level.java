// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.tiered.admission.AdmissionPolicy;
import dev.terrace.tiered.admission.AdmissionPolicy.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A tier of a cache with its admission policy. All blocks enter by {@link #offer}, except those
 * that are put into, or promoted to, the highest tier. Any thread may call any method.
 *
 * @param <B> the object that readers use
 */
final class Level<B> {

  /**
   * A block that is offered to tiers, one after the other.
   *
   * @param from the name of the tier where the block is, or {@link MoveStats#OUTSIDE}
   * @param copy null if the block comes from outside
   */
  record Offer<B>(String from, Source source, BlockInfo info, B block, InFlightCopies.Copy copy) {

    BlockKey key() {
      return info.key();
    }

    boolean isEvicted() {
      return copy != null && copy.isEvicted();
    }
  }

  private final Tier<B> tier;
  private final AdmissionPolicy admission;
  private final Map<String, MoveStats.Counters> from = new LinkedHashMap<>();

  /**
   * A level without any offers yet.
   *
   * @param above the tiers above
   */
  Level(Tier<B> tier, List<Tier<B>> above, AdmissionPolicy admission) {
    this.tier = tier;
    this.admission = admission;
    above.forEach(each -> countFrom(each.name()));
    countFrom(MoveStats.OUTSIDE);
  }

  private void countFrom(String origin) {
    from.put(origin, new MoveStats.Counters(origin, tier.name()));
  }

  Tier<B> tier() {
    return tier;
  }

  AdmissionPolicy admission() {
    return admission;
  }

  /**
   * Offers a block: puts it if the policy admits it, and counts the outcome.
   *
   * @param maxWaitNanos longest wait for room; 0 for none
   * @return the tier's answer; {@link PutOutcome#NOT_ADMITTED} if the policy does not admit it
   */
  PutOutcome offer(Offer<B> offer, long maxWaitNanos) {
    String file = offer.key().file();
    long offset = offer.key().offset();
    Verdict verdict = Verdict.ADMIT;
    PutOutcome outcome = PutOutcome.ALREADY_PRESENT;
    // For a resident block the policy could refuse, and a second copy would go to the next tier.
    if (!tier.contains(file, offset)) {
      verdict = verdict(offer);
      outcome =
          verdict == Verdict.ADMIT
              ? tier.put(file, offset, offer.block(), offer.info().traits(), maxWaitNanos)
              : PutOutcome.NOT_ADMITTED;
    }
    count(offer, offer.isEvicted() ? MoveOutcome.EVICTED : MoveOutcome.of(verdict, outcome));
    return outcome;
  }

  /** Whether the tier may hold a block, so that it is worth an offer. */
  boolean accepts(BlockInfo block) {
    return tier.accepts(block.key().file(), block.key().offset(), block.sizeBytes());
  }

  /** Asks the policy only about blocks that the tier would take: others must spend no budget. */
  private Verdict verdict(Offer<B> offer) {
    BlockKey key = offer.key();
    int sizeBytes = offer.info().sizeBytes();
    return accepts(offer.info())
        ? admission.offer(
            BlockKey.hash(key.file(), key.offset()), tier.likelyBytes(sizeBytes), offer.source())
        : Verdict.ADMIT;
  }

  /** Counts the outcome of a move to this level. */
  void count(Offer<B> offer, MoveOutcome outcome) {
    count(offer.from(), offer.key().file(), outcome, offer.info().sizeBytes());
  }

  /** Counts the outcome of a move to this level, from a tier or {@link MoveStats#OUTSIDE}. */
  void count(String origin, String file, MoveOutcome outcome, int sizeBytes) {
    from.get(origin).count(file, outcome, sizeBytes);
  }

  void setListener(MoveStats.Listener listener) {
    from.values().forEach(moves -> moves.setListener(listener));
  }

  /** The moves to this level so far, from a tier or {@link MoveStats#OUTSIDE}. */
  MoveStats movesFrom(String origin) {
    return from.get(origin).stats();
  }
}
