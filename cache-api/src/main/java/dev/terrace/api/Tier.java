// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.nio.ByteBuffer;

/**
 * One level of the cache: a bounded set of immutable blocks, keyed by file and offset.
 *
 * <p>All methods may be called from any thread at any time, even twice or after {@link #close}:
 * then a lookup misses, a put is refused and an eviction finds nothing. In a tier on files, {@link
 * #get}, {@link #head} and {@link #verify} read the device, for a bounded time, and a put with a
 * waiting time may wait for room; no other method waits for I/O. No method throws because of the
 * cache's contents: normal outcomes are values.
 *
 * @param <B> the object that readers use; {@link BlockCodec} counts its holders
 */
public interface Tier<B> extends TierView, AutoCloseable {

  /** Sets the receiver of evicted blocks. Call it at most once, before first use. */
  void demoteTo(DemotionTarget<B> target);

  /**
   * Looks a block up.
   *
   * @param file the block's file
   * @param offset where the block starts in its file
   * @param access how the lookup is counted
   * @return the block with one more reference, which the caller releases; null on a miss
   */
  B get(CacheFile file, long offset, Access access);

  /**
   * Copies the first bytes of a resident block's encoding, without reading the rest or verifying
   * the checksum. Not counted as a lookup.
   *
   * @param target receives the bytes in its remaining room; its position does not change; it may be
   *     partly written if this returns false
   * @return false if there is no such block, it is shorter, or it cannot be read now
   */
  boolean head(CacheFile file, long offset, ByteBuffer target);

  /**
   * Verifies the checksum of a resident block, if this tier trusts bytes that it has verified once.
   * Call it after copying them to another tier. Drops a damaged block. Not counted as a lookup.
   *
   * @return true if the bytes are right, or if lookups verify anyway
   */
  default boolean verify(CacheFile file, long offset) {
    return true;
  }

  /**
   * Takes a copy of a block. The caller keeps its reference to {@code block} and may release it as
   * soon as this returns. Where the answer would be {@link PutOutcome#BUSY}, it waits for room
   * first, while the tier's device makes progress. It does not wait for a write limit.
   *
   * @param maxWaitNanos longest wait; 0 for none
   * @return the outcome; a refusal is counted under its reason
   */
  PutOutcome put(CacheFile file, long offset, B block, BlockTraits traits, long maxWaitNanos);

  /**
   * Takes a copy of a block that was hit in a tier below and stays there, as {@link #put} does
   * without waiting. A refusal costs a read there and no miss, so a tier may accept less.
   *
   * @return the outcome; the caller counts {@link PutOutcome#NOT_ADMITTED}
   */
  default PutOutcome promote(CacheFile file, long offset, B block, BlockTraits traits) {
    return put(file, offset, block, traits, 0);
  }

  /**
   * Drops the blocks of a file that start in a range, at the cost of that file's blocks, or of one
   * if the range is one offset. Readers that hold a block may keep reading it. If the tier survives
   * a restart, so does the eviction; it survives a kill if it is at least a second old.
   *
   * @param fromOffset the first offset of the range; {@link Long#MIN_VALUE} for a file that is
   *     dropped
   * @param toOffset the last offset of the range, inclusive
   * @return how many were resident
   */
  int evict(CacheFile file, long fromOffset, long toOffset);

  /** Counts a hit that the block had in a tier above. */
  void touch(CacheFile file, long offset);

  /**
   * Marks a file's current blocks as first to evict. A hit may clear the mark, of its block or of
   * the whole file. Costs about as much as visiting the blocks.
   *
   * @param first false to clear the mark
   */
  void setEvictFirst(CacheFile file, boolean first);

  /**
   * Counts a file's blocks, now and later, toward a quota of this tier, and evicts blocks of the
   * quota that are above it.
   */
  void setQuota(CacheFile file, Quota quota);

  /** Drops all blocks and refuses further puts. Leased memory stays valid until its release. */
  @Override
  void close();
}
