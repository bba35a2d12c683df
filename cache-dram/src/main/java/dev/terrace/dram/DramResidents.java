// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.CacheFile;
import dev.terrace.api.DemotionTarget;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Quota;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierCounters;
import dev.terrace.api.index.QuotaLimits;
import dev.terrace.dram.PageAllocator.PageRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/**
 * How the blocks of a DRAM tier enter and leave. Updates the index, the policy, the totals and the
 * counters together, and passes evicted blocks to the demotion target. Any thread may call any
 * method.
 */
final class DramResidents<B> implements Quota.Blocks<DramEntry<B>> {

  private static final int MAKE_ROOM_ATTEMPTS = 4;

  private final BlockCodec<B> codec;
  private final PageAllocator memory;
  private final TierCounters counters;
  final DramIndex<B> index = new DramIndex<>();
  final SharedObjects<B> objects;
  final ResidencyPolicy<B> policy;
  final QuotaLimits<DramEntry<B>> limits;
  private final RateLimitedLog log =
      new RateLimitedLog(LoggerFactory.getLogger(DramTier.class), System::nanoTime);
  private volatile DemotionTarget<B> target;
  private volatile boolean closed;

  /** Starts empty. Quotas are shares of {@code capacityBytes}. */
  DramResidents(
      BlockCodec<B> codec,
      PageAllocator memory,
      TierCounters counters,
      long roomPages,
      double protectedShare,
      LongSupplier capacityBytes) {
    this.codec = codec;
    this.memory = memory;
    this.objects = new SharedObjects<>(codec, memory, index, capacityBytes.getAsLong());
    this.counters = counters;
    this.limits = new QuotaLimits<>(index, capacityBytes, this);
    this.policy =
        new ResidencyPolicy<>(roomPages, protectedShare, this::isKept, this::evictedByPolicy);
  }

  void demoteTo(DemotionTarget<B> receiver) {
    target = receiver;
  }

  /** Whether evicting the entry would drop its file's quota below the guaranteed share. */
  @Override
  public boolean isKept(DramEntry<B> entry) {
    return limits.keeps(entry.file, entry.sizeBytes);
  }

  @Override
  public Iterator<DramEntry<B>> of(CacheFile file) {
    return index.walk(file);
  }

  @Override
  public int hits(DramEntry<B> entry) {
    return policy.frequency(entry);
  }

  @Override
  public void age(DramEntry<B> entry) {
    entry.hits(Math.max(0, entry.hits() - 1));
  }

  @Override
  public long arrival(DramEntry<B> entry) {
    return entry.putNanos();
  }

  /** Puts a new entry's block, if the policy admits it. */
  PutOutcome put(DramEntry<B> entry, B block, boolean isPromoted) {
    if (isPromoted && policy.refuses(entry)) {
      return PutOutcome.NOT_ADMITTED;
    }
    if (limits.isFull(entry.file, entry.sizeBytes)) {
      // The read that brings a block counts for it; a copy of a block below must be worth more.
      int mostHits = policy.frequency(entry) + (isPromoted ? -1 : 1);
      PutOutcome refusal = limits.makeRoom(entry.file, entry.sizeBytes, mostHits);
      if (refusal != null) {
        policy.refused(entry, isPromoted);
        return refusal;
      }
    }
    PutOutcome outcome = null;
    try {
      boolean isAdmitted = policy.admit(entry, isPromoted) && !entry.isGone();
      outcome = isAdmitted ? fill(entry, block) : PutOutcome.NOT_ADMITTED;
      return outcome;
    } finally {
      if (outcome != PutOutcome.STORED) {
        policy.forget(entry);
      }
    }
  }

  private PutOutcome fill(DramEntry<B> entry, B block) {
    PageRun runs = allocateFor(entry);
    if (runs == null) {
      return PutOutcome.NO_SPACE;
    }
    boolean isFilled = false;
    try {
      entry.fill(runs, (short) codec.format(block));
      copyIn(block, entry);
      objects.check(entry);
      isFilled = true;
    } catch (IOException | RuntimeException e) {
      log.warn("Block not cached in DRAM, it cannot be encoded: " + entry.info().key(), e);
      return PutOutcome.BAD_BLOCK;
    } finally {
      if (!isFilled) {
        memory.free(runs);
      }
    }
    PutOutcome outcome = publish(entry);
    // A close or a shrink may have swept the index before the insertion.
    if (closed) {
      evict(entry, EvictionCause.CLOSE);
    } else if (memory.isRetired(runs)) {
      evict(entry, EvictionCause.RESIZE);
    }
    return outcome;
  }

  /**
   * Encodes a block into an entry's memory.
   *
   * @throws IOException if the block cannot be encoded
   */
  private void copyIn(B block, DramEntry<B> entry) throws IOException {
    ByteBuffer[] buffers = memory.buffers(entry.memory(), entry.sizeBytes);
    if (buffers.length == 1) {
      codec.fill(block, buffers[0]);
    } else {
      ByteBuffer whole = ByteBuffer.allocate(entry.sizeBytes);
      codec.fill(block, whole);
      int position = 0;
      for (ByteBuffer part : buffers) {
        part.put(0, whole, position, part.capacity());
        position += part.capacity();
      }
    }
  }

  /**
   * Copies the first bytes of a leased entry into the target's remaining room, without moving its
   * position.
   *
   * @return false if the entry is shorter than that
   */
  boolean copyHead(DramEntry<B> entry, ByteBuffer target) {
    if (entry.sizeBytes < target.remaining()) {
      return false;
    }
    int position = target.position();
    for (ByteBuffer part : memory.buffers(entry.memory(), entry.sizeBytes)) {
      int length = Math.min(part.capacity(), target.limit() - position);
      target.put(position, part, 0, length);
      position += length;
    }
    return true;
  }

  /**
   * Allocates, and evicts if it must: readers and demotions in flight may hold more memory than the
   * policy leaves free. Evicts nothing while the tier is still obtaining memory.
   */
  private PageRun allocateFor(DramEntry<B> entry) {
    PageRun runs = memory.allocate(entry.pages());
    for (int attempt = 0;
        runs == null && attempt < MAKE_ROOM_ATTEMPTS && !memory.isGrowing();
        attempt++) {
      policy.evictColdest((long) entry.pages() << attempt, entry);
      runs = memory.allocate(entry.pages());
    }
    return runs;
  }

  /** Makes an admitted entry resident; its memory must hold the block. */
  PutOutcome publish(DramEntry<B> entry) {
    if (!entry.publish()) {
      objects.forget(entry);
      giveBack(entry);
      return PutOutcome.NOT_ADMITTED;
    }
    if (!index.insert(entry)) {
      // The policy may have evicted and counted it already; then it must count as a put, too.
      return retire(entry, false) ? PutOutcome.ALREADY_PRESENT : PutOutcome.STORED;
    }
    if (entry.isGone()) {
      index.remove(entry);
    }
    return PutOutcome.STORED;
  }

  /** Ends an entry's life. True for exactly one caller, and only if the entry was resident. */
  private boolean retire(DramEntry<B> entry, boolean toMakeRoom) {
    if (!entry.retire()) {
      return false;
    }
    // Whatever throws in here, the entry must leave: other threads wait for that.
    try {
      entry.releaseTierReference();
      DemotionTarget<B> receiver = target;
      boolean hasObject = objects.forget(entry);
      if (toMakeRoom && receiver != null && (hasObject || objects.make(entry))) {
        receiver.offer(entry.info(), entry.block(), entry.hits() > 0);
      }
    } finally {
      index.remove(entry);
      entry.evicted();
      giveBack(entry);
    }
    return true;
  }

  /** Releases the tier's reference, or frees the memory of an entry without an object. */
  private void giveBack(DramEntry<B> entry) {
    B object = entry.block();
    if (object == null) {
      entry.free();
    } else {
      codec.release(object);
    }
  }

  private void evictedByPolicy(DramEntry<B> entry) {
    if (retire(entry, true)) {
      counters.evicted(entry.file, EvictionCause.SIZE, 1);
    }
  }

  @Override
  public void evict(DramEntry<B> entry, EvictionCause cause) {
    if (remove(entry, cause)) {
      counters.evicted(entry.file, cause, 1);
    }
  }

  private boolean remove(DramEntry<B> entry, EvictionCause cause) {
    boolean left = retire(entry, cause == EvictionCause.SIZE || cause == EvictionCause.RESIZE);
    if (!left) {
      // Another thread retired it and may not be done. After this call no lookup finds the block,
      // and the target has been offered it.
      entry.awaitEvicted();
      index.remove(entry);
    }
    policy.forget(entry);
    return left;
  }

  /** Evicts a file's entries in a range, {@code toOffset} included; returns their number. */
  int evict(CacheFile file, long fromOffset, long toOffset, EvictionCause cause) {
    int evicted = 0;
    for (DramEntry<B> entry : index.entries(file, fromOffset, toOffset)) {
      evicted += remove(entry, cause) ? 1 : 0;
    }
    counters.evicted(file, cause, evicted);
    return evicted;
  }

  void evictIf(Predicate<DramEntry<B>> test, EvictionCause cause) {
    index.walk().filter(test).forEach(entry -> evict(entry, cause));
  }

  /** Evicts all entries, and any that are put from now on. */
  void close() {
    closed = true;
    evictIf(entry -> true, EvictionCause.CLOSE);
  }
}
