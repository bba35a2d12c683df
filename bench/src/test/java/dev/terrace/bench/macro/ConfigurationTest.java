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
package dev.terrace.bench.macro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.ByteSize;
import dev.terrace.bench.hbase.CacheConfiguration;
import dev.terrace.bench.hbase.CachePlaces;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ConfigurationTest {

  private static final CacheSizes SIZES = MacroScale.SMALL.sizes();
  private static final CachePlaces PLACES =
      new CachePlaces(Path.of("/caches/pmem"), Path.of("/caches/ssd"));

  @Test
  void theNamesAreThoseOfTheReports() {
    assertThat(Arrays.stream(Configuration.values()).map(Configuration::id))
        .containsExactly(
            "lru",
            "bucket-offheap",
            "bucket-file",
            "terrace-dram",
            "terrace-dram-pmem",
            "terrace-dram-ssd",
            "terrace-all");
  }

  @Test
  void lruGetsTheDramBytesOnAHeapThatIsLargerByThem() {
    CacheConfiguration lru = Configuration.LRU.with(SIZES, PLACES);
    assertThat(lru.heap()).isEqualTo(SIZES.heapAndDram());
    double share = Double.parseDouble(lru.settings().get("hfile.block.cache.size"));
    assertThat(share * lru.heap().bytes()).isCloseTo((double) SIZES.dram().bytes(), within(1.0));
    double memstores =
        Double.parseDouble(lru.settings().get("hbase.regionserver.global.memstore.size"));
    assertThat(memstores * lru.heap().bytes()).isCloseTo(0.4 * SIZES.heap().bytes(), within(1.0));
  }

  @ParameterizedTest
  @EnumSource(MacroScale.class)
  void hbaseAcceptsTheSharesOfTheHeap(MacroScale scale) {
    CacheSizes sizes = scale.sizes();
    assertThat(sizes.lruShare() + sizes.memstoreShareBesideLru()).isLessThanOrEqualTo(0.8);
  }

  @Test
  void aHeapThatIsTooSmallForLruIsRefused() {
    ByteSize one = ByteSize.ofMebibytes(100);
    ByteSize three = ByteSize.ofMebibytes(300);
    assertThatThrownBy(() -> new CacheSizes(one, three, one, one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("300 MB");
  }

  @Test
  void bucketCacheFileAndTheSsdTierHaveTheSameBytes() {
    CacheConfiguration file = Configuration.BUCKET_FILE.with(SIZES, PLACES);
    assertThat(file.settings())
        .containsEntry("hbase.bucketcache.ioengine", "file:/caches/ssd/bucketcache")
        .containsEntry("hbase.bucketcache.size", Long.toString(SIZES.ssd().mebibytes()));
    assertThat(Configuration.TERRACE_DRAM_SSD.with(SIZES, PLACES).settings())
        .containsEntry("hbase.terrace.ssd.size", Long.toString(SIZES.ssd().bytes()))
        .doesNotContainKey("hbase.terrace.pmem.size");
  }

  @ParameterizedTest
  @EnumSource(Configuration.class)
  void onlyTerraceHasTheJarAndOnlyTiersHaveFolders(Configuration configuration) {
    CacheConfiguration cache = configuration.with(SIZES, PLACES);
    assertThat(cache.withDropInJar()).isEqualTo(!configuration.isHBaseOwn());
    assertThat(cache.pmemFolder().isPresent()).isEqualTo(configuration.usesPmem());
    assertThat(cache.ssdFolder().isPresent()).isEqualTo(configuration.usesSsd());
    assertThat(cache.directMemory().bytes())
        .isGreaterThan(configuration.isHBaseOwn() ? 0 : SIZES.dram().bytes());
  }
}
