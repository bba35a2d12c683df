// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import dev.terrace.api.policy.TierFill;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a tier holds, and its figures. All methods may be called from any thread at any time, change
 * nothing, count no lookup and read no device.
 */
public interface TierView extends TierFill {

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

  /** Describes a resident block, without taking a reference. */
  Optional<BlockInfo> info(CacheFile file, long offset);

  /**
   * Whether the tier may hold a block. If not, it would refuse and count a put, so a caller need
   * not prepare one.
   */
  default boolean accepts(CacheFile file, long offset, int sizeBytes) {
    return true;
  }

  /** Whether other blocks of the file's quota would have to leave for a block. */
  default boolean isFull(CacheFile file, int sizeBytes) {
    return false;
  }

  /** The bytes that a block is likely to take: fewer in a tier that compresses. */
  default int estimatedStoredBytes(int sizeBytes) {
    return sizeBytes;
  }

  /** The likely size of stored bytes once they are served. */
  default long estimatedPlainBytes(long storedBytes) {
    return storedBytes;
  }

  /**
   * Largest number of bytes evicted at once; 0 if blocks leave one by one. Sizes the demotion
   * queue.
   */
  default long evictionUnitBytes() {
    return 0;
  }

  /** How much of a file is resident; zeros when nothing is. */
  FileUsage usage(CacheFile file);

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

  /** Visits a file's blocks, weakly consistent, at the cost of those blocks. */
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

  TierStats stats();

  /** What counts puts, evictions and misses, and tells a listener of them. */
  TierCounters counters();

  /**
   * Passes on the files of sampled hits, one counted hit in {@link HitRecorder#HITS_PER_SAMPLE}.
   *
   * @param files called on the reader's thread; must be quick and must not throw
   */
  void sampleHitsTo(Consumer<CacheFile> files);

  /**
   * Reports caching hits on sampled keys, if the tier can do so without slowing down other hits.
   *
   * @param sample null for none
   * @return whether it does
   */
  default boolean sampleKeys(KeySample sample) {
    return false;
  }

  @Override
  default long capacityBytes() {
    return space().capacityBytes();
  }
}
