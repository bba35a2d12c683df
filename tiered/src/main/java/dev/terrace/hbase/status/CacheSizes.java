// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.Amount;
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

  /** Sample size; a tier on SSD may hold tens of millions of blocks. */
  static final int SAMPLE_BLOCKS = 20_000;

  private final List<? extends TierView> tiers;
  private final Memo<Amount> data;
  private final LongSupplier leavingBytes;

  /** The sizes of some tiers, some bytes of which are those of blocks that leave first. */
  public CacheSizes(
      List<? extends TierView> tiers, LongSupplier leavingBytes, LongSupplier nanoClock) {
    this.tiers = tiers;
    this.data = new Memo<>(this::estimate, nanoClock);
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

  /** The blocks of data: the current ones if there are few blocks, otherwise recent ones. */
  public Amount ofData() {
    return sum(TierStats.Space::blocks) <= FEW_BLOCKS ? estimate() : data.get();
  }

  private Amount estimate() {
    return tiers.stream().map(CacheSizes::estimate).reduce(Amount.NONE, Amount::plus);
  }

  /**
   * The resident blocks of data, without indexes, bloom filters and the like: exact for a tier of
   * up to {@link #SAMPLE_BLOCKS} blocks, extrapolated from a sample of a larger one.
   */
  static Amount estimate(TierView tier) {
    long seen = 0;
    long seenBytes = 0;
    Amount data = Amount.NONE;
    Iterator<BlockInfo> all = tier.blocks();
    for (; all.hasNext() && seen < SAMPLE_BLOCKS; seen++) {
      BlockInfo block = all.next();
      seenBytes += block.sizeBytes();
      if (BlockTypes.isData(block.traits().type())) {
        data = data.plus(new Amount(1, block.sizeBytes()));
      }
    }
    if (!all.hasNext()) {
      return data;
    }
    TierStats.Space space = tier.space();
    return new Amount(
        Math.round((double) data.blocks() / seen * space.blocks()),
        Math.round((double) data.bytes() / seenBytes * space.payloadBytes()));
  }
}
