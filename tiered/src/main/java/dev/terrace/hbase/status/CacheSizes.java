// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.BlockInfo;
import dev.terrace.api.TierStats;
import dev.terrace.api.TierView;
import dev.terrace.hbase.blocks.BlockTypes;
import dev.terrace.hbase.files.Memo;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** The sizes of all tiers together, for HBase's metrics and pages. Thread-safe. */
public final class CacheSizes {

  /** This many blocks are counted in a fraction of a millisecond. */
  private static final int FEW_BLOCKS = 1_000;

  private final List<? extends TierView> tiers;
  private final Memo<DataUsage> usage;
  private final LongSupplier leavingBytes;

  /** The sizes of some tiers, some bytes of which are those of blocks that leave first. */
  public CacheSizes(
      List<? extends TierView> tiers, LongSupplier leavingBytes, LongSupplier nanoClock) {
    this.tiers = tiers;
    this.usage = new Memo<>(() -> DataUsage.estimate(tiers), nanoClock);
    this.leavingBytes = leavingBytes;
  }

  /** Of all tiers: a block in two of them takes space twice, so it counts twice. */
  public TierStats.Space space() {
    return new TierStats.Space(
        sum(TierStats.Space::capacityBytes),
        sum(TierStats.Space::usedBytes),
        sum(TierStats.Space::payloadBytes),
        sum(TierStats.Space::blocks),
        sum(TierStats.Space::heapBytes));
  }

  private long sum(ToLongFunction<TierStats.Space> value) {
    return tiers.stream().map(TierView::space).mapToLong(value).sum();
  }

  /** Bytes that are neither resident nor leased, or of blocks that leave before all others. */
  public long freeBytes() {
    long capacityBytes = sum(TierStats.Space::capacityBytes);
    long takenBytes = tiers.stream().mapToLong(TierView::takenBytes).sum();
    return Math.min(
        capacityBytes, Math.max(0, capacityBytes - takenBytes) + leavingBytes.getAsLong());
  }

  /** The current usage if there are few blocks, otherwise a recent one. */
  public DataUsage ofData() {
    boolean areFew = sum(TierStats.Space::blocks) <= FEW_BLOCKS;
    return areFew ? DataUsage.estimate(tiers) : usage.get();
  }

  /** The resident blocks of data of some tiers, without indexes, bloom filters and the like. */
  public record DataUsage(long blocks, long bytes) {

    /** Sample size; a tier on SSD may hold tens of millions of blocks. */
    static final int SAMPLE_BLOCKS = 20_000;

    /**
     * Exact for tiers of up to {@link #SAMPLE_BLOCKS} blocks; extrapolates a sample of larger ones.
     */
    static DataUsage estimate(List<? extends TierView> tiers) {
      List<DataUsage> each = tiers.stream().map(DataUsage::estimate).toList();
      return new DataUsage(
          each.stream().mapToLong(DataUsage::blocks).sum(),
          each.stream().mapToLong(DataUsage::bytes).sum());
    }

    private static DataUsage estimate(TierView tier) {
      long seen = 0;
      long seenBytes = 0;
      long blocks = 0;
      long bytes = 0;
      Iterator<BlockInfo> all = tier.blocks();
      for (; all.hasNext() && seen < SAMPLE_BLOCKS; seen++) {
        BlockInfo block = all.next();
        seenBytes += block.sizeBytes();
        if (BlockTypes.isData(block.traits().type())) {
          blocks++;
          bytes += block.sizeBytes();
        }
      }
      if (!all.hasNext()) {
        return new DataUsage(blocks, bytes);
      }
      TierStats.Space space = tier.space();
      return new DataUsage(
          Math.round((double) blocks / seen * space.blocks()),
          Math.round((double) bytes / seenBytes * space.payloadBytes()));
    }
  }
}
