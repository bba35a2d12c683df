// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.SerialLoop;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.slf4j.LoggerFactory;

/**
 * Moves evicted blocks to the first lower tier that admits them, on another thread, with a bound on
 * the bytes in progress.
 *
 * <p>Any thread may call any method; none blocks.
 *
 * @param <B> the object that readers use
 */
final class Demoter<B> implements DemotionTarget<B> {

  /*
   * A block on its way is in no tier, so an eviction must find it here. An offer is registered, and
   * taken only if its tier has the block after that. So a thread that evicts from the tier first and
   * looks here afterwards cannot miss it. The eviction marks the block. The carrier checks the mark
   * after the put below, and evicts the block again. So either the carrier sees the mark, or the
   * eviction reaches the lower tier after the block did.
   *
   * The carrier's own eviction is one from all tiers: the tier below may have passed the block on
   * already, down or up.
   */

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(Demoter.class), System::nanoTime);

  /** Regions whose blocks may be on their way at once. */
  private static final int REGIONS_UNDER_WAY = 2;

  /** A block on its way, with the memory that it holds: where it lies it may be compressed. */
  private static final class Carried<B> extends Offer<B> {
    final int heldBytes;

    Carried(String from, BlockInfo info, B block, int heldBytes) {
      super(from, Source.DEMOTION, info, block);
      this.heldBytes = heldBytes;
    }
  }

  private final Level<B> origin;
  private final List<Tier<B>> tiers;
  private final List<Level<B>> below;
  private final PromotionPolicy promotion;
  private final BlockCodec<B> codec;
  private final ObjLongConsumer<String> eviction;
  private final SerialLoop carrying;
  private final long mostBytes;
  private final Map<BlockKey, Carried<B>> underWay = new ConcurrentHashMap<>();
  private final Queue<Carried<B>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private volatile Consumer<BlockInfo> lost = info -> {};

  /**
   * A demoter.
   *
   * @param levels of the cache, the highest first
   * @param from the number of the level that blocks leave
   * @param movement its promotion policy learns of the blocks that leave; its carrier runs the
   *     moves, one after the other
   * @param eviction evicts a block from all tiers, by its file and offset
   */
  Demoter(
      List<Level<B>> levels,
      int from,
      Movement movement,
      BlockCodec<B> codec,
      ObjLongConsumer<String> eviction) {
    this.origin = levels.get(from);
    this.tiers = levels.subList(0, from + 1).stream().map(Level::tier).toList();
    this.below = levels.subList(from + 1, levels.size());
    this.promotion = movement.promotion();
    this.codec = codec;
    this.eviction = eviction;
    this.carrying = new SerialLoop(movement.carrier(), this::carryAll, this::giveUpAll);
    this.mostBytes =
        Math.max(
            movement.mostBytesUnderWay(), REGIONS_UNDER_WAY * origin.tier().evictedAtOnceBytes());
  }

  @Override
  public Above above(String file, long offset) {
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
    String file = info.key().file();
    long offset = info.key().offset();
    long keyHash = BlockKey.hash(file, offset);
    promotion.touched(keyHash);
    for (Level<B> to : below) {
      to.admission().evictedAbove(keyHash);
    }
    for (Level<B> to : below) {
      if (to.tier().contains(file, offset)) {
        to.count(origin.tier().name(), file, MoveOutcome.ALREADY_THERE, 0);
        if (wasHit) {
          to.tier().touch(file, offset);
        }
        return;
      }
    }
    int heldBytes = Math.max(info.sizeBytes(), codec.sizeBytes(block));
    Carried<B> offer = new Carried<>(origin.tier().name(), info, block, heldBytes);
    if (bytes.addAndGet(offer.heldBytes) > mostBytes || !codec.tryRetain(block)) {
      bytes.addAndGet(-offer.heldBytes);
      below.get(0).count(offer, MoveOutcome.OVERLOADED);
      lost.accept(info);
      return;
    }
    boolean queued = false;
    try {
      if (!register(offer)) {
        below.get(0).count(offer, MoveOutcome.ALREADY_THERE);
      } else if (!origin.tier().contains(file, offset)) {
        below.get(0).count(offer, MoveOutcome.EVICTED);
      } else {
        queue.add(offer);
        queued = true;
      }
    } finally {
      if (!queued) {
        letGo(offer);
      }
    }
    if (queued) {
      carrying.wake();
    }
  }

  /** Lets evictions find an offer. False if the same block is on its way already. */
  private boolean register(Carried<B> offer) {
    return offer
        == underWay.compute(
            offer.key(), (key, before) -> before == null || before.isEvicted() ? offer : before);
  }

  private void carryAll() {
    endAll(this::carry);
  }

  /** Never fails: it runs in the evicting thread. */
  private void giveUpAll(Throwable cause) {
    // A carrier that rejects tasks belongs to a closing cache.
    boolean isClosing = cause instanceof RejectedExecutionException;
    endAll(
        offer -> {
          if (isClosing) {
            below.get(0).count(offer, MoveOutcome.CLOSED);
          } else {
            failed(offer.info, cause);
          }
        });
  }

  private void endAll(Consumer<Carried<B>> how) {
    for (Carried<B> offer = queue.poll(); offer != null; offer = queue.poll()) {
      end(offer, how);
    }
  }

  /** Ends the move of one block. A failure costs that block alone. */
  private void end(Carried<B> offer, Consumer<Carried<B>> how) {
    try {
      try {
        how.accept(offer);
      } finally {
        letGo(offer);
      }
    } catch (RuntimeException | Error e) {
      failed(offer.info, e);
    }
  }

  private void failed(BlockInfo info, Throwable cause) {
    warn(info, cause);
    below
        .get(0)
        .count(origin.tier().name(), info.key().file(), MoveOutcome.FAILED, info.sizeBytes());
    lost.accept(info);
  }

  private static void warn(BlockInfo info, Throwable cause) {
    LOG.warn("A demotion failed: " + info.key(), cause);
  }

  private void letGo(Carried<B> offer) {
    underWay.remove(offer.key(), offer);
    bytes.addAndGet(-offer.heldBytes);
    codec.release(offer.block);
  }

  private void carry(Carried<B> offer) {
    for (Level<B> to : below) {
      if (offer.isEvicted()) {
        to.count(offer, MoveOutcome.EVICTED);
        return;
      }
      try {
        if (to.offer(offer, 0).isPresent()) {
          return;
        }
      } finally {
        if (offer.isEvicted()) {
          // Also after a failed put, which may have got anywhere.
          eviction.accept(offer.key().file(), offer.key().offset());
        }
      }
      if (offer.isEvicted()) {
        return;
      }
    }
    lost.accept(offer.info);
  }

  /** Whether a block is on its way. */
  boolean isUnderWay(String file, long offset) {
    return !underWay.isEmpty() && underWay.containsKey(new BlockKey(file, offset));
  }

  /**
   * Cancels the moves of a file's blocks in a range of offsets; returns their number.
   *
   * @param toOffset the last offset of the range, inclusive
   */
  int evict(String file, long fromOffset, long toOffset) {
    if (fromOffset == toOffset) {
      Carried<B> offer = underWay.get(new BlockKey(file, fromOffset));
      return offer != null && offer.evict() ? 1 : 0;
    }
    int evicted = 0;
    for (Carried<B> offer : underWay.values()) {
      long offset = offer.key().offset();
      if (offset >= fromOffset && offset <= toOffset && offer.key().file().equals(file)) {
        evicted += offer.evict() ? 1 : 0;
      }
    }
    return evicted;
  }

  /** Replaces the listener of blocks that leave the tier to make room, and go to no tier below. */
  void reportLosses(Consumer<BlockInfo> listener) {
    lost = listener;
  }
}
