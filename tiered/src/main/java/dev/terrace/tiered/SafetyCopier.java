// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.Access;
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CacheFile;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import dev.terrace.api.Tier;
import dev.terrace.tiered.Level.Offer;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Copies blocks that only the highest tier holds to the tiers below: a few at a time, so that a
 * crash loses less, and all of them before a clean stop. A concurrent eviction wins.
 *
 * @param <B> the object that readers use
 */
final class SafetyCopier<B> {

  /** Maximum bytes copied per step; the last block may exceed it. */
  private static final long STEP_BYTES = 64 << 20;

  /** What a smaller block counts for: a step of small blocks must not take long either. */
  private static final long MIN_BLOCK_BYTES = 128 << 10;

  /** Blocks examined per step while there is free room. */
  private static final int MAX_EXAMINED = 4_000;

  /**
   * Blocks examined per step when the lower tiers are full. The scan then never ends, so the steps
   * are small.
   */
  private static final int MAX_EXAMINED_WHEN_FULL = 2_000;

  /**
   * How long a block must have been in the highest tier. In that time, the copies into a full tier
   * add up to the highest tier's size at most.
   */
  private static final int STAYED_MINUTES = 10;

  private static final long STAYED_NANOS = TimeUnit.MINUTES.toNanos(STAYED_MINUTES);

  /** The pause between two attempts at a busy tier. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Tier<B> highest;
  private final List<Level<B>> lower;
  private final BlockCodec<B> codec;
  private final InFlightCopies copies;

  /** The rest of the pass over the highest tier. */
  private Iterator<BlockInfo> pass = Collections.emptyIterator();

  /** Whether all blocks that the pass has examined were below. */
  private boolean allBelow;

  /** The {@link #changes} when the pass began. */
  private long changesAtBegin;

  /**
   * Copies nothing before the first step.
   *
   * @param highest null if there are no levels
   * @param lower the levels below, the highest first
   */
  SafetyCopier(Tier<B> highest, List<Level<B>> lower, BlockCodec<B> codec, InFlightCopies copies) {
    this.highest = highest;
    this.lower = lower;
    this.codec = codec;
    this.copies = copies;
  }

  /**
   * Copies some blocks, starting where the last step ended. While there is free room below, it
   * copies any block. Into a full tier that is much larger, it copies only blocks that have been in
   * the highest tier for {@value #STAYED_MINUTES} minutes: most of them would be written anyway
   * when they leave. After a pass that found all blocks below, examines none until a block has come
   * or has left a lower tier. Called by one thread. Never waits.
   *
   * @param nowNanos {@link System#nanoTime}
   * @return the number of copied blocks
   */
  int step(long nowNanos) {
    boolean isFull = lower.stream().noneMatch(to -> to.tier().hasFreeRoom());
    List<Level<B>> takers =
        lower.stream().filter(to -> !isFull || Movement.keepsCopies(to.tier(), highest)).toList();
    if (takers.isEmpty()) {
      return 0;
    }
    if (!pass.hasNext()) {
      long changes = changes();
      if (allBelow && changes == changesAtBegin) {
        return 0;
      }
      allBelow = true;
      changesAtBegin = changes;
      pass = highest.blocks();
    }
    int most = isFull ? MAX_EXAMINED_WHEN_FULL : MAX_EXAMINED;
    long bytes = 0;
    int copied = 0;
    for (int i = 0; i < most && bytes < STEP_BYTES && pass.hasNext(); i++) {
      BlockInfo info = pass.next();
      boolean hasStayed = nowNanos - info.putNanos() >= STAYED_NANOS;
      boolean isBelow = isBelow(info);
      allBelow &= isBelow;
      if ((isFull && !hasStayed) || isBelow || isRefused(info, takers)) {
        continue;
      }
      PutOutcome outcome = copy(info, Source.SAFEKEEPING, offer -> offer(offer, takers, isFull));
      if (outcome == PutOutcome.BUSY) {
        return copied;
      }
      if (outcome.isPresent()) {
        bytes += Math.max(MIN_BLOCK_BYTES, info.sizeBytes());
        copied++;
      }
    }
    return copied;
  }

  /**
   * Offers a block until a tier takes it.
   *
   * @return {@link PutOutcome#BUSY} if the tiers would refuse the next block, too
   */
  private PutOutcome offer(Offer<B> offer, List<Level<B>> takers, boolean evenIfFull) {
    PutOutcome outcome = PutOutcome.NO_SPACE;
    for (Level<B> to : takers) {
      if (evenIfFull || to.tier().hasFreeRoom()) {
        PutOutcome here = to.offer(offer, 0);
        if (here.isPresent()) {
          return here;
        }
        // The policy refuses these blocks only when it is over its budget.
        boolean isBusy = here == PutOutcome.BUSY || here == PutOutcome.NOT_ADMITTED;
        outcome = isBusy ? PutOutcome.BUSY : outcome;
      }
    }
    return outcome;
  }

  /**
   * Copies all blocks, the most valuable first, for no longer than the limit. Waits for busy tiers.
   *
   * @param nanoTime like {@link System#nanoTime}
   * @return the number of copied blocks
   */
  int all(Duration limit, LongSupplier nanoTime) {
    long deadline = nanoTime.getAsLong() + limit.toNanos();
    int copied = 0;
    Iterator<BlockInfo> blocks = highest.hottestBlocks();
    while (blocks.hasNext() && nanoTime.getAsLong() - deadline < 0) {
      BlockInfo info = blocks.next();
      if (!isBelow(info) && !isRefused(info, lower)) {
        PutOutcome outcome =
            copy(info, Source.LAST, offer -> offerUntil(deadline, nanoTime, offer));
        copied += outcome.isPresent() ? 1 : 0;
      }
    }
    return copied;
  }

  private PutOutcome offerUntil(long deadline, LongSupplier nanoTime, Offer<B> offer) {
    while (true) {
      PutOutcome outcome = offer(offer, lower, true);
      boolean isLate = nanoTime.getAsLong() - deadline >= 0;
      // An interrupted thread does not park: it would retry without a pause.
      if (outcome != PutOutcome.BUSY || isLate || Thread.currentThread().isInterrupted()) {
        return outcome;
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
  }

  /** Whether no tier may hold a block, or another would leave: each step would offer it again. */
  private static boolean isRefused(BlockInfo info, List<? extends Level<?>> takers) {
    return takers.stream().noneMatch(to -> to.accepts(info) && !to.isFull(info));
  }

  /** Blocks that came to the highest tier, or left a lower one, so far. */
  private long changes() {
    return highest.stats().writes().puts()
        + lower.stream()
            .flatMap(to -> to.tier().stats().events().evictions().values().stream())
            .mapToLong(Long::longValue)
            .sum();
  }

  private boolean isBelow(BlockInfo info) {
    BlockKey key = info.key();
    return lower.stream().anyMatch(to -> to.tier().contains(key.file(), key.offset()));
  }

  /**
   * Copies a block, unless it is evicted during the copy.
   *
   * @param how offers it to tiers; called at most once
   */
  private PutOutcome copy(BlockInfo info, Source source, Function<Offer<B>, PutOutcome> how) {
    CacheFile file = info.key().file();
    long offset = info.key().offset();
    InFlightCopies.Copy copy = copies.begin(info.key(), false);
    if (copy == null) {
      return PutOutcome.EXPIRING;
    }
    PutOutcome outcome = PutOutcome.EXPIRING;
    try {
      B block = highest.get(file, offset, Access.UNCOUNTED);
      if (block != null) {
        try {
          outcome = how.apply(new Offer<>(highest.name(), source, info, block, copy));
        } finally {
          codec.release(block);
        }
      }
    } finally {
      if (copies.end(copy)) {
        outcome = PutOutcome.EXPIRING;
      }
    }
    return outcome;
  }
}
