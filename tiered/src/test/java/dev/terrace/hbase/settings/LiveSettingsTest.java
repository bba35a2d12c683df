// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.region.memory.DirectMemory;
import java.lang.management.ManagementFactory;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of settings that change while the cache runs. */
class LiveSettingsTest {

  private static final String SIZE = TerraceSettings.DRAM_SIZE.key();
  private static final String SHARE = TerraceSettings.DRAM_PROTECTED_SHARE.key();
  private static final int BLOCK_BYTES = 66_000;

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @RegisterExtension final LogLines log = new LogLines(LiveSettings.class);

  private TieredBlockCache cache;

  @BeforeEach
  void open() {
    cache = caches.open();
  }

  private void fill(int blocks) {
    for (long offset = 0; offset < blocks; offset++) {
      cache.cacheBlock(
          TestBlocks.key("file", offset), TestBlocks.data("file", offset, BLOCK_BYTES));
    }
  }

  private void assertAllBlocksRight() {
    cache.forEach(
        listed -> {
          long offset = listed.getOffset();
          Cacheable block = cache.getBlock(TestBlocks.key("file", offset), true, false, true);
          assertThat(block).isEqualTo(TestBlocks.data("file", offset, BLOCK_BYTES));
          block.release();
        });
  }

  @Test
  void theDramTierGrows() {
    fill(300);
    final long before = cache.getBlockCount();

    cache.onConfigurationChange(OpenCaches.conf(SIZE, "32m"));
    fill(600);

    assertThat(cache.getMaxSize()).isEqualTo(32L << 20);
    assertThat(cache.getBlockCount()).isGreaterThan(before * 3 / 2);
    assertAllBlocksRight();
    assertThat(log.lines())
        .containsExactly(
            "INFO Terrace read new settings: hbase.terrace.dram.size changed from 16 MB to 32 MB");
  }

  @Test
  void theDramTierShrinks() {
    cache = caches.open(SIZE, "80m");
    HFileBlock first = TestBlocks.data("held", 0, BLOCK_BYTES);
    cache.cacheBlock(TestBlocks.key("held", 0), first);
    Cacheable held = cache.getBlock(TestBlocks.key("held", 0), true, false, true);
    cache.evictBlocksByHfileName("held");
    fill(1_200);

    cache.onConfigurationChange(OpenCaches.conf(SIZE, "64m"));

    assertThat(held).isEqualTo(first);
    held.release();
    assertThat(cache.getMaxSize()).isEqualTo(64L << 20);
    assertThat(cache.getCurrentSize()).isLessThanOrEqualTo(64L << 20);
    assertThat(cache.getBlockCount()).isBetween(500L, (64L << 20) / BLOCK_BYTES);
    assertAllBlocksRight();
  }

  private void flood(int from) {
    for (long offset = from; offset < from + 1_000; offset++) {
      for (int read = 0; read < 3; read++) {
        Cacheable block = cache.getBlock(TestBlocks.key("flood", offset), true, false, true);
        if (block != null) {
          block.release();
        } else {
          cache.cacheBlock(
              TestBlocks.key("flood", offset), TestBlocks.data("flood", offset, BLOCK_BYTES));
        }
      }
    }
  }

  private long cached(String file) {
    long blocks = 0;
    for (CachedBlock block : cache) {
      blocks += block.getFilename().equals(file) ? 1 : 0;
    }
    return blocks;
  }

  @Test
  void aTableIsPinnedAndLimitedWhileTheCacheRuns() {
    fill(50);
    cache.notifyFileCachingCompleted(
        new Path("/hbase/data/default/orders/region/info/file"), 50, 50, 50 * BLOCK_BYTES);
    cache.onConfigurationChange(OpenCaches.conf("hbase.terrace.tables.min", "dram:orders=0.3"));
    flood(0);
    assertThat(cached("file")).as("pinned").isEqualTo(50);

    cache.onConfigurationChange(
        OpenCaches.conf("hbase.terrace.tables.max", "dram:orders/info=0.1"));
    assertThat(cached("file")).as("limited").isEqualTo((16 << 20) / 10 / BLOCK_BYTES);

    cache.onConfigurationChange(OpenCaches.conf());
    flood(1_000);
    assertThat(cached("file")).as("as all others").isLessThan(10);
    assertThat(log.lines())
        .containsExactly(
            "INFO Terrace read new settings: hbase.terrace.tables.min changed from none to"
                + " dram:default:orders=0.3",
            "INFO Terrace read new settings: hbase.terrace.tables.min changed from"
                + " dram:default:orders=0.3 to none; hbase.terrace.tables.max changed from none to"
                + " dram:default:orders/info=0.1",
            "INFO Terrace read new settings: hbase.terrace.tables.max changed from"
                + " dram:default:orders/info=0.1 to none");
  }

  @Test
  void whatDoesNotChangeIsNotTalkedAbout() {
    cache.onConfigurationChange(OpenCaches.conf());
    cache.onConfigurationChange(OpenCaches.conf("hbase.something.else", "1"));

    assertThat(log.lines()).isEmpty();
  }

  @Test
  void whatWaitsForARestartIsSaid() {
    cache.onConfigurationChange(OpenCaches.conf(SIZE, "32m", SHARE, "0.7"));

    assertThat(cache.getMaxSize()).isEqualTo(32L << 20);
    assertThat(log.lines())
        .containsExactly(
            "INFO Terrace read new settings: hbase.terrace.dram.size changed from 16 MB to 32 MB;"
                + " hbase.terrace.dram.protected.share takes effect at the next restart");
  }

  /** HBase reports one configuration several times. */
  @Test
  void theOutcomeOfTheLastChangeIsKept() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name =
        server.queryNames(new ObjectName("dev.terrace:type=BlockCache,*"), null).iterator().next();
    TerraceMXBean bean = JMX.newMXBeanProxy(server, name, TerraceMXBean.class);
    assertThat(bean.getLastSettingsChange().values()).containsOnly("");

    for (int i = 0; i < 3; i++) {
      cache.onConfigurationChange(OpenCaches.conf(SIZE, "32m", SHARE, "0.7"));
    }
    assertThat(bean.getLastSettingsChange())
        .hasEntrySatisfying("taken", text -> assertThat(text).contains(SIZE, "32 MB"))
        .hasEntrySatisfying("waiting", text -> assertThat(text).contains(SHARE, "restart"))
        .containsEntry("refused", "");

    cache.onConfigurationChange(OpenCaches.conf(SIZE, "much"));
    assertThat(bean.getLastSettingsChange())
        .containsEntry("taken", "")
        .hasEntrySatisfying("refused", text -> assertThat(text).contains(SIZE + "=much"));
    assertThat(bean.getMetrics().get("settings")).containsEntry("refused", 1.0);
  }

  @Test
  void settingsThatCannotBeUsedChangeNothing() {
    cache.onConfigurationChange(OpenCaches.conf(SIZE, "32m", SHARE, "7"));
    cache.onConfigurationChange(OpenCaches.conf(SIZE, "much"));
    cache.onConfigurationChange(new Configuration(false));

    assertThat(cache.getMaxSize()).isEqualTo(16L << 20);
    assertThat(log.lines())
        .hasSize(3)
        .allSatisfy(line -> assertThat(line).startsWith("ERROR New settings are invalid"));
    fill(10);
    assertThat(cache.getBlockCount()).isEqualTo(10);
  }

  @Test
  void aMistypedKeyIsReportedWhenItComes() {
    cache.onConfigurationChange(OpenCaches.conf("hbase.terrace.dram.sizes", "32m"));

    assertThat(log.lines())
        .containsExactly(
            "WARN hbase.terrace.dram.sizes=32m is not a setting of Terrace: did you mean"
                + " hbase.terrace.dram.size?");
  }

  /** HBase tells of one change once for each of its objects that know the cache. */
  @Test
  void eachFindingIsReportedOnceForAsLongAsItStays() {
    Configuration strange = OpenCaches.conf(SHARE, "0.7", "hbase.terrace.dram.sizes", "32m");
    Configuration wrong = OpenCaches.conf(SIZE, "much", "hbase.terrace.dram.sizes", "32m");
    for (int i = 0; i < 3; i++) {
      cache.onConfigurationChange(strange);
    }
    assertThat(log.lines()).as("the key, and what waits").hasSize(2);
    for (int i = 0; i < 3; i++) {
      cache.onConfigurationChange(wrong);
    }
    assertThat(log.lines()).as("the error").hasSize(3);
    cache.onConfigurationChange(OpenCaches.conf());
    assertThat(log.lines()).hasSize(3);
    cache.onConfigurationChange(strange);
    assertThat(log.lines()).as("both are there again").hasSize(5);
  }

  @Test
  void aMistypedKeyAtTheStartIsReportedThen() {
    cache = caches.open("hbase.terrace.dram.sizes", "32m");
    cache.onConfigurationChange(OpenCaches.conf("hbase.terrace.dram.sizes", "32m"));

    assertThat(log.lines()).singleElement().asString().contains("dram.sizes=32m is not a setting");
  }

  @Test
  void hbaseMayAskForASize() {
    cache.setMaxSize(24 << 20);
    assertThat(cache.getMaxSize()).isEqualTo(24L << 20);

    cache.setMaxSize(-1);
    cache.setMaxSize(0);
    cache.setMaxSize(Long.MAX_VALUE);

    assertThat(cache.getMaxSize()).isEqualTo(24L << 20);
    fill(10);
    assertThat(cache.getBlockCount()).isEqualTo(10);
  }

  @Test
  void aSizeThatTheJvmDoesNotHaveLeavesTheCacheRunning() {
    fill(10);

    cache.setMaxSize(DirectMemory.limitBytes());

    assertThat(cache.getMaxSize()).isBetween(16L << 20, DirectMemory.limitBytes());
    await()
        .untilAsserted(
            () ->
                assertThat(log.lines())
                    .anySatisfy(
                        line ->
                            assertThat(line)
                                .contains(
                                    "ERROR DRAM tier limited to 16 MB",
                                    "-XX:MaxDirectMemorySize")));
    assertThat(cache.getBlockCount()).isEqualTo(10);
    assertAllBlocksRight();
    cache.setMaxSize(16 << 20);
    // Behind the one that takes long, as it asks for all memory.
    await().untilAsserted(() -> assertThat(cache.getMaxSize()).isEqualTo(16L << 20));
  }
}
