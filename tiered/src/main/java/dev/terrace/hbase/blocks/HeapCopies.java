// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static dev.terrace.hbase.blocks.CopyFreeReads.FILTER;
import static dev.terrace.hbase.blocks.CopyFreeReads.NO_CALL;
import static dev.terrace.hbase.blocks.CopyFreeReads.OTHER_CALL;
import static dev.terrace.hbase.blocks.CopyFreeReads.REGION;
import static dev.terrace.hbase.blocks.CopyFreeReads.SCANNER;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HeapBlocks;
import org.apache.hadoop.hbase.nio.BufferHolders;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * Copies hits to the heap for callers that may use a block after its release, as HBase and its
 * coprocessors do. The garbage collector frees a copy once nothing refers to it, so callers may
 * keep it for good. {@link CopyFreeReads} need no copy.
 *
 * <p>Copied hits are counted by the reason. Index and Bloom filter blocks are never copied: only
 * HBase's own readers get them, and those copy the keys that they keep, and release the block
 * before they return.
 */
public final class HeapCopies {

  /** The start of the reason for which an observer's hits are copied; its class follows. */
  public static final String OBSERVER = CopyFreeReads.OBSERVER;

  /** Maximum number of reasons, so that classes cannot become metrics without end. */
  private static final int MAX_REASONS = 20;

  private final CopyFreeReads proven;
  private final Map<String, LongAdder> hits = new ConcurrentHashMap<>();

  /**
   * Copies for a server's readers.
   *
   * @param server the region server, if it is known yet
   * @param startsEmpty whether the cache has no block yet
   */
  public HeapCopies(Supplier<Optional<HRegionServer>> server, boolean startsEmpty) {
    this.proven = new CopyFreeReads(server, startsEmpty);
    List.of(NO_CALL, OTHER_CALL, SCANNER, FILTER, REGION)
        .forEach(reason -> hits.put(reason, new LongAdder()));
  }

  /** Called before a region server's threads may look blocks up. Until then nothing is copied. */
  public void startServing() {
    proven.startServing();
  }

  /**
   * Called at each miss and each put, to notice a server that is not known.
   *
   * @param isAhead whether a block is put that nobody has read
   */
  public void recordCaller(boolean isAhead) {
    proven.recordCaller(isAhead);
  }

  /** Whether the current thread needs a copy of a block that it has found. */
  public boolean isNeededFor(Cacheable block) {
    // Outside a server, a typical hit takes a few dozen nanoseconds: this adds one.
    return proven.reasonAgainstCurrent() != null
        && !isOfIndexOrFilter(block.getBlockType())
        && block instanceof HFileBlock found
        && found.isSharedMem();
  }

  private static boolean isOfIndexOrFilter(BlockType type) {
    return type == BlockType.LEAF_INDEX
        || type == BlockType.INTERMEDIATE_INDEX
        || type == BlockType.ROOT_INDEX
        || type == BlockType.BLOOM_CHUNK;
  }

  /**
   * Copies a block to the heap, or finds the copy that another reader still has.
   *
   * @param block one reference to it is released in any case
   * @return the copy, which need not be released
   */
  public HFileBlock of(HFileBlock block) {
    count(Objects.requireNonNullElse(proven.reasonAgainstCurrent(), NO_CALL));
    try {
      if (!(BufferHolders.of(block.getBufferReadOnly()) instanceof StripedRefCount holders)) {
        return HeapBlocks.copyOf(block);
      }
      HFileBlock copy = holders.heapCopy();
      if (copy == null) {
        copy = HeapBlocks.copyOf(block);
        holders.keepHeapCopy(copy);
      }
      return copy;
    } finally {
      block.release();
    }
  }

  /** Counts a hit that was copied. */
  void count(String reason) {
    boolean isOther = hits.size() >= MAX_REASONS && !hits.containsKey(reason);
    hits.computeIfAbsent(isOther ? OBSERVER + "others" : reason, added -> new LongAdder())
        .increment();
  }

  /** The number of hits that were copies, by the reason; an observer's has its class. */
  public Map<String, Long> hits() {
    Map<String, Long> sums = new TreeMap<>();
    hits.forEach((reason, count) -> sums.put(reason, count.sum()));
    return sums;
  }
}
