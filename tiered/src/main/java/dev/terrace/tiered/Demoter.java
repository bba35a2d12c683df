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

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.SerialLoop;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.tiered.admission.AdmissionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
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
   * eviction comes to the tier below after the block.
   *
   * The carrier's own eviction is one from all tiers: the tier below may have passed the block on
   * already, down or up.
   */

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(Demoter.class), System::nanoTime);

  /** A tier below with its admission policy. */
  record Destination<B>(Tier<B> tier, AdmissionPolicy admission, MoveCounters moves) {

    /** The verdict on a block. What the tier refuses all the same spends no budget. */
    AdmissionPolicy.Verdict verdict(String file, long keyHash, int sizeBytes, Source source) {
      return tier.accepts(file, sizeBytes)
          ? admission.offer(keyHash, tier.likelyBytes(sizeBytes), source)
          : AdmissionPolicy.Verdict.ADMIT;
    }
  }

  /**
   * A tier that blocks leave.
   *
   * @param above the tiers above it, the highest first
   * @param keepsCopies whether it has room to keep copies of the highest tier's blocks, which a
   *     crash would lose
   */
  record Origin<B>(
      Tier<B> tier, List<Tier<B>> above, AdmissionPolicy admission, BooleanSupplier keepsCopies) {}

  /** A block on its way. */
  private static final class Offer<B> {
    final BlockInfo info;
    final B block;

    /** The memory that the block holds. Where it lies it may be smaller, as it is compressed. */
    final int heldBytes;

    volatile boolean evicted;

    Offer(BlockInfo info, B block, int heldBytes) {
      this.info = info;
      this.block = block;
      this.heldBytes = heldBytes;
    }

    BlockKey key() {
      return info.key();
    }

    int sizeBytes() {
      return info.sizeBytes();
    }
  }

  private final Origin<B> origin;
  private final List<Destination<B>> destinations;
  private final PromotionPolicy promotion;
  private final BlockCodec<B> codec;
  private final ObjLongConsumer<String> eviction;
  private final SerialLoop carrying;
  private final long mostBytes;
  private final Map<BlockKey, Offer<B>> underWay = new ConcurrentHashMap<>();
  private final Queue<Offer<B>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private volatile LossListener lost = info -> {};

  /**
   * A demoter.
   *
   * @param destinations the tiers below, the highest first
   * @param promotion learns of the blocks that leave
   * @param eviction evicts a block from all tiers, by its file and offset
   * @param carrier runs the moves, one after the other
   * @param mostBytes largest number of bytes that blocks on their way may hold
   */
  Demoter(
      Origin<B> origin,
      List<Destination<B>> destinations,
      PromotionPolicy promotion,
      BlockCodec<B> codec,
      ObjLongConsumer<String> eviction,
      Executor carrier,
      long mostBytes) {
    this.origin = origin;
    this.destinations = List.copyOf(destinations);
    this.promotion = promotion;
    this.codec = codec;
    this.eviction = eviction;
    this.carrying = new SerialLoop(carrier, this::carryAll, this::giveUpAll);
    this.mostBytes = mostBytes;
  }

  @Override
  public Above above(String file, long offset) {
    for (int i = origin.above.size() - 1; i >= 0; i--) {
      if (origin.above.get(i).contains(file, offset)) {
        return i == 0 && origin.keepsCopies.getAsBoolean() ? Above.VOLATILE : Above.YES;
      }
    }
    return Above.NO;
  }

  @Override
  public boolean wants(BlockInfo info) {
    try {
      origin.admission.evicted(BlockKey.hash(info.key().file(), info.key().offset()));
    } catch (RuntimeException | Error e) {
      warn(info, e);
    }
    if (destinations.isEmpty()) {
      lost.lost(info);
    }
    return !destinations.isEmpty();
  }

  @Override
  public void offer(BlockInfo info, B block, boolean wasHit) {
    if (destinations.isEmpty()) {
      lost.lost(info);
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
    for (Destination<B> below : destinations) {
      below.admission.evictedAbove(keyHash);
    }
    for (Destination<B> below : destinations) {
      if (below.tier.contains(file, offset)) {
        below.moves.count(file, MoveOutcome.ALREADY_THERE, 0);
        if (wasHit) {
          below.tier.touch(file, offset);
        }
        return;
      }
    }
    int sizeBytes = info.sizeBytes();
    Offer<B> offer = new Offer<>(info, block, Math.max(sizeBytes, codec.sizeBytes(block)));
    if (bytes.addAndGet(offer.heldBytes) > mostBytes || !codec.tryRetain(block)) {
      bytes.addAndGet(-offer.heldBytes);
      destinations.get(0).moves.count(file, MoveOutcome.OVERLOADED, sizeBytes);
      lost.lost(info);
      return;
    }
    boolean queued = false;
    try {
      if (!register(offer)) {
        destinations.get(0).moves.count(file, MoveOutcome.ALREADY_THERE, 0);
      } else if (!origin.tier.contains(file, offset)) {
        destinations.get(0).moves.count(file, MoveOutcome.EVICTED, sizeBytes);
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
  private boolean register(Offer<B> offer) {
    return offer
        == underWay.compute(
            offer.key(), (key, before) -> before == null || before.evicted ? offer : before);
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
            destinations
                .get(0)
                .moves
                .count(offer.key().file(), MoveOutcome.CLOSED, offer.sizeBytes());
          } else {
            failed(offer.info, cause);
          }
        });
  }

  private void endAll(Consumer<Offer<B>> how) {
    for (Offer<B> offer = queue.poll(); offer != null; offer = queue.poll()) {
      end(offer, how);
    }
  }

  /** Ends the move of one block. A failure costs that block alone. */
  private void end(Offer<B> offer, Consumer<Offer<B>> how) {
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
    destinations.get(0).moves.count(info.key().file(), MoveOutcome.FAILED, info.sizeBytes());
    lost.lost(info);
  }

  private static void warn(BlockInfo info, Throwable cause) {
    LOG.warn("A demotion failed: " + info.key(), cause);
  }

  private void letGo(Offer<B> offer) {
    underWay.remove(offer.key(), offer);
    bytes.addAndGet(-offer.heldBytes);
    codec.release(offer.block);
  }

  private void carry(Offer<B> offer) {
    boolean done = false;
    for (int i = 0; i < destinations.size() && !done; i++) {
      MoveOutcome outcome = move(offer, destinations.get(i));
      destinations.get(i).moves.count(offer.key().file(), outcome, offer.sizeBytes());
      done = outcome.isFinal();
    }
    if (!done) {
      lost.lost(offer.info);
    }
  }

  private MoveOutcome move(Offer<B> offer, Destination<B> to) {
    if (offer.evicted) {
      return MoveOutcome.EVICTED;
    }
    String file = offer.key().file();
    long offset = offer.key().offset();
    AdmissionPolicy.Verdict verdict =
        to.verdict(file, BlockKey.hash(file, offset), offer.sizeBytes(), Source.DEMOTION);
    PutOutcome outcome = null;
    try {
      if (verdict == AdmissionPolicy.Verdict.ADMIT) {
        outcome = to.tier.put(file, offset, offer.block, offer.info.traits());
      }
    } finally {
      if (offer.evicted) {
        // Also after a failed put, which may have got anywhere.
        eviction.accept(file, offset);
      }
    }
    return offer.evicted ? MoveOutcome.EVICTED : MoveOutcome.of(verdict, outcome);
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
      Offer<B> offer = underWay.get(new BlockKey(file, fromOffset));
      return offer == null ? 0 : mark(offer);
    }
    int evicted = 0;
    for (Offer<B> offer : underWay.values()) {
      long offset = offer.key().offset();
      if (offset >= fromOffset && offset <= toOffset && offer.key().file().equals(file)) {
        evicted += mark(offer);
      }
    }
    return evicted;
  }

  private int mark(Offer<B> offer) {
    boolean first = !offer.evicted;
    offer.evicted = true;
    return first ? 1 : 0;
  }

  /** The tiers below, the highest first. */
  List<Destination<B>> destinations() {
    return destinations;
  }

  /** Replaces the listener of blocks that leave the tier to make room, and go to no tier below. */
  void reportLosses(LossListener listener) {
    lost = listener;
  }

  void reportTo(MoveListener listener) {
    destinations.forEach(below -> below.moves.reportTo(listener));
  }

  /** The moves to each tier below so far. */
  List<MoveStats> stats() {
    List<MoveStats> stats = new ArrayList<>();
    for (Destination<B> below : destinations) {
      stats.add(below.moves.stats());
    }
    return stats;
  }
}
