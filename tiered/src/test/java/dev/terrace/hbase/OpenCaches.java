// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.api.TierStats;
import dev.terrace.hbase.settings.TerraceSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Closes the caches of a test when it is over, waits until they have ended, and fails it if a block
 * was not released.
 */
public final class OpenCaches implements AfterEachCallback {

  private final List<TieredBlockCache> open = new ArrayList<>();

  public static Configuration conf(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    conf.set(TerraceSettings.DRAM_SIZE.key(), "16m");
    conf.set(TerraceSettings.CREATE_PATHS.key(), "true");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  /**
   * A cache with a DRAM tier of 16 MB unless the settings say otherwise, whose figures are never
   * older than the question for them.
   */
  public TieredBlockCache open(String... keysAndValues) {
    return openAt(() -> 0L, keysAndValues);
  }

  /** Such a cache with a clock. */
  public TieredBlockCache openAt(LongSupplier nanoClock, String... keysAndValues) {
    return track(make(conf(keysAndValues), nanoClock));
  }

  /** A cache that the caller closes. */
  public static TieredBlockCache make(Configuration conf) {
    return make(conf, System::nanoTime);
  }

  public static TieredBlockCache make(Configuration conf, LongSupplier nanoClock) {
    return new TieredBlockCache(conf, EntryPoint.EMBEDDED, nanoClock);
  }

  /** Checks settings as a start does. */
  public static void check(String... keysAndValues) {
    CacheParts.check(conf(keysAndValues));
  }

  /** A cache that a region server's threads may use already. */
  public TieredBlockCache openServing(String... keysAndValues) {
    return track(
        new TieredBlockCache(conf(keysAndValues), EntryPoint.EXTERNAL_CACHE, System::nanoTime));
  }

  /** How many readers hold a block of a cache that makes no copies. */
  public static int readers(TieredBlockCache cache, BlockCacheKey key) {
    Cacheable block = cache.getBlock(key, true, false, false);
    if (block == null) {
      return 0;
    }
    try {
      // But for the tier and this method.
      return Math.max(0, block.refCnt() - 2);
    } finally {
      block.release();
    }
  }

  /** Has a server with this configuration hand over what it writes. */
  public static void enableCacheOnWrite(TieredBlockCache cache, Configuration server) {
    cache.enableCacheOnWrite(server);
  }

  public <C extends TieredBlockCache> C track(C cache) {
    open.add(cache);
    return cache;
  }

  public static TierStats dram(TieredBlockCache cache) {
    return cache.tierStats().get("dram");
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    for (TieredBlockCache cache : open) {
      cache.shutdown();
      await()
          .untilAsserted(
              () -> {
                // DRAM above other tiers is closed in the background.
                assertThat(cache.isCacheEnabled()).as("running").isFalse();
                assertThat(cache.tierStats().values())
                    .allSatisfy(
                        tier -> {
                          assertThat(tier.leases().bytes()).as("leased").isZero();
                          assertThat(tier.space().blocks()).as("blocks after shutdown").isZero();
                        });
              });
      // A tier that is closed may be in recovery still, and write to its folder.
      assertThat(cache.awaitReleased(Patience.LIMIT)).as("released").isTrue();
    }
    open.clear();
  }
}
