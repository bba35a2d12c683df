// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.Tier;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.blocks.BlockTypes;
import dev.terrace.hbase.files.Memo;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** The sizes of all tiers together, as HBase's metrics and pages ask for them. Thread-safe. */
public final class CacheSizes {

  /** So few are counted in a fraction of a millisecond. */
  private static final int FEW_BLOCKS = 1_000;

  private final List<? extends Tier<?>> tiers;
  private final Memo<BlockUsage> usage;
  private final Memo<Long> leavingBytes;

  /**
   * The sizes of some tiers.
   *
   * @param leaving the files whose blocks leave before all others
   */
  public CacheSizes(List<? extends Tier<?>> tiers, Set<String> leaving, LongSupplier nanoClock) {
    this.tiers = tiers;
    this.usage = new Memo<>(() -> BlockUsage.estimate(tiers), nanoClock);
    this.leavingBytes = new Memo<>(() -> bytesOf(leaving), nanoClock);
  }

  private long bytesOf(Set<String> files) {
    return tiers.stream()
        .mapToLong(tier -> files.stream().mapToLong(file -> tier.usage(file).payloadBytes()).sum())
        .sum();
  }

  private long sum(ToLongFunction<TierStats> value) {
    return tiers.stream().map(Tier::stats).mapToLong(value).sum();
  }

  /** The blocks as they are now if they are few, else as they were a moment ago. */
  private BlockUsage usage() {
    return sum(stats -> stats.space().blocks()) <= FEW_BLOCKS
        ? BlockUsage.estimate(tiers)
        : usage.get();
  }

  public long capacityBytes() {
    return sum(stats -> stats.space().capacityBytes());
  }

  /** Neither resident nor leased, or of blocks that leave before all others. */
  public long freeBytes() {
    long free = sum(tier -> Math.max(0, tier.space().capacityBytes() - tier.takenBytes()));
    return Math.min(capacityBytes(), free + leavingBytes.get());
  }

  public long usedBytes() {
    return sum(stats -> stats.space().usedBytes());
  }

  public long dataBytes() {
    return usage().dataBytes();
  }

  /** A block in several tiers counts once. */
  public long blocks() {
    return usage().blocks();
  }

  public long dataBlocks() {
    return usage().dataBlocks();
  }

  /** The Java heap that the bookkeeping takes; the blocks are elsewhere. */
  public long heapBytes() {
    return sum(stats -> stats.space().heapBytes());
  }

  /**
   * The resident blocks of some tiers. A block in two tiers counts once, and its bytes twice,
   * because they take space twice.
   *
   * @param blocks how many there are
   * @param dataBlocks those without indexes, bloom filters and the like
   * @param dataBytes encoded bytes of the data blocks
   */
  public record BlockUsage(long blocks, long dataBlocks, long dataBytes) {

    /** Sample size; a tier on SSD may hold tens of millions of blocks. */
    static final int SAMPLE_BLOCKS = 20_000;

    /**
     * Exact for tiers of up to {@link #SAMPLE_BLOCKS} blocks; of larger ones a sample is scaled.
     *
     * @param tiers the highest first
     */
    public static BlockUsage estimate(List<? extends Tier<?>> tiers) {
      BlockUsage sum = new BlockUsage(0, 0, 0);
      for (int i = 0; i < tiers.size(); i++) {
        sum = sum.plus(estimate(tiers.get(i), tiers.subList(i + 1, tiers.size())));
      }
      return sum;
    }

    private BlockUsage plus(BlockUsage other) {
      return new BlockUsage(
          blocks + other.blocks, dataBlocks + other.dataBlocks, dataBytes + other.dataBytes);
    }

    /** The blocks of a tier that no tier below has, and the bytes of all of its blocks. */
    private static BlockUsage estimate(Tier<?> tier, List<? extends Tier<?>> below) {
      long seen = 0;
      long seenBytes = 0;
      long blocks = 0;
      long dataBlocks = 0;
      long dataBytes = 0;
      Iterator<BlockInfo> all = tier.blocks();
      while (all.hasNext() && seen < SAMPLE_BLOCKS) {
        BlockInfo block = all.next();
        boolean isData = BlockTypes.isData(block.traits().type());
        boolean isCopy = below.stream().anyMatch(lower -> has(lower, block));
        seen++;
        seenBytes += block.sizeBytes();
        dataBytes += isData ? block.sizeBytes() : 0;
        blocks += isCopy ? 0 : 1;
        dataBlocks += isData && !isCopy ? 1 : 0;
      }
      if (!all.hasNext()) {
        return new BlockUsage(blocks, dataBlocks, dataBytes);
      }
      TierStats.Space space = tier.stats().space();
      double perBlock = (double) space.blocks() / seen;
      return new BlockUsage(
          Math.round(blocks * perBlock),
          Math.round(dataBlocks * perBlock),
          Math.round((double) dataBytes / seenBytes * space.payloadBytes()));
    }

    private static boolean has(Tier<?> tier, BlockInfo block) {
      return tier.contains(block.key().file(), block.key().offset());
    }
  }
}
