// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.Access;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.blocks.BlockTypes;
import java.util.Date;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.CacheStats;

/**
 * The statistics as HBase's metrics and pages read them. The tiers count the hits, exactly and
 * without a contended counter, and what was refused; the superclass counts the misses, what left,
 * and the few hits that are reported to it.
 *
 * <p>The tiers do not know which replica a block was cached for: all evicted blocks count as those
 * of a primary. An eviction is of one block. Thread-safe, but for the rolling of periods, which is
 * one thread's.
 */
public class TerraceCacheStats extends CacheStats {

  private final Supplier<Stream<TierStats>> tiers;
  private final long startNanos;
  private final StatsPeriods periods;

  /**
   * Statistics over tiers. Nothing rolls the periods but {@link #rollMetricsPeriod}.
   *
   * @param periods how many periods the sliding window has, and how long each one is
   */
  public TerraceCacheStats(Supplier<Stream<TierStats>> tiers, StatsPeriods periods) {
    super("Terrace", periods.count());
    this.tiers = tiers;
    this.startNanos = System.nanoTime();
    this.periods = periods;
  }

  private long hits(ToLongFunction<HitRecorder.Counts> counts) {
    return tiers.get().mapToLong(stats -> counts.applyAsLong(stats.reads().hits())).sum();
  }

  private long hitsOfType(int type) {
    return hits(counts -> counts.ofType(type));
  }

  @Override
  public long getHitCount() {
    return super.getHitCount() + hits(HitRecorder.Counts::counted);
  }

  @Override
  public long getPrimaryHitCount() {
    return super.getPrimaryHitCount()
        + hits(counts -> counts.of(Access.CACHING) + counts.of(Access.PASSING));
  }

  @Override
  public long getHitCachingCount() {
    return super.getHitCachingCount()
        + hits(counts -> counts.of(Access.CACHING) + counts.of(Access.CACHING_REPLICA));
  }

  @Override
  public long getDataHitCount() {
    return super.getDataHitCount()
        + hitsOfType(BlockTypes.DATA)
        + hitsOfType(BlockTypes.ENCODED_DATA);
  }

  @Override
  public long getLeafIndexHitCount() {
    return super.getLeafIndexHitCount() + hitsOfType(BlockTypes.LEAF_INDEX);
  }

  @Override
  public long getBloomChunkHitCount() {
    return super.getBloomChunkHitCount() + hitsOfType(BlockTypes.BLOOM_CHUNK);
  }

  @Override
  public long getMetaHitCount() {
    return super.getMetaHitCount() + hitsOfType(BlockTypes.META);
  }

  @Override
  public long getRootIndexHitCount() {
    return super.getRootIndexHitCount() + hitsOfType(BlockTypes.ROOT_INDEX);
  }

  @Override
  public long getIntermediateIndexHitCount() {
    return super.getIntermediateIndexHitCount() + hitsOfType(BlockTypes.INTERMEDIATE_INDEX);
  }

  @Override
  public long getFileInfoHitCount() {
    return super.getFileInfoHitCount() + hitsOfType(BlockTypes.FILE_INFO);
  }

  @Override
  public long getGeneralBloomMetaHitCount() {
    return super.getGeneralBloomMetaHitCount() + hitsOfType(BlockTypes.GENERAL_BLOOM_META);
  }

  @Override
  public long getDeleteFamilyBloomHitCount() {
    return super.getDeleteFamilyBloomHitCount() + hitsOfType(BlockTypes.DELETE_FAMILY_BLOOM_META);
  }

  @Override
  public long getTrailerHitCount() {
    return super.getTrailerHitCount() + hitsOfType(BlockTypes.TRAILER);
  }

  /**
   * Counts a block that left to make room. Those that moved to another tier do not count, nor do
   * those that were evicted with their file or by their key.
   *
   * @param ageNanos since it came into the tier that it left
   */
  public void lost(long ageNanos) {
    // HBase takes the time since these statistics began for the age.
    evicted(startNanos + ageNanos, true);
  }

  @Override
  public long getEvictionCount() {
    return getEvictedCount();
  }

  @Override
  public long getPrimaryEvictedCount() {
    return getEvictedCount();
  }

  @Override
  public void rollMetricsPeriod() {
    super.rollMetricsPeriod();
    periods.rolled();
  }

  /**
   * When each period of the window began; null for those to come. Declared by HBase from 2.6 on.
   */
  // MissingOverride: not in the 2.5 line, as the others below.
  @SuppressWarnings("MissingOverride")
  public Date[] getWindowPeriods() {
    return periods.starts();
  }

  @SuppressWarnings("MissingOverride")
  public int getPeriodTimeInMinutes() {
    return periods.minutes();
  }

  /** Null: this class starts no thread. */
  @SuppressWarnings("MissingOverride")
  public ScheduledExecutorService getMetricsRollerScheduler() {
    return null;
  }
}
