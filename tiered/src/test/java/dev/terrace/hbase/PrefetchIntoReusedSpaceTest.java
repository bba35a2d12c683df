// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A prefetch into an SSD tier most of whose blocks were compacted away. */
class PrefetchIntoReusedSpaceTest {

  private static final int BLOCK_BYTES = 32 << 10;
  private static final int OLD_FILES = 10;
  private static final int DEAD_FILES = 6;
  private static final int BLOCKS_PER_FILE = 150;

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir Path folder;
  private TieredBlockCache cache;
  private String threadName;

  @BeforeEach
  void openAsAPrefetchThread() {
    threadName = Thread.currentThread().getName();
    Thread.currentThread().setName("hfile-prefetch-1");
    cache =
        caches.open(
            "hbase.terrace.dram.size",
            "4m",
            "hbase.terrace.ssd.paths",
            folder.toString(),
            "hbase.terrace.ssd.size",
            "64m");
    await().until(() -> fits());
  }

  @AfterEach
  void restoreTheThread() {
    Thread.currentThread().setName(threadName);
  }

  private boolean fits() {
    return cache.blockFitsIntoTheCache(TestBlocks.data("other", 0, BLOCK_BYTES)).orElseThrow();
  }

  private static BlockCacheKey key(String file, int block) {
    return TestBlocks.key(file, (long) block * BLOCK_BYTES);
  }

  private void prefetch(String file, int block) {
    BlockCacheKey key = key(file, block);
    cache.cacheBlock(key, TestBlocks.data(file, key.getOffset(), BLOCK_BYTES), false, true);
  }

  @Test
  void aPrefetchTakesTheRoomOfDeadBlocksInEachRegion() {
    for (int block = 0; block < BLOCKS_PER_FILE; block++) {
      for (int file = 0; file < OLD_FILES; file++) {
        prefetch("old" + file, block);
      }
    }
    for (int file = 0; file < DEAD_FILES; file++) {
      cache.evictBlocksByHfileName("old" + file);
    }
    assertThat(fits()).isTrue();
    for (int block = 0; block < BLOCKS_PER_FILE; block++) {
      for (int file = 0; file < 4; file++) {
        prefetch("new" + file, block);
        assertThat(cache.isAlreadyCached(key("new" + file, block)))
            .as("new%s block %s", file, block)
            .contains(true);
      }
    }
  }
}
