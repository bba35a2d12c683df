/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase.levels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.AgeSnapshot;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache.CombinedCacheStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What HBase's metrics and pages see of DRAM and SSD: two levels whose figures add up. */
class TwoLevelsTest {

  private static final int BLOCK_BYTES = 66_000;
  private static final int BLOCKS = 100;

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir Path folder;

  private String[] settings(String dramSize) {
    return new String[] {
      "hbase.terrace.dram.size",
      dramSize,
      "hbase.terrace.ssd.paths",
      folder.resolve("ssd").toString(),
      "hbase.terrace.ssd.size",
      "64m"
    };
  }

  private TieredBlockCache open(String dramSize) {
    return caches.open(settings(dramSize));
  }

  private static void put(TieredBlockCache cache, long offset) {
    cache.cacheBlock(TestBlocks.key("file", offset), TestBlocks.data("file", offset, BLOCK_BYTES));
  }

  private static boolean look(TieredBlockCache cache, long offset) {
    Cacheable block = cache.getBlock(TestBlocks.key("file", offset), true, false, true);
    if (block == null) {
      return false;
    }
    assertThat(block).isEqualTo(TestBlocks.data("file", offset, BLOCK_BYTES));
    block.release();
    return true;
  }

  /** A cache whose blocks are all on the SSD. */
  private TieredBlockCache reopened() throws InterruptedException {
    TieredBlockCache before = open("16m");
    for (long offset = 0; offset < BLOCKS; offset++) {
      put(before, offset);
    }
    before.shutdown();
    assertThat(before.awaitReleased(Patience.LIMIT)).isTrue();
    TieredBlockCache cache = open("16m");
    await().until(() -> second(cache).getBlockCount() == BLOCKS);
    return cache;
  }

  private static BlockCache first(TieredBlockCache cache) {
    return cache.getFirstLevelCache();
  }

  private static BlockCache second(TieredBlockCache cache) {
    return cache.getSecondLevelCache();
  }

  @Test
  void aLookupCountsInEachLevelThatItReaches() throws InterruptedException {
    TieredBlockCache cache = reopened();
    put(cache, BLOCKS);

    assertThat(look(cache, BLOCKS)).as("in DRAM").isTrue();
    assertThat(look(cache, 1)).as("on the SSD").isTrue();
    assertThat(look(cache, 2)).as("on the SSD").isTrue();
    assertThat(look(cache, BLOCKS + 1)).isFalse();

    CombinedCacheStats whole = (CombinedCacheStats) cache.getStats();
    assertThat(counts(whole.getLruCacheStats())).containsExactly(1L, 3L, 1L, 3L);
    assertThat(counts(whole.getBucketCacheStats())).containsExactly(2L, 1L, 2L, 1L);
    assertThat(counts(whole)).containsExactly(3L, 1L, 3L, 1L);
    assertThat(whole.getRequestCount()).isEqualTo(4);
    assertThat(whole.getHitRatio()).isEqualTo(0.75);
    assertThat(first(cache).getStats()).isSameAs(whole.getLruCacheStats());
    assertThat(second(cache).getStats()).isSameAs(whole.getBucketCacheStats());
  }

  private static List<Long> counts(CacheStats stats) {
    return List.of(
        stats.getHitCount(),
        stats.getMissCount(),
        stats.getHitCachingCount(),
        stats.getMissCachingCount());
  }

  @Test
  void aBlockInBothLevelsCountsOnce() throws InterruptedException {
    TieredBlockCache cache = reopened();

    await().until(() -> look(cache, 0) && look(cache, 1) && first(cache).getBlockCount() == 2);

    assertThat(second(cache).getBlockCount()).isEqualTo(BLOCKS);
    assertThat(cache.getBlockCount()).isEqualTo(BLOCKS);
    assertThat(cache.getDataBlockCount()).isEqualTo(BLOCKS);
  }

  @Test
  void sizesOfTheLevelsAreThoseOfTheirTiers() throws InterruptedException {
    TieredBlockCache cache = reopened();
    TierStats dram = cache.tierStats().get("dram");
    TierStats ssd = cache.tierStats().get("ssd");

    assertThat(cache.getBlockCaches()).containsExactly(first(cache), second(cache));
    assertThat(first(cache).getMaxSize()).isEqualTo(dram.space().capacityBytes());
    assertThat(second(cache).getMaxSize()).isEqualTo(ssd.space().capacityBytes());
    assertThat(second(cache).getCurrentSize()).isEqualTo(ssd.space().usedBytes());
    assertThat(second(cache).getFreeSize())
        .isEqualTo(ssd.space().capacityBytes() - ssd.takenBytes());
    assertThat(first(cache).iterator()).isExhausted();
    assertThat(second(cache).iterator()).toIterable().hasSize(BLOCKS);
  }

  @Test
  void aBlockThatMovesDownIsNotEvicted() {
    TieredBlockCache cache = open("4m");
    AtomicLong next = new AtomicLong();
    // What leaves DRAM is lost for as long as no region is ready.
    putUntil(cache, next, () -> second(cache).getBlockCount() > 0);
    cache.evictBlocksByHfileName("file");
    assertThat(cache.getBlockCount()).isZero();
    long lost = cache.getStats().getEvictedCount();

    long first = next.get();
    for (long blocks = 1; blocks <= BLOCKS; blocks++) {
      put(cache, next.getAndIncrement());
      // What leaves DRAM is on its way down; too many on their way would be lost.
      long all = blocks;
      await().until(() -> cache.getBlockCount() == all);
    }
    assertThat(look(cache, first)).isTrue();
    assertThat(second(cache).getBlockCount()).isPositive();
    assertThat(cache.getStats().getEvictedCount()).isEqualTo(lost);

    long before = second(cache).getStats().getEvictedCount();
    putUntil(cache, next, () -> second(cache).getStats().getEvictedCount() > before);
    assertThat(cache.getStats().getEvictedCount()).isGreaterThan(lost);
  }

  private static void putUntil(TieredBlockCache cache, AtomicLong next, BooleanSupplier isEnough) {
    await()
        .until(
            () -> {
              for (int i = 0; i < 10; i++) {
                put(cache, next.getAndIncrement());
              }
              return isEnough.getAsBoolean();
            });
  }

  @Test
  void theAgeAtEvictionIsTheTimeInTheTier() {
    long hours = Duration.ofHours(2).toNanos();
    TieredBlockCache cache = caches.openAt(() -> System.nanoTime() + hours);
    AtomicLong next = new AtomicLong();
    assertThat(cache.getStats().getAgeAtEvictionSnapshot().getMax()).isZero();
    await()
        .until(
            () -> {
              put(cache, next.getAndIncrement());
              return cache.getStats().getEvictedCount() > 0;
            });

    double least = Duration.ofNanos(hours).toSeconds();
    AgeSnapshot whole = cache.getStats().getAgeAtEvictionSnapshot();
    assertThat(whole.getMin()).isGreaterThanOrEqualTo(least);
    assertThat(whole.getMax()).isLessThanOrEqualTo(least + Patience.SECONDS + 1);
    AgeSnapshot level = first(cache).getStats().getAgeAtEvictionSnapshot();
    assertThat(level.getMin()).isGreaterThanOrEqualTo(least);
  }

  @Test
  void withOneTierThereIsOneLevel() {
    TieredBlockCache cache = caches.open();
    put(cache, 0);

    assertThat(cache.getBlockCaches()).containsExactly(first(cache));
    assertThat(first(cache).getBlockCount()).isEqualTo(1);
    assertThat(second(cache).getMaxSize()).isZero();
    assertThat(second(cache).getBlockCount()).isZero();
  }

  /** Whoever clears the cache of a table, and counts, finds none of its blocks. */
  @Test
  void fewBlocksAreCountedAnewEachTime() {
    AtomicLong clock = new AtomicLong();
    // Counting seems to take a second, so that a count would be kept for long.
    TieredBlockCache cache =
        caches.openAt(() -> clock.addAndGet(Duration.ofSeconds(1).toNanos()), settings("16m"));
    put(cache, 0);
    put(cache, 1);
    assertThat(cache.getBlockCount()).isEqualTo(2);
    assertThat(cache.getDataBlockCount()).isEqualTo(2);

    cache.evictBlocksByHfileName("file");

    assertThat(cache.getBlockCount()).isZero();
    assertThat(cache.getDataBlockCount()).isZero();
    assertThat(cache.getCurrentDataSize()).isZero();
  }

  /** Else HBase's own would ask one level after the other, each of which is the whole cache. */
  @Test
  void allThatHBasesTwoLevelCacheDoesIsDoneHere() {
    Stream<Method> inherited =
        Stream.of(CombinedBlockCache.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic());

    assertThat(inherited)
        .allSatisfy(
            method ->
                assertThat(declares(TieredBlockCache.class, method))
                    .as(method.toString())
                    .isEqualTo(!method.getName().matches("get(First|Second)LevelCache")));
  }

  private static boolean declares(Class<?> type, Method like) {
    return Stream.of(type.getDeclaredMethods())
        .anyMatch(
            method ->
                method.getName().equals(like.getName())
                    && List.of(method.getParameterTypes())
                        .equals(List.of(like.getParameterTypes())));
  }
}
