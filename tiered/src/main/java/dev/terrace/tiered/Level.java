// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.tiered.admission.AdmissionPolicy;
import dev.terrace.tiered.admission.AdmissionPolicy.Verdict;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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
  private final Map<String, MoveStats.Counters> from = new ConcurrentHashMap<>();
  private volatile MoveStats.Listener listener = (origin, target, file, outcome) -> {};

  Level(Tier<B> tier, AdmissionPolicy admission) {
    this.tier = tier;
    this.admission = admission;
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
    CacheFile file = offer.key().file();
    long offset = offer.key().offset();
    Verdict verdict = verdict(offer);
    PutOutcome outcome = PutOutcome.NOT_ADMITTED;
    if (verdict == Verdict.ADMIT) {
      outcome = tier.put(file, offset, offer.block(), offer.info().traits(), maxWaitNanos);
    } else if (tier.contains(file, offset)) {
      // Else a second copy would go to the next tier.
      outcome = PutOutcome.ALREADY_PRESENT;
    }
    boolean isOverBudget = verdict == Verdict.OVER_BUDGET && !outcome.isPresent();
    MoveOutcome move = isOverBudget ? MoveOutcome.OVER_BUDGET : MoveOutcome.of(outcome);
    count(offer, offer.isEvicted() ? MoveOutcome.EVICTED : move);
    return outcome;
  }

  /** Whether the tier may hold a block, so that it is worth an offer. */
  boolean accepts(BlockInfo block) {
    return tier.accepts(block.key().file(), block.key().offset(), block.sizeBytes());
  }

  /** Whether a block would take the place of another one of its quota. */
  boolean isFull(BlockInfo block) {
    return tier.isFull(block.key().file(), block.sizeBytes());
  }

  /** Asks the policy only about blocks that the tier would take: others must spend no budget. */
  private Verdict verdict(Offer<B> offer) {
    BlockKey key = offer.key();
    int sizeBytes = offer.info().sizeBytes();
    return accepts(offer.info())
        ? admission.offer(
            BlockKey.hash(key.file(), key.offset()),
            tier.estimatedStoredBytes(sizeBytes),
            offer.source(),
            isFull(offer.info()))
        : Verdict.ADMIT;
  }

  /** Counts the outcome of a move to this level. */
  void count(Offer<B> offer, MoveOutcome outcome) {
    count(offer.from(), offer.key().file(), outcome, offer.info().sizeBytes());
  }

  /** Counts the outcome of a move to this level, from a tier or {@link MoveStats#OUTSIDE}. */
  void count(String origin, CacheFile file, MoveOutcome outcome, int sizeBytes) {
    movesOf(origin).count(outcome, sizeBytes);
    listener.moved(origin, tier.name(), file, outcome);
  }

  private MoveStats.Counters movesOf(String origin) {
    // Only the first move takes a lock of the map.
    MoveStats.Counters moves = from.get(origin);
    return moves != null ? moves : from.computeIfAbsent(origin, first -> new MoveStats.Counters());
  }

  void setListener(MoveStats.Listener receiver) {
    listener = receiver;
  }

  /** The moves to this level so far, from a tier or {@link MoveStats#OUTSIDE}. */
  MoveStats movesFrom(String origin) {
    return movesOf(origin).stats(origin, tier.name());
  }
}
