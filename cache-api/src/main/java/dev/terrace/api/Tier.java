// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import dev.terrace.api.policy.TierFill;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;

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
public interface Tier<B> extends TierFill, AutoCloseable {

  /** Sets the receiver of evicted blocks. Call it at most once, before first use. */
  void demoteTo(DemotionTarget<B> target);

  /**
   * Passes on the files of sampled hits, one counted hit in {@link HitRecorder#HITS_PER_SAMPLE}.
   *
   * @param files called on the reader's thread; must be quick and must not throw
   */
  void sampleHitsTo(Consumer<CacheFile> files);

  /** Reports puts and evictions to a listener. Call it at most once, before first use. */
  void setListener(TierListener listener);

  /**
   * Counts a file's blocks, now and later, toward a quota of this tier. Evicts none: see {@link
   * #evictAboveQuotas}.
   */
  void setQuota(CacheFile file, Quota quota);

  /** Evicts blocks above their quotas. Visits no blocks of other files. */
  void evictAboveQuotas();

  /**
   * Reports caching hits on sampled keys, if the tier can do so without slowing down other hits.
   *
   * @param sample null for none
   * @return whether it does
   */
  default boolean sampleKeys(KeySample sample) {
    return false;
  }

  /**
   * Largest number of bytes evicted at once; 0 if blocks leave one by one. Sizes the demotion
   * queue.
   */
  default long evictedAtOnceBytes() {
    return 0;
  }

  /**
   * Reports how long a reader took to get a block from the store below the cache. If a device is
   * slower, some of its readers miss at once.
   */
  default void storeRead(long nanos) {}

  /**
   * Looks a block up.
   *
   * @param file the block's file
   * @param offset where the block starts in its file
   * @param access how the lookup is counted
   * @return the block with one more reference, which the caller releases; null on a miss
   */
  B get(CacheFile file, long offset, Access access);

  /** Whether the block is resident. Not counted as a lookup. */
  boolean contains(CacheFile file, long offset);

  /**
   * Whether the block is resident, or a recovery may still find it on a device. If so, only an
   * eviction keeps it from being served. False for a block on a device that does not answer, or has
   * too many readers: it stays for later, as a block under the same key has the same content.
   */
  default boolean mayHold(CacheFile file, long offset) {
    return contains(file, offset);
  }

  /** Whether recovery after a restart is complete. */
  default boolean isRecovered() {
    return true;
  }

  /** Describes a resident block, without taking a reference. Not counted as a lookup. */
  Optional<BlockInfo> info(CacheFile file, long offset);

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
   * Whether the tier may hold a block. If not, it would refuse and count a put, so a caller need
   * not prepare one.
   */
  default boolean accepts(CacheFile file, long offset, int sizeBytes) {
    return true;
  }

  /** The bytes that a block is likely to take: fewer in a tier that compresses. */
  default int likelyBytes(int sizeBytes) {
    return sizeBytes;
  }

  /** The likely size of stored bytes once they are served. */
  default long likelyServedBytes(long storedBytes) {
    return storedBytes;
  }

  /**
   * Takes a copy of a block. The caller keeps its reference to {@code block} and may release it as
   * soon as this returns.
   *
   * @return the outcome; a refusal is counted under its reason
   */
  PutOutcome put(CacheFile file, long offset, B block, BlockTraits traits);

  /**
   * Takes a copy of a block that was hit in a tier below and stays there, as {@link #put(CacheFile,
   * long, Object, BlockTraits)} does. A refusal costs a read there and no miss, so a tier may
   * accept less.
   *
   * @return the outcome; the caller counts {@link PutOutcome#NOT_ADMITTED}
   */
  default PutOutcome promote(CacheFile file, long offset, B block, BlockTraits traits) {
    return put(file, offset, block, traits);
  }

  /**
   * Takes a copy of a block, as {@link #put(CacheFile, long, Object, BlockTraits)} does. Where that
   * would return {@link PutOutcome#BUSY}, it waits for room first, while the tier's device makes
   * progress. It does not wait for a write limit.
   *
   * @param maxWaitNanos longest wait; 0 for none
   */
  default PutOutcome put(
      CacheFile file, long offset, B block, BlockTraits traits, long maxWaitNanos) {
    return put(file, offset, block, traits);
  }

  /**
   * Drops a block. Readers that hold it may keep reading it. If the tier survives a restart, so
   * does the eviction; it survives a kill if it is at least a second old.
   *
   * @return whether it was resident
   */
  boolean evict(CacheFile file, long offset);

  /**
   * Drops all blocks of a file, at the cost of that file's blocks. Survives a restart as {@link
   * #evict} does.
   *
   * @return how many were resident
   */
  int evictFile(CacheFile file);

  /**
   * Drops the blocks of a file that start in a range, at the cost of that file's blocks. Survives a
   * restart as {@link #evict} does.
   *
   * @param fromOffset the first offset of the range
   * @param toOffset the last offset of the range, inclusive
   * @return how many were resident
   */
  int evictRange(CacheFile file, long fromOffset, long toOffset);

  /** Counts a hit that the block had in a tier above. */
  void touch(CacheFile file, long offset);

  /**
   * Marks a file's current blocks as first to evict. A hit may clear the mark, of its block or of
   * the whole file. Costs about as much as visiting the blocks.
   *
   * @param first false to clear the mark
   */
  void evictFirst(CacheFile file, boolean first);

  /** How much of a file is resident; zeros when nothing is. */
  FileUsage usage(CacheFile file);

  /** Receives the blocks of a file. */
  @FunctionalInterface
  interface BlockVisitor {
    /**
     * A block.
     *
     * @param offset where it starts
     * @param sizeBytes its encoded size
     * @param hits how often it was hit since the tier last examined it, up to 3
     */
    void block(long offset, int sizeBytes, BlockTraits traits, int hits);
  }

  /** Visits a snapshot of a file's blocks, at the cost of those blocks. */
  void forEachBlock(CacheFile file, BlockVisitor visitor);

  /** The resident files, weakly consistent. */
  Iterator<FileUsage> files();

  /** The resident blocks, weakly consistent: concurrent changes may or may not be seen. */
  Iterator<BlockInfo> blocks();

  /** The resident blocks, the most valuable first if the tier can rank them. */
  default Iterator<BlockInfo> hottestBlocks() {
    return blocks();
  }

  /**
   * Bytes that are not free: of resident blocks, and of evicted ones with readers. Visits no block,
   * region or file.
   */
  long takenBytes();

  /** What the tier holds. Visits no block, region or file. */
  TierStats.Space space();

  /** The counters as they are now. */
  TierStats stats();

  @Override
  default long capacityBytes() {
    return space().capacityBytes();
  }

  /** Drops all blocks and refuses further puts. Leased memory stays valid until its release. */
  @Override
  void close();
}
