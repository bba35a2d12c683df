// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.Tier;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;

/**
 * Copies blocks that were hit in a lower tier to the highest one, as the policy decides. Any thread
 * may call any method.
 *
 * @param <B> the object that readers use
 */
final class Promoter<B> {

  private final Tier<B> highest;
  private final List<Tier<B>> lower;
  private final Movement.PromotionPolicy policy;
  private final InFlightCopies copies;
  private final LongConsumer refused;
  private final ObjLongConsumer<String> eviction;
  private final List<MoveStats.Counters> moves;

  /**
   * A promoter.
   *
   * @param lower the tiers below, the highest first
   * @param refused gets the hash of each key whose block would soon have left again
   * @param eviction evicts a block from all tiers, by its file and offset
   */
  Promoter(
      Tier<B> highest,
      List<Tier<B>> lower,
      Movement.PromotionPolicy policy,
      InFlightCopies copies,
      LongConsumer refused,
      ObjLongConsumer<String> eviction) {
    this.refused = refused;
    this.eviction = eviction;
    this.highest = highest;
    this.lower = List.copyOf(lower);
    this.policy = policy;
    this.copies = copies;
    this.moves =
        lower.stream().map(from -> new MoveStats.Counters(from.name(), highest.name())).toList();
  }

  /**
   * Promotes a block, if the policy agrees or need not be asked. Evicts it from all tiers if it was
   * evicted during the copy, or found damaged after it.
   *
   * <p>One method, too long for C2 to inline it, with all that it calls, into each caller of a
   * lookup: docs/decisions/tried.md, Compiled once.
   *
   * @param from the number of the lower tier that was hit
   * @param always whether to promote it whatever the policy says
   * @return whether the highest tier has it now
   */
  boolean promote(int from, long keyHash, String file, long offset, B block, boolean always) {
    if (!always && !policy.promotes(keyHash)) {
      return false;
    }
    BlockKey key = new BlockKey(file, offset);
    InFlightCopies.Copy copy = copies.begin(key, false);
    if (copy == null) {
      moves.get(from).count(file, copies.refusal(key), 0);
      return false;
    }
    Tier<B> source = lower.get(from);
    MoveOutcome outcome = MoveOutcome.EVICTED;
    int sizeBytes = 0;
    boolean isRight = true;
    try {
      Optional<BlockInfo> info = source.info(file, offset);
      if (info.isPresent()) {
        sizeBytes = info.get().sizeBytes();
        outcome = MoveOutcome.of(highest.promote(file, offset, block, info.get().traits()));
        if (outcome == MoveOutcome.NO_REUSE) {
          refused.accept(keyHash);
        }
        // After the copy: a bit that flipped before it would go unnoticed from now on.
        isRight = outcome != MoveOutcome.MOVED || source.verify(file, offset);
      }
    } finally {
      // Also after a failed copy, which may have stored the block.
      copies.end(copy);
      if (copy.isEvicted() || !isRight) {
        outcome = MoveOutcome.EVICTED;
        eviction.accept(file, offset);
      }
      moves.get(from).count(file, outcome, sizeBytes);
    }
    return outcome == MoveOutcome.MOVED || outcome == MoveOutcome.ALREADY_PRESENT;
  }

  void setListener(MoveStats.Listener listener) {
    moves.forEach(from -> from.setListener(listener));
  }

  /** The promotions from each lower tier so far. */
  List<MoveStats> stats() {
    return moves.stream().map(MoveStats.Counters::stats).toList();
  }
}
