// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.trace;

import dev.terrace.api.BlockKey;
import dev.terrace.tiered.plan.SizeCurves;
import dev.terrace.tiered.plan.TierSizes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A sequence of block accesses. Blocks are numbered from 0 in the order of their first access, and
 * each has one size. A trace may be a sample of the blocks, with all accesses to them. Immutable.
 */
public final class Trace {

  private final int[] accesses;
  private final int[] sizesBytes;
  private final long distinctBytes;
  private final int unitBytes;
  private final int oneIn;
  private final long allAccesses;
  private final String origin;

  private Trace(int[] accesses, int[] sizesBytes, int oneIn, long allAccesses, String origin) {
    this.oneIn = oneIn;
    this.allAccesses = allAccesses;
    this.origin = origin;
    this.accesses = accesses;
    this.sizesBytes = sizesBytes;
    this.distinctBytes = Arrays.stream(sizesBytes).asLongStream().sum();
    this.unitBytes = Arrays.stream(sizesBytes).reduce(0, Trace::greatestCommonDivisor);
  }

  private static int greatestCommonDivisor(int one, int other) {
    return other == 0 ? one : greatestCommonDivisor(other, one % other);
  }

  /**
   * Sends all accesses to a cache.
   *
   * @param cache looks a block up, puts it on a miss, and returns whether it was a hit
   * @return the number of hits
   */
  public long hits(IntPredicate cache) {
    return Arrays.stream(accesses).filter(cache).count();
  }

  public int length() {
    return accesses.length;
  }

  public int block(int access) {
    return accesses[access];
  }

  public int sizeBytes(int block) {
    return sizesBytes[block];
  }

  public int distinctBlocks() {
    return sizesBytes.length;
  }

  public long distinctBytes() {
    return distinctBytes;
  }

  /** The greatest common divisor of all block sizes, in bytes. */
  public int unitBytes() {
    return unitBytes;
  }

  /** Sampling factor: one block in this many is in the trace; 1 if it is complete. */
  public int oneIn() {
    return oneIn;
  }

  /**
   * A sample of the blocks, with all accesses to them.
   *
   * @param blocks takes about one block in this many
   */
  public Trace sample(int blocks) {
    long below = (1L << Integer.SIZE) / blocks;
    Builder sample = new Builder().recorded(oneIn * blocks, allAccesses, origin);
    for (int block : accesses) {
      if (BlockKey.hash(block) >>> Integer.SIZE < below) {
        sample.add(block, sizesBytes[block]);
      }
    }
    return sample.build();
  }

  /** Predicted hits and SSD writes of these accesses at other tier sizes. */
  public List<SizeCurves.Outlook> outlooks(TierSizes today, boolean endurance) {
    SizeCurves curves = new SizeCurves(today, oneIn, (tier, size) -> size, endurance);
    List<SizeCurves.Count> start = curves.counts();
    for (int block : accesses) {
      curves.access(BlockKey.hash(block), sizesBytes[block]);
    }
    return curves.outlooks(start, allAccesses);
  }

  /** Where and how it was recorded, for people; empty if that is unknown. */
  public String origin() {
    return origin;
  }

  /** Collects accesses. */
  public static final class Builder {

    private final Map<Long, Integer> numbers = new HashMap<>();
    private final IntStream.Builder accesses = IntStream.builder();
    private final IntStream.Builder sizesBytes = IntStream.builder();
    private int oneIn = 1;
    private long allAccesses = -1;
    private String origin = "";

    /**
     * Adds an access. The size in a block's first access counts: a block never changes.
     *
     * @param sizeBytes at least 1
     */
    public Builder add(long key, int sizeBytes) {
      int fresh = numbers.size();
      int block = numbers.computeIfAbsent(key, absent -> fresh);
      if (block == fresh) {
        sizesBytes.add(sizeBytes);
      }
      accesses.add(block);
      return this;
    }

    /**
     * Sets the metadata of a recording.
     *
     * @param blocks one block in this many was recorded
     * @param all the number of accesses to all blocks; -1 if unknown
     * @param text where and how it was recorded
     */
    public Builder recorded(int blocks, long all, String text) {
      oneIn = blocks;
      allAccesses = all;
      origin = text;
      return this;
    }

    public boolean isEmpty() {
      return numbers.isEmpty();
    }

    public Trace build() {
      int[] all = accesses.build().toArray();
      long of = allAccesses < 0 ? (long) all.length * oneIn : allAccesses;
      return new Trace(all, sizesBytes.build().toArray(), oneIn, of, origin);
    }
  }
}
