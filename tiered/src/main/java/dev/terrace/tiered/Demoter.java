// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.SerialLoop;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.tiered.Level.Offer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Moves evicted blocks to the first lower tier that admits them, on another thread, with a limit on
 * the bytes in flight.
 *
 * <p>Any thread may call any method; none blocks.
 *
 * @param <B> the object that readers use
 */
final class Demoter<B> implements DemotionTarget<B> {

  private static final RateLimitedLog LOG = new RateLimitedLog(Demoter.class);

  /** Regions whose blocks may be in flight at once. */
  private static final int REGIONS_UNDER_WAY = 2;

  private final Level<B> origin;
  private final List<Tier<B>> tiers;
  private final List<Level<B>> below;
  private final Movement.PromotionPolicy promotion;
  private final BlockCodec<B> codec;
  private final InFlightCopies copies;
  private final SerialLoop carrying;
  private final long maxBytes;
  private final Queue<Offer<B>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private volatile Consumer<BlockInfo> lost = info -> {};

  /**
   * A demoter.
   *
   * @param levels of the cache, the highest first
   * @param from the number of the level that blocks leave
   * @param movement its promotion policy learns of the blocks that leave; its carrier runs the
   *     moves, one after the other
   */
  Demoter(
      List<Level<B>> levels,
      int from,
      Movement movement,
      BlockCodec<B> codec,
      InFlightCopies copies) {
    this.origin = levels.get(from);
    this.tiers = levels.subList(0, from + 1).stream().map(Level::tier).toList();
    this.below = levels.subList(from + 1, levels.size());
    this.promotion = movement.promotion();
    this.codec = codec;
    this.copies = copies;
    this.carrying = new SerialLoop(movement.carrier(), () -> endAll(this::carry), this::giveUpAll);
    this.maxBytes =
        Math.max(
            movement.maxInFlightBytes(), REGIONS_UNDER_WAY * origin.tier().evictionUnitBytes());
  }

  @Override
  public Above above(CacheFile file, long offset) {
    return Movement.above(tiers, tier -> tier.contains(file, offset));
  }

  @Override
  public boolean wants(BlockInfo info) {
    try {
      origin.admission().evicted(BlockKey.hash(info.key().file(), info.key().offset()));
    } catch (RuntimeException | Error e) {
      warn(info, e);
    }
    if (below.isEmpty()) {
      lost.accept(info);
    }
    return !below.isEmpty();
  }

  @Override
  public void offer(BlockInfo info, B block, boolean wasHit) {
    if (below.isEmpty()) {
      lost.accept(info);
      return;
    }
    try {
      tryOffer(info, block, wasHit);
    } catch (RuntimeException | Error e) {
      failed(info, e);
    }
  }

  private void tryOffer(BlockInfo info, B block, boolean wasHit) {
    CacheFile file = info.key().file();
    long offset = info.key().offset();
    long keyHash = BlockKey.hash(file, offset);
    promotion.touched(keyHash);
    for (Level<B> to : below) {
      to.admission().evictedAbove(keyHash);
    }
    for (Level<B> to : below) {
      if (to.tier().contains(file, offset)) {
        to.count(origin.tier().name(), file, MoveOutcome.ALREADY_PRESENT, 0);
        if (wasHit) {
          to.tier().touch(file, offset);
        }
        return;
      }
    }
    int heldBytes = heldBytes(info, block);
    if (bytes.addAndGet(heldBytes) > maxBytes || !codec.tryRetain(block)) {
      bytes.addAndGet(-heldBytes);
      count(info, MoveOutcome.QUEUE_FULL);
      lost.accept(info);
      return;
    }
    InFlightCopies.Copy copy = null;
    boolean queued = false;
    try {
      copy = copies.begin(info.key(), true);
      if (copy == null) {
        count(info, copies.refusal(info.key()));
      } else if (!origin.tier().contains(file, offset)) {
        // An eviction that ended before the copy began has removed it.
        count(info, MoveOutcome.EVICTED);
      } else {
        queue.add(new Offer<>(origin.tier().name(), Source.DEMOTION, info, block, copy));
        queued = true;
      }
    } finally {
      if (!queued) {
        release(info, block, copy);
      }
    }
    if (queued) {
      carrying.wake();
    }
  }

  private void count(BlockInfo info, MoveOutcome outcome) {
    below.get(0).count(origin.tier().name(), info.key().file(), outcome, info.sizeBytes());
  }

  /** Never fails: it runs in the evicting thread. */
  private void giveUpAll(Throwable cause) {
    // A carrier that rejects tasks belongs to a closing cache.
    boolean isClosing = cause instanceof RejectedExecutionException;
    endAll(
        offer -> {
          if (isClosing) {
            count(offer.info(), MoveOutcome.CLOSED);
          } else {
            failed(offer.info(), cause);
          }
        });
  }

  private void endAll(Consumer<Offer<B>> how) {
    for (Offer<B> offer = queue.poll(); offer != null; offer = queue.poll()) {
      // A failure costs this block alone.
      try {
        try {
          how.accept(offer);
        } finally {
          release(offer.info(), offer.block(), offer.copy());
        }
      } catch (RuntimeException | Error e) {
        failed(offer.info(), e);
      }
    }
  }

  /** The memory that a block in flight holds. In its tier it may be compressed. */
  private int heldBytes(BlockInfo info, B block) {
    return Math.max(info.sizeBytes(), codec.sizeBytes(block));
  }

  private void failed(BlockInfo info, Throwable cause) {
    warn(info, cause);
    count(info, MoveOutcome.FAILED);
    lost.accept(info);
  }

  private static void warn(BlockInfo info, Throwable cause) {
    LOG.warn(
        "Block not demoted to a lower tier, its next read may be a miss: " + info.key(), cause);
  }

  /** Releases what an offer holds; {@code copy} is null if none has begun. */
  private void release(BlockInfo info, B block, InFlightCopies.Copy copy) {
    bytes.addAndGet(-heldBytes(info, block));
    try {
      codec.release(block);
    } finally {
      if (copy != null) {
        copies.end(copy);
      }
    }
  }

  private void carry(Offer<B> offer) {
    for (Level<B> to : below) {
      if (offer.isEvicted()) {
        to.count(offer, MoveOutcome.EVICTED);
        return;
      }
      if (to.offer(offer, 0).isPresent() || offer.isEvicted()) {
        return;
      }
    }
    lost.accept(offer.info());
  }

  /** Replaces the listener of blocks that are evicted to make room and that no tier below takes. */
  void reportLosses(Consumer<BlockInfo> listener) {
    lost = listener;
  }
}
