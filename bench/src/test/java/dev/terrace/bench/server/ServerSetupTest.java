// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.server.ServerSetup.CacheSizes;
import org.junit.jupiter.api.Test;

final class ServerSetupTest {

  private static final long NOTHING = 0;
  private static final long DRAM = 80L << 20;
  private static final long SSD = 768L << 20;
  private static final CacheSizes SIZES = new CacheSizes(512L << 20, DRAM, NOTHING, SSD);

  @Test
  void lruGetsTheDramBytesOnAHeapThatIsLargerByThem() {
    ServerSetup lru = ServerSetup.lru("lru", "LRU", SIZES);
    assertThat(lru.jvm().heap()).isEqualTo(SIZES.heapAndDram());
    assertThat(share(lru, "hfile.block.cache.size") * lru.jvm().heap())
        .isCloseTo((double) DRAM, within(1.0));
    assertThat(share(lru, "hbase.regionserver.global.memstore.size") * lru.jvm().heap())
        .isCloseTo(0.4 * SIZES.heap(), within(1.0));
  }

  private static double share(ServerSetup setup, String setting) {
    return Double.parseDouble(setup.settings().get(setting));
  }

  @Test
  void aHeapThatIsTooSmallForLruIsRefused() {
    long heap = 100L << 20;
    long dram = 300L << 20;
    assertThatThrownBy(() -> new CacheSizes(heap, dram, NOTHING, NOTHING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("300 MB");
    CacheSizes most = new CacheSizes(heap, 200L << 20, NOTHING, NOTHING);
    ServerSetup lru = ServerSetup.lru("lru", "LRU", most);
    // HBase wants a fifth of its heap for everything else.
    assertThat(
            share(lru, "hfile.block.cache.size")
                + share(lru, "hbase.regionserver.global.memstore.size"))
        .isLessThanOrEqualTo(0.8);
  }
}
