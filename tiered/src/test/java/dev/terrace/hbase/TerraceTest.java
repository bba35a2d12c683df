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
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.MemcachedBlockCache;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ways into HBase, as far as they go without a region server. */
class TerraceTest {

  @RegisterExtension final LogLines log = new LogLines(Terrace.class);

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

    var cache = BlockCacheFactory.createBlockCache(conf);

    assertThat(cache).isInstanceOf(LruBlockCache.class);
    assertThat(log.lines()).singleElement().asString().startsWith("ERROR Terrace cannot start: ");
    cache.shutdown();
  }

  @Test
  void memoryThatTheJvmDoesNotHaveAnyMoreIsSaidToo() {
    long limitBytes = DirectMemory.limitBytes();
    ByteBuffer taken = ByteBuffer.allocateDirect(64 << 20);
    Configuration conf = OpenCaches.conf("hbase.terrace.dram.size", Long.toString(limitBytes));

    assertThatThrownBy(() -> new TieredBlockCache(conf))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith(
            "hbase.terrace.dram.size="
                + limitBytes
                + " is more direct memory than this JVM has left")
        .hasCauseInstanceOf(OutOfMemoryError.class);

    assertThat(log.lines()).hasSize(1);
    assertThat(taken.capacity()).isEqualTo(64 << 20);
  }

  @Test
  void hbaseFindsTheExternalCacheByItsClass() {
    Configuration conf =
        OpenCaches.conf(
            "hbase.blockcache.use.external",
            "true",
            "hbase.blockcache.external.class",
            TieredBlockCache.class.getName());

    var cache = BlockCacheFactory.createBlockCache(conf);

    assertThat(cache.getBlockCaches()).hasSize(2);
    assertThat(cache.getBlockCaches()[1]).isInstanceOf(TieredBlockCache.class);
    cache.shutdown();
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
