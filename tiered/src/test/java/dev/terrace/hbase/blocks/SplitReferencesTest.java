// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After a split both daughters read the parent's file, each through a reference to it. */
class SplitReferencesTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String REFERENCE = FILE + ".fedcba9876543210fedcba9876543210";
  private static final int SIZE = 66_000;

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  private TieredBlockCache cache;

  @BeforeEach
  void open() {
    cache = caches.open();
  }

  private static HFileBlock block(long offset) {
    return TestBlocks.data(FILE, offset, SIZE);
  }

  private void assertFound(String name, long offset) {
    Cacheable found = cache.getBlock(TestBlocks.key(name, offset), true, false, true);
    assertThat(found).isEqualTo(block(offset));
    found.release();
  }

  private void assertAbsent(String name, long offset) {
    assertThat(cache.getBlock(TestBlocks.key(name, offset), true, false, true)).isNull();
  }

  @Test
  void whatTheParentCachedTheDaughtersFind() {
    cache.cacheBlock(TestBlocks.key(FILE, 0), block(0));

    assertFound(REFERENCE, 0);
    assertThat(cache.isAlreadyCached(TestBlocks.key(REFERENCE, 0))).contains(true);
    assertThat(cache.getBlockSize(TestBlocks.key(REFERENCE, 0))).contains(SIZE);
  }

  @Test
  void whatADaughterCachedLiesUnderTheFile() {
    cache.cacheBlock(TestBlocks.key(REFERENCE, 0), block(0));
    cache.cacheBlock(TestBlocks.key(FILE, 0), block(0));

    assertThat(cache.getBlockCount()).isEqualTo(1);
    assertThat(cache.iterator().next().getFilename()).isEqualTo(FILE);
    assertFound(FILE, 0);
    assertFound(REFERENCE, 0);
  }

  @Test
  void readsThroughAReferenceCountLikeOthers() {
    cache.cacheBlock(TestBlocks.key(FILE, 0), block(0));

    assertFound(REFERENCE, 0);
    assertAbsent(REFERENCE, 1);

    assertThat(cache.getStats().getHitCount()).isEqualTo(1);
    assertThat(cache.getStats().getMissCount()).isEqualTo(1);
    assertThat(OpenCaches.dram(cache).reads().hits().counted()).isEqualTo(1);
    assertThat(OpenCaches.dram(cache).reads().misses()).isEqualTo(1);
  }

  @Test
  void aBadBlockReadThroughAReferenceIsEvictedFromTheFile() {
    cache.cacheBlock(TestBlocks.key(FILE, 0), block(0));

    assertThat(cache.evictBlock(TestBlocks.key(REFERENCE, 0))).isTrue();

    assertAbsent(FILE, 0);
  }

  @Test
  void aDaughterThatLetsGoOfItsHalfLeavesTheOther() {
    for (long offset = 0; offset < 10; offset++) {
      cache.cacheBlock(TestBlocks.key(REFERENCE, offset), block(offset));
    }

    // What the reader of the lower half does when it is closed after a compaction.
    assertThat(cache.evictBlocksRangeByHfileName(FILE, 0, 4)).isEqualTo(5);
    assertThat(cache.evictBlocksByHfileName(REFERENCE)).isZero();

    assertAbsent(REFERENCE, 4);
    assertFound(REFERENCE, 5);
    assertThat(cache.evictBlocksRangeByHfileName(FILE, 4, Long.MAX_VALUE)).isEqualTo(5);
    assertThat(cache.getBlockCount()).isZero();
  }

  private static int evictedAtClose(TieredBlockCache from) throws InterruptedException {
    AtomicInteger evicted = new AtomicInteger();
    Thread closer =
        new Thread(
            () -> evicted.set(from.evictBlocksByHfileName(FILE)),
            "StoreFileCloser-0123456789abcdef0123456789abcdef-family-1");
    closer.start();
    closer.join();
    return evicted.get();
  }

  @Test
  void aRegionThatIsClosedForASplitKeepsItsBlocks() throws InterruptedException {
    cache.cacheBlock(TestBlocks.key(FILE, 0), block(0));

    assertThat(evictedAtClose(cache)).isZero();

    assertFound(REFERENCE, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hbase.rs.evictblocksonclose", "hbase.rs.evictblocksonsplit"})
  void anOperatorMayHaveThemEvicted(String key) throws InterruptedException {
    TieredBlockCache evicting = caches.open(key, "true");
    evicting.cacheBlock(TestBlocks.key(FILE, 0), block(0));

    assertThat(evictedAtClose(evicting)).isEqualTo(1);
  }

  @Test
  void theParentsBlocksGoWithTheParentsFile() {
    cache.cacheBlock(TestBlocks.key(REFERENCE, 0), block(0));

    assertThat(cache.evictBlocksByHfileName(FILE)).isEqualTo(1);

    assertAbsent(REFERENCE, 0);
  }

  @Test
  void theBytesCountForTheDaughterThatCachedLast() {
    Path one = new Path("/hbase/data/ns/table/one/family/" + REFERENCE);
    Path two = new Path("/hbase/data/ns/table/two/family/" + REFERENCE);

    cache.cacheBlock(new BlockCacheKey(one, 0, true, BlockType.DATA), block(0));
    assertThat(cache.getRegionCachedInfo().orElseThrow()).containsOnlyKeys("one");

    cache.cacheBlock(new BlockCacheKey(two, 1, true, BlockType.DATA), block(1));
    assertThat(cache.getRegionCachedInfo().orElseThrow()).containsOnlyKeys("two");
  }

  @Test
  void aReferenceIsFullyCachedIfItsFileIs() {
    Path daughter = new Path("/hbase/data/ns/table/daughter/family/" + REFERENCE);
    for (long offset = 0; offset < 3; offset++) {
      cache.cacheBlock(TestBlocks.key(REFERENCE, offset), block(offset));
    }

    cache.notifyFileCachingCompleted(daughter, 3, 3, 1_000);

    assertThat(cache.getFullyCachedFiles().orElseThrow()).containsOnlyKeys(REFERENCE);
    assertThat(cache.getFullyCachedFiles().orElseThrow().get(REFERENCE).getFirst())
        .isEqualTo("daughter");
    cache.evictBlock(TestBlocks.key(FILE, 1));
    assertThat(cache.getFullyCachedFiles().orElseThrow()).isEmpty();
  }
}
