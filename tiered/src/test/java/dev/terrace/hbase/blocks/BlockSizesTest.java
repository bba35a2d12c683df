// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sizes of blocks whose headers lie, so that it is seen where an answer comes from. */
class BlockSizesTest {

  private static final int IN_HEADER = 1_000;
  private static final int IN_FILE = 1_100;
  private static final int BLOCKS = 5;

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  private TieredBlockCache cache;

  @BeforeEach
  void open() {
    cache = caches.open();
  }

  private void put(String file, int number) {
    long offset = (long) number * IN_FILE;
    cache.cacheBlock(TestBlocks.key(file, offset), TestBlocks.data(file, offset, IN_HEADER));
  }

  private void put(String file) {
    for (int number = 0; number < BLOCKS; number++) {
      put(file, number);
    }
  }

  private Optional<Integer> size(String file, int number) {
    return cache.getBlockSize(TestBlocks.key(file, (long) number * IN_FILE));
  }

  @Test
  void theHeaderOfACachedBlockHasItsSize() {
    put("file");
    cache.evictBlock(TestBlocks.key("file", IN_FILE));

    assertThat(size("file", 0)).as("before the hole").contains(IN_HEADER);
    assertThat(size("file", 1)).as("the hole").isEmpty();
    assertThat(cache.getBlockSize(TestBlocks.key("file", 1))).as("no block").isEmpty();
    put("file", 1);
    assertThat(size("file", 1)).contains(IN_HEADER);
  }

  /** Else it would take the size of one block for that of another. */
  @Test
  void aThreadThatMissedABlockIsToldNoSizesBehindIt() {
    put("file");
    put("other");
    cache.evictBlock(TestBlocks.key("file", IN_FILE));
    assertThat(size("file", 3)).contains(IN_HEADER);

    assertThat(cache.isAlreadyCached(TestBlocks.key("file", IN_FILE))).contains(false);

    assertThat(size("file", 3)).isEmpty();
    assertThat(size("file", 0)).as("a new beginning").contains(IN_HEADER);
    assertThat(size("other", 3)).contains(IN_HEADER);
    assertThat(CompletableFuture.supplyAsync(() -> size("file", 3)))
        .as("another thread")
        .succeedsWithin(Patience.LIMIT)
        .isEqualTo(Optional.of(IN_HEADER));
  }
}
