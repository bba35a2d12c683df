// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.tiered.Level.Offer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Puts blocks from outside into the tiers of a cache, and copies those that were hit in a lower
 * tier to the highest one, as the policy decides. Any thread may call any method.
 *
 * <p>A stored block from outside becomes the only one under its key: the other tiers drop theirs.
 */
final class Puts<B> {

  /*
   * Callers put a key only after a lookup missed it, so copies elsewhere are rare: they arrived
   * between the two, or could not be read. Only I/O could prove that their bytes are the same. An
   * old copy below would be served once the new block leaves its tier, or after a restart. Still, a
   * copy on a device that does not answer, or that callers go around, stays: otherwise half a
   * minute of errors would drop the hottest blocks, and HBase never writes a file's block twice.
   *
   * Two puts of one key may store into two tiers at once. Each stores its block first, and then
   * checks the other tiers. So at least one sees the other's block, and the lower one gives way.
   *
   * Copies in flight are found as an eviction finds them (see InFlightCopies). The put's own
   * eviction of the key reaches the tiers below and all copies in flight.
   */

  /** How long a put may wait for room. */
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BlockCodec<B> codec;
  private final Tier<B> highest;
  private final List<Level<B>> levels;
  private final Movement.PromotionPolicy promotion;
  private final InFlightCopies copies;

  /**
   * Puts into these levels.
   *
   * @param levels of the cache, the highest first
   */
  Puts(
      List<Level<B>> levels,
      BlockCodec<B> codec,
      Movement.PromotionPolicy promotion,
      InFlightCopies copies) {
    this.codec = codec;
    this.highest = levels.isEmpty() ? null : levels.get(0).tier();
    this.levels = levels;
    this.promotion = promotion;
    this.copies = copies;
  }

  /** As {@link TieredCache#put(CacheFile, long, Object, BlockTraits, Source)}. */
  PutOutcome put(CacheFile file, long offset, B block, BlockTraits traits, Source source) {
    Offer<B> offer = fromOutside(file, offset, block, traits, source);
    if (!source.isAhead() || !isFullFor(offer)) {
      return putFromTop(offer);
    }
    // Blocks that were not read yet must not evict blocks that were.
    if (highest.contains(file, offset)) {
      return PutOutcome.ALREADY_PRESENT;
    }
    return putInto(1, offer);
  }

  /** As {@link TieredCache#putRewritten}. */
  PutOutcome putRewritten(CacheFile file, long offset, B block, BlockTraits traits, int fromTier) {
    Offer<B> offer = fromOutside(file, offset, block, traits, Source.REWRITTEN);
    if (fromTier == 0 && !isFullFor(offer)) {
      return putFromTop(offer);
    }
    int from = Math.max(1, fromTier);
    PutOutcome outcome = putInto(from, offer);
    if (outcome == PutOutcome.STORED) {
      // Its inputs were read. Unless one of those reads counts for it, the first reclaim drops it.
      levels.subList(from, levels.size()).forEach(level -> level.tier().touch(file, offset));
    }
    return outcome;
  }

  private Offer<B> fromOutside(
      CacheFile file, long offset, B block, BlockTraits traits, Source source) {
    BlockKey key = new BlockKey(file, offset);
    BlockInfo info = new BlockInfo(key, codec.sizeBytes(block), traits, System.nanoTime());
    return new Offer<>(MoveStats.OUTSIDE, source, info, block, null);
  }

  /** Whether a block that was not read yet would evict others from the highest tier. */
  private boolean isFullFor(Offer<B> offer) {
    boolean competes = offer.info().traits().residency() == BlockTraits.Residency.ORDINARY;
    return competes && levels.size() > 1 && !highest.hasRoom();
  }

  private PutOutcome putFromTop(Offer<B> offer) {
    if (highest == null) {
      return PutOutcome.CLOSED;
    }
    CacheFile file = offer.key().file();
    long offset = offer.key().offset();
    PutOutcome outcome =
        highest.put(file, offset, offer.block(), offer.info().traits(), restNanos(offer));
    if (outcome.isPresent()) {
      return outcome == PutOutcome.STORED ? storedIn(0, offer.key()) : outcome;
    }
    PutOutcome below = putInto(1, offer);
    return below.isPresent() ? below : outcome;
  }

  /** How long an offer may still wait for room. One after a read does not wait. */
  private static long restNanos(Offer<?> offer) {
    long waitUntil = offer.info().putNanos() + MAX_WAIT_NANOS;
    return offer.source() == Source.READ ? 0 : Math.max(0, waitUntil - System.nanoTime());
  }

  /** Offers a block to the tiers from this number on. */
  private PutOutcome putInto(int from, Offer<B> offer) {
    for (int at = from; at < levels.size(); at++) {
      PutOutcome outcome = levels.get(at).offer(offer, restNanos(offer));
      if (outcome.isPresent()) {
        return outcome == PutOutcome.STORED ? storedIn(at, offer.key()) : outcome;
      }
    }
    return PutOutcome.NOT_ADMITTED;
  }

  /** Completes a put that a tier has stored: the block stays, unless a tier above has one. */
  private PutOutcome storedIn(int at, BlockKey key) {
    CacheFile file = key.file();
    long offset = key.offset();
    for (Level<B> above : levels.subList(0, at)) {
      if (above.tier().contains(file, offset)) {
        levels.get(at).tier().evict(file, offset, offset);
        return PutOutcome.ALREADY_PRESENT;
      }
    }
    List<Level<B>> below = levels.subList(at + 1, levels.size());
    if (mayBeElsewhere(below, key)) {
      InFlightCopies.Eviction eviction = copies.beginEviction(file, offset, offset);
      try {
        below.forEach(level -> level.tier().evict(file, offset, offset));
      } finally {
        copies.endEviction(eviction);
      }
    }
    return PutOutcome.STORED;
  }

  /** Whether a tier below holds the key, or a copy of it is in flight. */
  private boolean mayBeElsewhere(List<Level<B>> below, BlockKey key) {
    boolean found = copies.isCopied(key);
    for (int i = 0; i < below.size() && !found; i++) {
      // In this order at each level: a block that has left a tier is in flight, or further below.
      found = below.get(i).tier().mayHold(key.file(), key.offset()) || copies.isCopied(key);
    }
    return found;
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
    if (!always && !promotion.promotes(keyHash)) {
      return false;
    }
    Tier<B> source = levels.get(from + 1).tier();
    BlockKey key = new BlockKey(file, offset);
    InFlightCopies.Copy copy = copies.begin(key, false);
    if (copy == null) {
      levels.get(0).count(source.name(), file, copies.refusal(key), 0);
      return false;
    }
    MoveOutcome outcome = MoveOutcome.EVICTED;
    int sizeBytes = 0;
    try {
      Optional<BlockInfo> info = source.info(file, offset);
      if (info.isPresent()) {
        sizeBytes = info.get().sizeBytes();
        outcome = MoveOutcome.of(highest.promote(file, offset, block, info.get().traits()));
        if (outcome == MoveOutcome.NOT_ADMITTED) {
          // The block would soon have left again.
          Movement.below(levels).forEach(level -> level.admission().evictedAbove(keyHash));
        }
        // After the copy: a bit that flipped before it would go unnoticed from now on.
        if (outcome == MoveOutcome.MOVED && !source.verify(file, offset)) {
          copy.evict();
        }
      }
    } finally {
      // Also after a failed copy, which may have stored the block.
      if (copies.end(copy)) {
        outcome = MoveOutcome.EVICTED;
      }
      levels.get(0).count(source.name(), file, outcome, sizeBytes);
    }
    return outcome == MoveOutcome.MOVED || outcome == MoveOutcome.ALREADY_PRESENT;
  }
}
