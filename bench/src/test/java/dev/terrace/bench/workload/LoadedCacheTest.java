// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LoadedCacheTest {

  private static final int BLOCKS = 600;
  private static final int BLOCK_SIZE_BYTES = 64 << 10;

  private final BlockSet blocks = BlockSet.ofOneSize(BLOCKS, BLOCK_SIZE_BYTES);

  @ParameterizedTest
  @EnumSource(CacheKind.class)
  void fillsEveryCacheUntilAllBlocksAreResidentAndRightAndEmptiesIt(CacheKind kind)
      throws IOException {
    try (LoadedCache loaded = LoadedCache.open(kind, blocks, BLOCK_SIZE_BYTES)) {
      loaded.fill();

      assertThat(loaded.residentBlocks()).isEqualTo(BLOCKS);
      long others = kind == CacheKind.TERRACE_MANY_FILES ? 20_000 : 0;
      assertThat(loaded.cache().getBlockCount()).isEqualTo(others + BLOCKS);
      // By keys that were not put.
      loaded.verify();

      loaded.empty();
      assertThat(loaded.residentBlocks()).isZero();
      assertThatThrownBy(loaded::verify).hasMessageStartingWith("block 0 is missing from ");
    }
  }
}
