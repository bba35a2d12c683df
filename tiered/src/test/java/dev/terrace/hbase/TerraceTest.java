// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.region.memory.DirectMemory;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Set;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ClientSideRegionScanner;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.MemcachedBlockCache;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ways into HBase, as far as they go without a region server. */
class TerraceTest {

  @RegisterExtension final LogLines log = new LogLines(SettingsException.class);

  @ParameterizedTest
  @CsvSource({
    "hfile.block.cache.size, 0.4",
    "hfile.block.cache.memory.size, 100m",
    "hfile.block.cache.memory.size, 104857600",
    "hfile.block.cache.size.max.range, 0.6",
    "hfile.block.cache.size.min.range, 0.1",
    "hbase.bucketcache.ioengine, offheap"
  })
  void aPreparedConfigurationMakesNoOtherCache(String key, String value) {
    Configuration original = OpenCaches.conf(key, value);

    Configuration prepared = Terrace.prepare(original);

    assertThat(BlockCacheFactory.createBlockCache(prepared)).isNull();
    assertThat(MemorySizeUtil.getBlockCacheHeapPercent(prepared)).isZero();
    assertThat(prepared.getFloat("hfile.block.cache.size.min.range", 1)).isZero();
    assertThat(prepared.getFloat("hfile.block.cache.size.max.range", 1)).isZero();
    assertThat(original.get(key)).as("the original").isEqualTo(value);
  }

  @Test
  void settingsThatCannotBeUsedAreSaidInALineOfTheirOwn() {
    Configuration conf = OpenCaches.conf("hbase.terrace.dram.size", "much");

    assertThatThrownBy(() -> Terrace.prepare(conf)).isInstanceOf(SettingsException.class);

    assertThat(log.lines())
        .containsExactly(
            "ERROR Terrace cannot start: hbase.terrace.dram.size=much is not a size: write bytes,"
                + " or a number with k, m, g or t, such as 8g");
  }

  @Test
  void alsoThoseOfAnExternalCacheWithoutWhichHBaseGoesOn() {
    Configuration conf =
        OpenCaches.conf(
            "hbase.blockcache.use.external", "true",
            "hbase.blockcache.external.class", TieredBlockCache.class.getName(),
            "hbase.terrace.dram.size", "much");

    assertThatThrownBy(() -> ReflectionUtils.newInstance(TieredBlockCache.class, conf))
        .hasRootCauseInstanceOf(SettingsException.class);

    assertThat(log.lines()).singleElement().asString().startsWith("ERROR Terrace cannot start: ");
  }

  @Test
  void memoryThatTheJvmDoesNotHaveAnyMoreIsSaidToo() {
    long limitBytes = DirectMemory.limitBytes();
    ByteBuffer taken = ByteBuffer.allocateDirect(64 << 20);
    Configuration conf = OpenCaches.conf("hbase.terrace.dram.size", Long.toString(limitBytes));

    assertThatThrownBy(() -> new TieredBlockCache(conf))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("hbase.terrace.dram.size=")
        .hasMessageContaining(" is more than the direct memory that this JVM has left")
        .hasCauseInstanceOf(OutOfMemoryError.class);

    assertThat(log.lines()).hasSize(1);
    assertThat(taken.capacity()).isEqualTo(64 << 20);
  }

  /** As a scanner over a snapshot does it in a client that has the region servers' settings. */
  @Test
  void outsideOfARegionServerTheExternalCacheHoldsNothing(@TempDir Path folder) throws Exception {
    Configuration conf =
        OpenCaches.conf(
            "hbase.blockcache.use.external",
            "true",
            "hbase.blockcache.external.class",
            TieredBlockCache.class.getName(),
            "hbase.terrace.dram.size",
            "much more than a client has",
            "hbase.terrace.ssd.paths",
            folder.resolve("ssd").toString(),
            "hbase.terrace.ssd.size",
            "64m");

    var cache = BlockCacheFactory.createBlockCache(conf);

    assertThat(cache.getBlockCaches()).hasSize(2);
    TieredBlockCache ours = (TieredBlockCache) cache.getBlockCaches()[1];
    assertThat(ours.getMaxSize()).isZero();
    assertThat(ours.isCacheEnabled()).isFalse();
    BlockCacheKey key = TestBlocks.key("file", 0);
    ours.cacheBlock(key, TestBlocks.data("file", 0, 66_000));
    assertThat(ours.getBlock(key, true, false, true)).isNull();
    assertThat(ours.getStats().getFailedInserts()).as("nothing failed").isZero();
    assertThat(folder).isEmptyDirectory();
    assertThat(log.lines()).isEmpty();
    assertThat(
            ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("dev.terrace:*"), null))
        .isEmpty();
    cache.shutdown();
    cache.shutdown();
  }

  @Test
  void theExternalCacheIsForRegionServersOnly() {
    Configuration conf =
        OpenCaches.conf("hbase.blockcache.external.class", TieredBlockCache.class.getName());
    String factory = BlockCacheFactory.class.getName() + ".createBlockCache";
    String regionServer = HRegionServer.class.getName() + ".<init>";
    String master = HMaster.class.getName();
    String scanner = ClientSideRegionScanner.class.getName() + ".<init>";

    assertThat(EntryPoint.of(conf, Set.of(factory, regionServer)))
        .isEqualTo(EntryPoint.EXTERNAL_CACHE);
    assertThat(EntryPoint.of(conf, Set.of()))
        .as("embedded in a fork")
        .isEqualTo(EntryPoint.EXTERNAL_CACHE);
    assertThat(EntryPoint.of(conf, Set.of(factory, regionServer, master + ".main")))
        .as("a standalone server")
        .isEqualTo(EntryPoint.EXTERNAL_CACHE);
    assertThat(EntryPoint.of(conf, Set.of(factory, scanner)))
        .isEqualTo(EntryPoint.OUTSIDE_OF_REGION_SERVERS);
    assertThat(EntryPoint.of(conf, Set.of(factory, regionServer, master + ".<init>")))
        .as("a master that is a region server, too")
        .isEqualTo(EntryPoint.OUTSIDE_OF_REGION_SERVERS);
  }

  @Test
  void whoWantsMemcachedIsToldWhatToDo() {
    Configuration conf = OpenCaches.conf("hbase.blockcache.external.class", "memcached");

    assertThatThrownBy(() -> ReflectionUtils.newInstance(MemcachedBlockCache.class, conf))
        .hasRootCauseInstanceOf(UnsupportedOperationException.class)
        .rootCause()
        .hasMessageContaining("hbase.blockcache.external.class=memcached")
        .hasMessageContaining("dev.terrace.hbase.TieredBlockCache");
  }
}
