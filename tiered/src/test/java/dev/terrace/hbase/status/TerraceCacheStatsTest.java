// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.util.Date;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TerraceCacheStatsTest {

  private static final BlockType[] TYPES = {
    BlockType.DATA,
    BlockType.ENCODED_DATA,
    BlockType.LEAF_INDEX,
    BlockType.INTERMEDIATE_INDEX,
    BlockType.ROOT_INDEX,
    BlockType.BLOOM_CHUNK,
    BlockType.GENERAL_BLOOM_META,
    BlockType.DELETE_FAMILY_BLOOM_META,
    BlockType.META,
    BlockType.FILE_INFO,
    BlockType.TRAILER
  };

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  private TieredBlockCache cache;
  private CacheStats stats;

  @BeforeEach
  void open() {
    cache = caches.open();
    stats = cache.getStats();
  }

  private static BlockCacheKey key(int type, boolean primary) {
    return new BlockCacheKey("file", type, primary, TYPES[type]);
  }

  private void cacheOneOfEachType() {
    for (int type = 0; type < TYPES.length; type++) {
      cache.cacheBlock(key(type, true), TestBlocks.block("file", type, 2_000, TYPES[type], -1));
    }
  }

  /** The block that is found is of the type that the key says. */
  private void look(int type, boolean primary, boolean caching, boolean repeat, boolean counted) {
    Cacheable block = cache.getBlock(key(type, primary), caching, repeat, counted);
    if (block != null) {
      block.release();
    }
  }

  @Test
  void randomLookupsCountAsHBasesOwnCacheWouldCountThem() {
    CacheStats reference = new CacheStats("reference");
    cacheOneOfEachType();
    cache.evictBlock(key(3, true));
    cache.evictBlock(key(0, true));
    SplittableRandom random = new SplittableRandom(4711);

    for (int i = 0; i < 5_000; i++) {
      int type = random.nextInt(TYPES.length);
      boolean primary = random.nextInt(4) > 0;
      boolean caching = random.nextBoolean();
      boolean repeat = random.nextInt(5) == 0;
      boolean counted = random.nextInt(5) > 0;
      look(type, primary, caching, repeat, counted);
      boolean hit = type != 3 && type != 0;
      if (counted && hit) {
        reference.hit(caching, primary, TYPES[type]);
      } else if (counted && !repeat) {
        reference.miss(caching, primary, TYPES[type]);
      }
    }

    assertSameCounts(stats, reference);
    assertThat(stats.getHitRatio()).isEqualTo(reference.getHitRatio());
    assertThat(stats.getHitCachingRatio()).isEqualTo(reference.getHitCachingRatio());
    assertThat(stats.getMissRatio()).isEqualTo(reference.getMissRatio());
    assertThat(stats.getMissCachingRatio()).isEqualTo(reference.getMissCachingRatio());
  }

  private static void assertSameCounts(CacheStats actual, CacheStats expected) {
    assertSame("hits", actual, expected, CacheStats::getHitCount);
    assertSame("primary hits", actual, expected, CacheStats::getPrimaryHitCount);
    assertSame("caching hits", actual, expected, CacheStats::getHitCachingCount);
    assertSame("misses", actual, expected, CacheStats::getMissCount);
    assertSame("primary misses", actual, expected, CacheStats::getPrimaryMissCount);
    assertSame("caching misses", actual, expected, CacheStats::getMissCachingCount);
    assertSame("requests", actual, expected, CacheStats::getRequestCount);
    assertSame("caching requests", actual, expected, CacheStats::getRequestCachingCount);
    assertSame("data", actual, expected, CacheStats::getDataHitCount);
    assertSame("leaf", actual, expected, CacheStats::getLeafIndexHitCount);
    assertSame("intermediate", actual, expected, CacheStats::getIntermediateIndexHitCount);
    assertSame("root", actual, expected, CacheStats::getRootIndexHitCount);
    assertSame("bloom", actual, expected, CacheStats::getBloomChunkHitCount);
    assertSame("bloom meta", actual, expected, CacheStats::getGeneralBloomMetaHitCount);
    assertSame("delete bloom", actual, expected, CacheStats::getDeleteFamilyBloomHitCount);
    assertSame("meta", actual, expected, CacheStats::getMetaHitCount);
    assertSame("file info", actual, expected, CacheStats::getFileInfoHitCount);
    assertSame("trailer", actual, expected, CacheStats::getTrailerHitCount);
    assertSame("data misses", actual, expected, CacheStats::getDataMissCount);
    assertSame("misses", actual, expected, CacheStats::getIntermediateIndexMissCount);
  }

  private static void assertSame(
      String what, CacheStats actual, CacheStats expected, ToLongFunction<CacheStats> getter) {
    assertThat(getter.applyAsLong(actual)).as(what).isEqualTo(getter.applyAsLong(expected));
  }

  @ParameterizedTest
  @EnumSource(
      value = BlockType.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"INDEX_V1"})
  void aHitOfAnyTypeIsAHit(BlockType type) {
    BlockCacheKey key = new BlockCacheKey("file", 0, true, type);
    cache.cacheBlock(key, TestBlocks.block("file", 0, 2_000, type, -1));

    cache.getBlock(key, true, false, true).release();

    assertThat(stats.getHitCount()).isEqualTo(1);
    assertThat(stats.getRequestCount()).isEqualTo(1);
  }

  @Test
  void theTiersSeeEachReadOnce() {
    look(0, true, true, false, true);
    look(0, true, true, true, true);

    assertThat(OpenCaches.dram(cache).reads().misses()).isEqualTo(1);
    assertThat(stats.getMissCount()).isEqualTo(1);
  }

  @Test
  void looksThatAreNoReadsDoNotCount() {
    cacheOneOfEachType();
    BlockCacheKey absent = new BlockCacheKey("file", 99);

    look(0, true, true, false, false);
    cache.isAlreadyCached(key(0, true));
    cache.isAlreadyCached(absent);
    cache.getBlockSize(key(0, true));
    cache.getBlock(absent, true, false, false);
    cache.iterator().next();

    assertThat(stats.getRequestCount()).isZero();
    assertThat(OpenCaches.dram(cache).reads().misses()).isZero();
  }

  @Test
  void onlyWhatMakesRoomCountsAsEvicted() {
    cacheOneOfEachType();
    cache.evictBlock(key(0, true));
    cache.evictBlocksByHfileName("file");
    assertThat(stats.getEvictedCount()).isZero();

    for (long offset = 0; offset < 500; offset++) {
      cache.cacheBlock(TestBlocks.key("flood", offset), TestBlocks.data("flood", offset, 66_000));
    }

    long gone = 500 - cache.getBlockCount();
    assertThat(gone).isPositive();
    assertThat(stats.getEvictedCount() + stats.getFailedInserts()).isEqualTo(gone);
    assertThat(stats.getEvictionCount()).isEqualTo(stats.getEvictedCount());
    assertThat(stats.getPrimaryEvictedCount()).isEqualTo(stats.getEvictedCount());
  }

  @Test
  void aWindowSlidesOverThePeriods() {
    Configuration conf =
        OpenCaches.conf(
            "hbase.blockcache.stats.periods", "3", "hbase.blockcache.stats.period.minutes", "10");
    TieredBlockCache read = caches.track(new TieredBlockCache(conf));
    read.cacheBlock(key(0, true), TestBlocks.block("file", 0, 2_000, BlockType.DATA, -1));
    CacheStats window = read.getStats();
    assertThat(window.getNumPeriodsInWindow()).isEqualTo(3);
    assertThat(window.getPeriodTimeInMinutes()).isEqualTo(10);

    for (int period = 1; period <= 4; period++) {
      for (int hit = 0; hit < period; hit++) {
        read.getBlock(key(0, true), true, false, true).release();
      }
      assertThat(read.getBlock(TestBlocks.key("absent", 0), true, false, true)).isNull();
      window.rollMetricsPeriod();
    }

    assertThat(window.getSumHitCountsPastNPeriods()).isEqualTo(2 + 3 + 4);
    assertThat(window.getSumRequestCountsPastNPeriods()).isEqualTo(3 + 4 + 5);
    assertThat(window.getHitRatioPastNPeriods()).isEqualTo(9 / 12.0);
    assertThat(window.getHitCachingRatioPastNPeriods()).isEqualTo(9 / 12.0);
    assertThat(window.getWindowPeriods()).doesNotContainNull().hasSize(3);

    TerraceCacheStats own = new TerraceCacheStats(Stream::of, conf, () -> 1_000_000_000L);
    assertThat(own.getWindowPeriods()).containsOnlyNulls();
    own.rollMetricsPeriod();
    assertThat(own.getWindowPeriods()[0]).hasTime(1_000_000_000L - 600_000);
    assertThat(own.getWindowPeriods()).hasSize(3).contains((Date) null);
  }

  @Test
  void hbasesDefaultsAreTwelvePeriodsOfFiveMinutes() {
    TerraceCacheStats stats =
        new TerraceCacheStats(Stream::of, new Configuration(false), System::currentTimeMillis);

    assertThat(stats.getNumPeriodsInWindow()).isEqualTo(12);
    assertThat(stats.getPeriodTimeInMinutes()).isEqualTo(5);
    assertThat(stats.isRolling()).isTrue();
  }

  @Test
  void belowHBasesOwnCacheItsStatisticsAddUp() {
    LruBlockCache above = new LruBlockCache(4 << 20, 64 << 10);
    CombinedBlockCache both = new CombinedBlockCache(above, cache);
    cacheOneOfEachType();

    for (int type = 0; type < 2; type++) {
      both.getBlock(key(type, true), true, false, true).release();
      assertThat(both.getBlock(TestBlocks.key("absent", type), true, false, true)).isNull();
    }

    assertThat(both.getStats().getHitCount()).isEqualTo(2);
    assertThat(both.getStats().getMissCount()).isEqualTo(2);
    assertThat(both.getStats().getDataHitCount()).isEqualTo(2);
    above.shutdown();
  }
}
