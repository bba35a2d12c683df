// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The counters of a tier. Each value is exact, but they are read one by one, so concurrent changes
 * may make sums inconsistent.
 *
 * @param space what the tier holds
 * @param leases what its readers hold
 * @param reads lookups
 * @param writes what was stored
 * @param events what was refused, left, or failed
 * @param paths the paths of a tier on devices, as configured; none in DRAM
 */
public record TierStats(
    Space space, Pins leases, Reads reads, Writes writes, Events events, List<PathStats> paths) {

  /**
   * What a tier holds.
   *
   * @param capacityBytes the configured size
   * @param usedBytes bytes allocated to resident blocks, including rounding
   * @param payloadBytes encoded bytes of resident blocks
   * @param blocks resident blocks
   * @param heapBytes estimated Java heap of the resident blocks' bookkeeping
   */
  public record Space(
      long capacityBytes, long usedBytes, long payloadBytes, long blocks, long heapBytes) {}

  /**
   * What the readers of a tier hold.
   *
   * @param bytes bytes of evicted blocks that are still being read, and of resident blocks with a
   *     long lease
   * @param longPins blocks with leases older than a minute
   * @param waitingRegions regions that cannot be reclaimed because readers have held blocks in them
   *     for seconds; 0 in a tier without regions
   * @param longestWaitNanos how long the first of them has been held; 0 if none waits
   */
  public record Pins(long bytes, LongPins longPins, int waitingRegions, long longestWaitNanos) {

    public static final Pins NONE = new Pins(0, LongPins.NONE, 0, 0);
  }

  /**
   * Blocks of a tier that every poll found leased for more than a minute. Their readers are slow,
   * such as a compaction that has not reached the block's next key, or never release them. A block
   * is first seen some time after its lease began, so ages are lower bounds.
   *
   * @param blocks the blocks
   * @param bytes bytes allocated to them
   * @param residentBytes the part of these bytes that belongs to blocks still resident
   * @param oldest how long ago the oldest of these leases was first seen; zero if there is none
   */
  public record LongPins(long blocks, long bytes, long residentBytes, Duration oldest) {

    /** No lease is that old, or the tier does not watch leases. */
    public static final LongPins NONE = new LongPins(0, 0, 0, Duration.ZERO);
  }

  /**
   * Lookups in a tier.
   *
   * @param hits hits by access and block type
   * @param misses lookups that found nothing, except {@link Access#UNCOUNTED} ones
   * @param hitNanos latency of sampled hits in the last minute
   * @param scrubbedBytes encoded bytes of blocks that the background scrub verified
   */
  public record Reads(
      HitRecorder.Counts hits, long misses, LatencySummary hitNanos, long scrubbedBytes) {

    /** Hits as a share of counted lookups, from 0 to 1; NaN before the first one. */
    public double hitRatio() {
      double counted = hits.counted();
      return counted / (counted + misses);
    }
  }

  /**
   * The distribution of a sample of latencies, in nanoseconds. Values for which the sample is too
   * small are NaN.
   *
   * @param samples how many were measured
   * @param mean NaN without a sample
   * @param p50 the median; NaN without a sample
   * @param p99 the 99th percentile; NaN below 100 samples, where it would be the largest
   * @param max the largest; NaN without a sample
   */
  public record LatencySummary(long samples, double mean, double p50, double p99, double max) {

    public static final LatencySummary NONE =
        new LatencySummary(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    private static final int MIN_FOR_P99 = 100;

    /** Drops a percentile for which the sample is too small. */
    public LatencySummary {
      p99 = samples < MIN_FOR_P99 ? Double.NaN : p99;
    }
  }

  /**
   * What a tier has stored.
   *
   * @param puts blocks stored
   * @param putBytes their bytes as the tier stores them, compressed and encrypted
   * @param putPlainBytes their encoded bytes before that
   * @param compressionRatio how many times smaller stored blocks are on average, including those
   *     found at the start; 1 if blocks are stored as they are
   * @param rewrittenBytes encoded bytes of blocks that a reclaim rewrote to keep them; on top of
   *     {@code putBytes}
   */
  public record Writes(
      long puts, long putBytes, long putPlainBytes, double compressionRatio, long rewrittenBytes) {}

  /** What a tier refused, what left it, and what failed. Zero counts are left out. */
  public record Events(
      Map<PutOutcome, Long> refusals,
      Map<EvictionCause, Long> evictions,
      Map<TierFault, Long> faults) {

    /** Devices that are out of service now: their blocks count as resident, but are misses. */
    public long devicesOut() {
      return now(TierFault.DEVICE_OUT, TierFault.DEVICE_BACK);
    }

    /** Devices that now serve their blocks, but take no new ones because writes fail. */
    public long devicesReadOnly() {
      return now(TierFault.DEVICE_READ_ONLY, TierFault.DEVICE_WRITABLE);
    }

    /** How many devices are in a state: those that entered it minus those that left. */
    private long now(TierFault begin, TierFault end) {
      // The two are counted one after the other.
      return Math.max(0, faults.getOrDefault(begin, 0L) - faults.getOrDefault(end, 0L));
    }
  }
}
