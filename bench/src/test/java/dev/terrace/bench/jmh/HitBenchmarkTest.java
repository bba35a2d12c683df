// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.workload.BlockSet;
import dev.terrace.bench.workload.CacheKind;
import dev.terrace.bench.workload.LoadedCache;
import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class HitBenchmarkTest {

  private final BlockSet blocks = BlockSet.ofOneSize(2, 4096);

  @ParameterizedTest
  @EnumSource(CacheKind.class)
  void aHitLeavesTheCountOfHoldersAsItWasAndAMissFailsTheRun(CacheKind kind) throws IOException {
    try (LoadedCache loaded = LoadedCache.open(kind, blocks, 4096)) {
      loaded.fill();
      BlockCacheKey key = blocks.newKeys()[1];

      Cacheable held = loaded.cache().getBlock(key, true, false, true);
      int holders = held.refCnt();
      HitBenchmark.hit(loaded.cache(), key);
      assertThat(held.refCnt()).isEqualTo(holders);
      held.release();

      loaded.cache().evictBlock(key);
      assertThatThrownBy(() -> HitBenchmark.hit(loaded.cache(), key))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a miss of " + key + ", which was resident at the start");
    }
  }
}
