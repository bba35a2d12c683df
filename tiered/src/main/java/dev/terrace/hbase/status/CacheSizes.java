// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.Tier;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.files.Memo;
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
}
