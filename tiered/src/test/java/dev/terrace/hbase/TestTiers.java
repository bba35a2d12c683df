// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.Patience;
import dev.terrace.api.Tier;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import dev.terrace.hbase.settings.ReadSettings;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.region.RegionTier;
import dev.terrace.region.log.ExpiringBlocks;
import dev.terrace.tiered.TieredCache;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The tiers of some settings, open and without HBase's cache around them, until a test ends. */
public final class TestTiers implements AfterEachCallback {

  private OpenTiers open;
  private TieredCache<Cacheable> tiers;

  /** Opens them, and waits until each has room for a block. */
  public TieredCache<Cacheable> open(String... keysAndValues) {
    return open(ExpiringBlocks.NONE, keysAndValues);
  }

  /** The same, with blocks that expire. */
  public TieredCache<Cacheable> open(ExpiringBlocks expiring, String... keysAndValues) {
    open =
        new OpenTiers(
            ReadSettings.of(new SiteValues(OpenCaches.conf(keysAndValues))),
            new OpenTiers.ServerLimits(Long.MAX_VALUE, 0, Long.MAX_VALUE, 12),
            new HBaseBlockCodec(),
            split -> split,
            FILES,
            expiring);
    tiers = open.asCache();
    await().until(() -> open.lasting().stream().allMatch(RegionTier::hasFreeRoom));
    return tiers;
  }

  /** All tiers, the highest first. */
  public List<Tier<Cacheable>> all() {
    return open.all();
  }

  /** The tier that blocks enter first. */
  public Tier<Cacheable> highest() {
    return open.all().get(0);
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    if (tiers == null) {
      return;
    }
    tiers.close();
    for (RegionTier<Cacheable> tier : open.lasting()) {
      assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
    }
  }
}
