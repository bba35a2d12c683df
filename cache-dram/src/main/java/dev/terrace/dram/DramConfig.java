// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * The settings of a DRAM tier.
 *
 * @param capacityBytes the tier's total direct memory; at least {@link #MIN_CAPACITY_BYTES}
 * @param protectedShare the share of the capacity that protected blocks (indexes, bloom filters,
 *     in-memory families) may hold against all others, from 0 to 1
 * @param heapBytes limit on the Java heap of the blocks' objects; if too many small blocks would
 *     fit, each counts as larger than it is
 */
public record DramConfig(long capacityBytes, double protectedShare, long heapBytes) {

  static final String NAME = "dram";

  /** A block of 64 KB with its header. */
  static final int COMMON_BLOCK_PAGES = 130;

  /** Whether references take 8 bytes, as with ZGC, or with a heap above 32 GB. */
  private static final boolean WIDE_REFERENCES = hasWideReferences();

  /** Heap of an entry with its policy node and map slots. */
  static final int HEAP_PER_ENTRY = WIDE_REFERENCES ? 196 : 136;

  /** Heap of a decoded object with its buffer, count and context. */
  static final int HEAP_PER_OBJECT = WIDE_REFERENCES ? 436 : 304;

  /** Heap of a block of common size, which usually has an object. */
  public static final int HEAP_PER_BLOCK = HEAP_PER_ENTRY + HEAP_PER_OBJECT;

  /** Heap of one of many small blocks, few of which have an object. */
  static final int HEAP_PER_SMALL_BLOCK = WIDE_REFERENCES ? 288 : 200;

  /**
   * Share of the capacity that the policy leaves free, for evicted blocks that readers still hold,
   * and so that most blocks get a single run of pages (docs/decisions/0002-dram-memory.md).
   */
  private static final double HEADROOM = 0.03;

  public static final long MIN_CAPACITY_BYTES = 1 << 20;
  public static final long MAX_CAPACITY_BYTES = Chunk.MAX_CHUNKS * (long) Chunk.MAX_BYTES;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the value that is out of range
   */
  public DramConfig {
    if (capacityBytes < MIN_CAPACITY_BYTES || capacityBytes > MAX_CAPACITY_BYTES) {
      throw new IllegalArgumentException(
          "capacityBytes=%d is outside %d to %d"
              .formatted(capacityBytes, MIN_CAPACITY_BYTES, MAX_CAPACITY_BYTES));
    }
    if (!(protectedShare >= 0 && protectedShare <= 1)) {
      throw new IllegalArgumentException(
          "protectedShare=" + protectedShare + " is not from 0 to 1");
    }
    if (heapBytes <= 0) {
      throw new IllegalArgumentException("heapBytes=" + heapBytes + " is not positive");
    }
  }

  private static boolean hasWideReferences() {
    var jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return jvm != null && jvm.getVMOption("UseCompressedOops").getValue().equals("false");
  }

  public DramConfig(long capacityBytes, double protectedShare) {
    this(capacityBytes, protectedShare, Long.MAX_VALUE);
  }

  /**
   * The fewest pages that a block counts as in a tier of this capacity. A block of common size
   * always counts as its true size: if even those need too much heap, the tier is too large for the
   * heap.
   */
  int minPages(long bytes) {
    long pagesOfOneShare = roomPages(bytes) * HEAP_PER_SMALL_BLOCK / heapBytes;
    return (int) Math.min(COMMON_BLOCK_PAGES, pagesOfOneShare + 1);
  }

  /** The pages of a capacity that the policy may use. */
  static long roomPages(long capacityBytes) {
    return (long) (capacityBytes * (1 - HEADROOM)) / Chunk.PAGE_BYTES;
  }
}
