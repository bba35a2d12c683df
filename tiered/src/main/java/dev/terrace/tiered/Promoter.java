// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.Tier;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjLongConsumer;

/**
 * Copies blocks that were hit in a lower tier to the highest one, as the policy decides. Any thread
 * may call any method.
 *
 * @param <B> the object that readers use
 */
final class Promoter<B> {

  private final Level<B> highest;
  private final List<Level<B>> lower;
  private final Movement.PromotionPolicy policy;
  private final InFlightCopies copies;
  private final ObjLongConsumer<CacheFile> eviction;

  /**
   * A promoter.
   *
   * @param levels of the cache, the highest first
   * @param eviction evicts a block from all tiers, by its file and offset
   */
  Promoter(
      List<Level<B>> levels,
      Movement.PromotionPolicy policy,
      InFlightCopies copies,
      ObjLongConsumer<CacheFile> eviction) {
    this.highest = levels.isEmpty() ? null : levels.get(0);
    this.lower = Movement.below(levels);
    this.policy = policy;
    this.copies = copies;
    this.eviction = eviction;
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
  boolean promote(int from, long keyHash, CacheFile file, long offset, B block, boolean always) {
    if (!always && !policy.promotes(keyHash)) {
      return false;
    }
    Tier<B> source = lower.get(from).tier();
    BlockKey key = new BlockKey(file, offset);
    InFlightCopies.Copy copy = copies.begin(key, false);
    if (copy == null) {
      highest.count(source.name(), file, copies.refusal(key), 0);
      return false;
    }
    MoveOutcome outcome = MoveOutcome.EVICTED;
    int sizeBytes = 0;
    boolean isRight = true;
    try {
      Optional<BlockInfo> info = source.info(file, offset);
      if (info.isPresent()) {
        sizeBytes = info.get().sizeBytes();
        outcome = MoveOutcome.of(highest.tier().promote(file, offset, block, info.get().traits()));
        if (outcome == MoveOutcome.NOT_ADMITTED) {
          // The block would soon have left again.
          lower.forEach(level -> level.admission().evictedAbove(keyHash));
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
      highest.count(source.name(), file, outcome, sizeBytes);
    }
    return outcome == MoveOutcome.MOVED || outcome == MoveOutcome.ALREADY_PRESENT;
  }
}
