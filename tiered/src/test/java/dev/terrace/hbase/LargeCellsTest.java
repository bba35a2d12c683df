// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of cells of 10 MB, which HBase takes, in all tiers. */
class LargeCellsTest {

  private static final int BLOCK_BYTES = (10 << 20) + 100;
  private static final int BLOCKS = 12;
  private static final int TOO_LARGE_BYTES = 13 << 20;

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir Path folder;

  /** DRAM takes blocks of an eighth of it, and the tiers below, of half a region. */
  @ParameterizedTest
  @CsvSource({"96m, true", "16m, false"})
  void areServedOrCounted(String dramSize, boolean fits) {
    TieredBlockCache cache =
        caches.open(
            "hbase.terrace.dram.size",
            dramSize,
            "hbase.terrace.pmem.paths",
            folder.resolve("pmem").toString(),
            "hbase.terrace.pmem.size",
            "64m",
            "hbase.terrace.ssd.paths",
            folder.resolve("ssd").toString(),
            "hbase.terrace.ssd.size",
            "64m");
    offerUntilRecovered(cache);
    Map<String, TierStats> before = cache.tierStats();
    int served = 0;
    for (long offset = 0; offset < BLOCKS; offset++) {
      BlockCacheKey key = TestBlocks.key("large", offset);
      HFileBlock block = TestBlocks.data("large", offset, BLOCK_BYTES);
      cache.cacheBlock(key, block);
      Cacheable found = cache.getBlock(key, true, false, true);
      if (found != null) {
        assertThat(found).isEqualTo(block);
        found.release();
        served++;
      }
    }
    assertThat(served).isBetween(fits ? 1 : 0, fits ? BLOCKS : 0);
    TierStats dram = OpenCaches.dram(cache);
    assertThat(dram.writes().puts() + sum(dram) - sum(before.get("dram")))
        .as("stored or refused")
        .isEqualTo(BLOCKS);
    // What leaves DRAM is offered to the tiers below by another thread.
    int refusedByDram = BLOCKS - served;
    await()
        .untilAsserted(
            () -> {
              for (String tier : new String[] {"pmem", "ssd"}) {
                TierStats below = cache.tierStats().get(tier);
                assertThat(below.writes().puts()).isZero();
                assertThat(below.events().refusals()).containsOnlyKeys(PutOutcome.BAD_SIZE);
                assertThat(sum(below) - sum(before.get(tier)))
                    .isGreaterThanOrEqualTo(refusedByDram);
              }
            });
  }

  /**
   * Offers blocks that no tier takes until those below DRAM were asked. A tier that recovers has no
   * free room, and then the rules of admission refuse what was not seen before, in its place.
   */
  private static void offerUntilRecovered(TieredBlockCache cache) {
    AtomicLong offset = new AtomicLong();
    await()
        .untilAsserted(
            () -> {
              long next = offset.getAndIncrement();
              cache.cacheBlock(
                  TestBlocks.key("too large", next),
                  TestBlocks.data("too large", next, TOO_LARGE_BYTES));
              assertThat(sum(cache.tierStats().get("pmem"))).isPositive();
              assertThat(sum(cache.tierStats().get("ssd"))).isPositive();
            });
  }

  private static long sum(TierStats stats) {
    return stats.events().refusals().values().stream().mapToLong(Long::longValue).sum();
  }
}
