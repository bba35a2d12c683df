// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.api.Access;
import dev.terrace.api.HitRecorder;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.blocks.BlockTypes;
import java.util.Date;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;

/**
 * The statistics for HBase's metrics and pages. The tiers count the hits, exactly and without a
 * contended counter, and the refusals; the superclass counts the misses, the evictions, and the few
 * hits that are reported to it.
 *
 * <p>The tiers do not know which replica a block was cached for, so all evicted blocks count as
 * those of a primary. Each evicted block counts as one eviction. Thread-safe, except that only one
 * thread may roll the periods.
 */
public class TerraceCacheStats extends CacheStats {

  /** HBase's own keys and defaults; the 2.5 line lacks the constants. */
  private static final String MINUTES_KEY = "hbase.blockcache.stats.period.minutes";

  private static final String COUNT_KEY = "hbase.blockcache.stats.periods";
  private static final int DEFAULT_MINUTES = 5;
  private static final int DEFAULT_COUNT = 12;

  private final Supplier<Stream<TierStats>> tiers;
  private final long startNanos;
  private final int periodMinutes;
  private final Date[] periodStarts;
  private final LongSupplier millisClock;
  private int nextPeriod;

  /**
   * Statistics over tiers, with the sliding window of HBase's settings. Only {@link
   * #rollMetricsPeriod} rolls its periods.
   *
   * @param millisClock such as {@link System#currentTimeMillis}
   */
  public TerraceCacheStats(
      Supplier<Stream<TierStats>> tiers, Configuration conf, LongSupplier millisClock) {
    super("Terrace", periods(conf));
    this.tiers = tiers;
    this.startNanos = System.nanoTime();
    this.periodMinutes = Math.max(0, conf.getInt(MINUTES_KEY, DEFAULT_MINUTES));
    this.periodStarts = new Date[periods(conf)];
    this.millisClock = millisClock;
  }

  private static int periods(Configuration conf) {
    return Math.max(1, conf.getInt(COUNT_KEY, DEFAULT_COUNT));
  }

  /** Whether there is a window to slide. */
  public boolean isRolling() {
    return periodStarts.length > 1 && periodMinutes > 0;
  }

  private long hits(ToLongFunction<HitRecorder.Counts> counts) {
    return tiers.get().mapToLong(stats -> counts.applyAsLong(stats.reads().hits())).sum();
  }

  private long hitsOfType(BlockType type) {
    int number = BlockTypes.number(type);
    return hits(counts -> counts.ofType(number));
  }

  @Override
  public long getHitCount() {
    return super.getHitCount() + hits(HitRecorder.Counts::counted);
  }

  @Override
  public long getPrimaryHitCount() {
    return super.getPrimaryHitCount()
        + hits(counts -> counts.of(Access.CACHING) + counts.of(Access.NON_CACHING));
  }

  @Override
  public long getHitCachingCount() {
    return super.getHitCachingCount()
        + hits(counts -> counts.of(Access.CACHING) + counts.of(Access.CACHING_REPLICA));
  }

  @Override
  public long getDataHitCount() {
    return super.getDataHitCount()
        + hitsOfType(BlockType.DATA)
        + hitsOfType(BlockType.ENCODED_DATA);
  }

  @Override
  public long getLeafIndexHitCount() {
    return super.getLeafIndexHitCount() + hitsOfType(BlockType.LEAF_INDEX);
  }

  @Override
  public long getBloomChunkHitCount() {
    return super.getBloomChunkHitCount() + hitsOfType(BlockType.BLOOM_CHUNK);
  }

  @Override
  public long getMetaHitCount() {
    return super.getMetaHitCount() + hitsOfType(BlockType.META);
  }

  @Override
  public long getRootIndexHitCount() {
    return super.getRootIndexHitCount() + hitsOfType(BlockType.ROOT_INDEX);
  }

  @Override
  public long getIntermediateIndexHitCount() {
    return super.getIntermediateIndexHitCount() + hitsOfType(BlockType.INTERMEDIATE_INDEX);
  }

  @Override
  public long getFileInfoHitCount() {
    return super.getFileInfoHitCount() + hitsOfType(BlockType.FILE_INFO);
  }

  @Override
  public long getGeneralBloomMetaHitCount() {
    return super.getGeneralBloomMetaHitCount() + hitsOfType(BlockType.GENERAL_BLOOM_META);
  }

  @Override
  public long getDeleteFamilyBloomHitCount() {
    return super.getDeleteFamilyBloomHitCount() + hitsOfType(BlockType.DELETE_FAMILY_BLOOM_META);
  }

  @Override
  public long getTrailerHitCount() {
    return super.getTrailerHitCount() + hitsOfType(BlockType.TRAILER);
  }

  /**
   * Counts a block that was evicted to make room. Blocks that moved to another tier do not count,
   * nor do blocks that were evicted with their file or by their key.
   *
   * @param ageNanos the time since the block entered the tier that evicted it
   */
  public void lost(long ageNanos) {
    evict();
    // HBase takes the time since these statistics began as the age.
    evicted(startNanos + ageNanos, true);
  }

  // JavaUtilDate: HBase's page requires it.
  @SuppressWarnings("JavaUtilDate")
  @Override
  public void rollMetricsPeriod() {
    super.rollMetricsPeriod();
    synchronized (periodStarts) {
      periodStarts[nextPeriod] = new Date(millisClock.getAsLong() - periodMinutes * 60_000L);
      nextPeriod = (nextPeriod + 1) % periodStarts.length;
    }
  }

  /**
   * The start of each period of the window; null for future ones. HBase declares it from 2.6 on.
   */
  // MissingOverride: not in the 2.5 line, as the others below.
  @SuppressWarnings("MissingOverride")
  public Date[] getWindowPeriods() {
    synchronized (periodStarts) {
      return periodStarts.clone();
    }
  }

  @SuppressWarnings("MissingOverride")
  public int getPeriodTimeInMinutes() {
    return periodMinutes;
  }
}
