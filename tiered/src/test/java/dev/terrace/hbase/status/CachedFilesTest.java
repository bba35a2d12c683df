// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Accounting by file and region. */
class CachedFilesTest {

  private static final int SIZE = 66_000;
  private static final long ENCODED = SIZE + HFileBlock.BLOCK_METADATA_SPACE;
  private static final int BLOCKS = 4;
  private static final long END = BLOCKS * (long) SIZE;

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  private TieredBlockCache cache;

  @BeforeEach
  void open() {
    cache = caches.open();
  }

  private static Path path(String region, String file) {
    return new Path("/hbase/data/default/table/" + region + "/family/" + file);
  }

  private void put(String region, String file, long offset) {
    BlockCacheKey key = new BlockCacheKey(path(region, file), offset, true, BlockType.DATA);
    cache.cacheBlock(key, TestBlocks.data(file, offset, SIZE));
  }

  private void prefetch(String region, String file) {
    for (int i = 0; i < BLOCKS; i++) {
      put(region, file, i * (long) SIZE);
    }
    cache.notifyFileCachingCompleted(path(region, file), BLOCKS, BLOCKS - 1, END);
  }

  private Map<String, Pair<String, Long>> fullyCached() {
    return cache.getFullyCachedFiles().orElseThrow();
  }

  private Map<String, Long> regions() {
    return cache.getRegionCachedInfo().orElseThrow();
  }

  @Test
  void bytesAddUpByRegion() {
    put("one", "a", 0);
    put("one", "b", 0);
    put("one", "b", SIZE);
    put("two", "c", 0);

    assertThat(regions()).containsOnly(Map.entry("one", 3 * ENCODED), Map.entry("two", ENCODED));
  }

  @Test
  void bytesThatLeaveAreGone() {
    put("one", "a", 0);
    put("one", "a", SIZE);
    put("one", "b", 0);

    cache.evictBlock(TestBlocks.key("a", 0));
    assertThat(regions()).containsOnly(Map.entry("one", 2 * ENCODED));
    cache.evictBlocksByHfileName("b");
    assertThat(regions()).containsOnly(Map.entry("one", ENCODED));
    cache.evictBlocksRangeByHfileName("a", 0, SIZE);
    assertThat(regions()).isEmpty();
  }

  @Test
  void aFileOfUnknownRegionIsLeftOutUntilItsRegionIsKnown() {
    cache.cacheBlock(TestBlocks.key("a", 0), TestBlocks.data("a", 0, SIZE));
    assertThat(regions()).isEmpty();

    put("one", "a", SIZE);
    assertThat(regions()).containsOnly(Map.entry("one", 2 * ENCODED));
  }

  @Test
  void aPrefetchedFileIsFullyCached() {
    prefetch("one", "a");

    assertThat(fullyCached()).containsOnlyKeys("a");
    assertThat(fullyCached().get("a")).isEqualTo(new Pair<>("one", END));
    assertThat(regions()).containsOnly(Map.entry("one", BLOCKS * ENCODED));
  }

  @Test
  void aFileThatLostABlockIsNotFullyCachedUntilItHasItAgain() {
    prefetch("one", "a");

    cache.evictBlock(TestBlocks.key("a", SIZE));
    assertThat(fullyCached()).isEmpty();
    put("one", "a", SIZE);
    assertThat(fullyCached()).containsOnlyKeys("a");
  }

  @Test
  void theFullyCachedFilesAreAView() {
    Map<String, Pair<String, Long>> view = fullyCached();
    assertThat(view).isEmpty();

    prefetch("one", "a");
    assertThat(view.get("a")).isEqualTo(new Pair<>("one", END));
    assertThat(view).containsKey("a").hasSize(1).doesNotContainKey("b");

    cache.evictBlocksByHfileName("a");
    assertThat(view.get("a")).isNull();
    assertThat(view).isEmpty();
  }

  @Test
  void aFileThatNobodyWentThroughIsNotFullyCached() {
    put("one", "a", 0);

    assertThat(fullyCached()).isEmpty();
  }

  @Test
  void theRootIndexBehindTheEndMakesUpForNoMissingBlock() {
    put("one", "a", END);
    prefetch("one", "a");
    assertThat(fullyCached()).containsOnlyKeys("a");

    cache.evictBlock(TestBlocks.key("a", 0));

    assertThat(fullyCached()).isEmpty();
  }

  @Test
  void anEvictedFileIsForgotten() {
    prefetch("one", "a");
    cache.evictBlocksByHfileName("a");
    assertThat(fullyCached()).isEmpty();
    assertThat(regions()).isEmpty();

    for (int i = 0; i < BLOCKS; i++) {
      put("two", "a", i * (long) SIZE);
    }

    assertThat(fullyCached()).isEmpty();
    assertThat(regions()).containsOnlyKeys("two");
  }

  @Test
  void aFileWhoseBlocksLeftOneByOneIsForgotten() {
    prefetch("one", "a");
    for (int i = 0; i < BLOCKS; i++) {
      cache.evictBlock(TestBlocks.key("a", i * (long) SIZE));
    }

    assertThat(regions()).isEmpty();
    assertThat(fullyCached()).isEmpty();
    put("two", "a", 0);
    assertThat(regions()).containsOnlyKeys("two");
  }
}
