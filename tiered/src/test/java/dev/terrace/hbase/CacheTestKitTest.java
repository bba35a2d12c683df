// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.settings.TerraceSettings;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheTestUtils;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** HBase's own tests of block caches. */
class CacheTestKitTest {

  private static final int BLOCK_BYTES = 16_384;

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  /**
   * What the kit asks for beyond the interface. It wants caching a block twice to throw, which
   * Terrace does not do to HBase. And it releases nothing that it gets: this does, at the end.
   * Until then all that memory is in use, and the cache must be large enough for all blocks of a
   * test.
   */
  private static final class KitCache extends TieredBlockCache {

    private final Queue<Cacheable> handedOut = new ConcurrentLinkedQueue<>();

    KitCache() {
      super(OpenCaches.conf(TerraceSettings.DRAM_SIZE.key(), "64m"), EntryPoint.EMBEDDED);
    }

    @Override
    void onOutcome(PutOutcome outcome) {
      if (outcome == PutOutcome.ALREADY_PRESENT) {
        throw new IllegalStateException("the block is cached already");
      }
    }

    @Override
    public Cacheable getBlock(
        BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
      Cacheable block = super.getBlock(key, caching, repeat, updateCacheMetrics);
      if (block != null) {
        handedOut.add(block);
      }
      return block;
    }

    @Override
    public void shutdown() {
      for (Cacheable block = handedOut.poll(); block != null; block = handedOut.poll()) {
        block.release();
      }
      super.shutdown();
    }
  }

  @Test
  void simple() throws Exception {
    KitCache cache = caches.track(new KitCache());

    CacheTestUtils.testCacheSimple(cache, BLOCK_BYTES, 500);

    assertThat(cache.getBlockCount()).isEqualTo(500);
    assertThat(cache.getStats().getFailedInserts()).isZero();
  }

  @Test
  void multithreaded() throws Exception {
    // The kit takes the number of queries for the size of a block, and the other way around.
    int queries = 10_000;
    KitCache cache = caches.track(new KitCache());

    CacheTestUtils.testCacheMultiThreaded(cache, 2_000, 8, queries, 0.95);

    assertThat(cache.getStats().getHitCount()).isPositive();
  }

  @Test
  void hammerSingleKey() throws Exception {
    KitCache cache = caches.track(new KitCache());

    CacheTestUtils.hammerSingleKey(cache, 4, 20_000);

    assertThat(cache.getStats().getHitCount()).isGreaterThan(10_000);
  }

  @Test
  void heapSizeChanges() {
    KitCache cache = caches.track(new KitCache());

    CacheTestUtils.testHeapSizeChanges(cache, BLOCK_BYTES);

    assertThat(cache.heapSize()).isZero();
  }

  @Test
  void conversionToJson() {
    CacheTestUtils.testConvertToJSON(caches.track(new KitCache()));
  }
}
