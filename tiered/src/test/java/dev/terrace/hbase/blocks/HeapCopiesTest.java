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
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import dev.terrace.hbase.settings.TerraceSettings;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HBase has callers that do not release what they get, or use it afterwards. They get copies. */
class HeapCopiesTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String REGION = "fedcba9876543210fedcba9876543210";
  private static final String MOB_FILE = REGION + "20241122" + FILE + "_" + REGION;
  private static final String REFERENCE = FILE + "." + REGION;
  private static final int SIZE = 66_000;

  /** Fails a test that leaves a block leased. */
  @RegisterExtension final OpenCaches caches = new OpenCaches();

  @TempDir Path folder;

  private TieredBlockCache open(String tier) {
    return tier.equals("dram")
        ? caches.open()
        : caches.open(
            TerraceSettings.DRAM_SIZE.key(),
            "0",
            "hbase.terrace." + tier + ".paths",
            folder.toString(),
            "hbase.terrace." + tier + ".size",
            "32m");
  }

  /** A disk that is busy refuses a block, and takes it a little later. */
  private static void put(TieredBlockCache cache, String name, HFileBlock block) {
    await()
        .until(
            () -> {
              cache.cacheBlock(TestBlocks.key(name, 0), block);
              return cache.getBlockCount() == 1;
            });
  }

  private static HFileBlock get(TieredBlockCache cache, String name, long offset, boolean caching) {
    return (HFileBlock) cache.getBlock(TestBlocks.key(name, offset), caching, false, true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dram", "pmem", "ssd"})
  void blocksOfMobFilesNeedNoRelease(String tier) {
    TieredBlockCache cache = open(tier);
    HFileBlock block = TestBlocks.block(MOB_FILE, 0, SIZE, BlockType.DATA, 70_000);
    put(cache, MOB_FILE, block);

    HFileBlock first = get(cache, MOB_FILE, 0, true);
    HFileBlock second = get(cache, MOB_FILE, 0, false);
    cache.evictBlocksByHfileName(MOB_FILE);

    assertThat(first).isEqualTo(block).isNotSameAs(second);
    assertThat(second).isEqualTo(block);
    assertThat(List.of(first, second)).noneMatch(HFileBlock::isSharedMem);
    assertThat(cache.tierStats().get(tier).leases().bytes()).isZero();
    assertThat(cache.getStats().getHitCount()).isEqualTo(2);
  }

  /** What a release does to a copy is nothing, however often it comes. */
  @Test
  void aCallerThatDoesReleaseMayDoSo() {
    TieredBlockCache cache = caches.open();
    HFileBlock block = TestBlocks.data(MOB_FILE, 0, SIZE);
    cache.cacheBlock(TestBlocks.key(MOB_FILE, 0), block);

    HFileBlock copy = get(cache, MOB_FILE, 0, true);
    copy.release();

    assertThat(get(cache, MOB_FILE, 0, true)).isEqualTo(block).isEqualTo(copy);
  }

  /** More bytes than DRAM has are read and never released. */
  @Test
  void dramIsNotUsedUpByThem() {
    TieredBlockCache cache = caches.open();
    int blocks = (48 << 20) / SIZE;
    for (int i = 0; i < blocks; i++) {
      cache.cacheBlock(
          TestBlocks.key(MOB_FILE, i), TestBlocks.data(MOB_FILE, i, SIZE), false, false);
      Cacheable unreleased = get(cache, MOB_FILE, i, true);
      if (unreleased != null) {
        assertThat(unreleased).isEqualTo(TestBlocks.data(MOB_FILE, i, SIZE));
      }
    }
    assertThat(OpenCaches.dram(cache).events().refusals()).doesNotContainKey(PutOutcome.NO_SPACE);
    assertThat(OpenCaches.dram(cache).leases().bytes()).isZero();
  }

  /** This is how a half's reader finds the block at which the half ends, when it closes. */
  @ParameterizedTest
  @ValueSource(strings = {"dram", "pmem", "ssd"})
  void blocksOfReferencesNeedNoReleaseWhereTheyAreNotToBeCached(String tier) {
    TieredBlockCache cache = open(tier);
    HFileBlock block = TestBlocks.data(FILE, 0, SIZE);
    put(cache, FILE, block);

    HFileBlock atTheEnd = get(cache, REFERENCE, 0, false);
    cache.evictBlocksRangeByHfileName(FILE, 0, Long.MAX_VALUE);

    assertThat(atTheEnd).isEqualTo(block);
    assertThat(atTheEnd.isSharedMem()).isFalse();
    assertThat(cache.tierStats().get(tier).leases().bytes()).isZero();
  }

  /** Readers of a half release what they read, and a hot one must not fill the heap with copies. */
  @Test
  void otherReadersOfReferencesShareTheBlock() {
    TieredBlockCache cache = caches.open();
    cache.cacheBlock(TestBlocks.key(FILE, 0), TestBlocks.data(FILE, 0, SIZE));

    HFileBlock one = get(cache, REFERENCE, 0, true);
    HFileBlock other = get(cache, FILE, 0, true);

    assertThat(one).isSameAs(other);
    one.release();
    other.release();
  }

  /** The compaction of a family with MOB writes cells of blocks that it has released. */
  @ParameterizedTest
  @ValueSource(strings = {"dram", "pmem", "ssd"})
  void aBlockThatMayBeOfAFamilyWithMobIsTheCallersOwn(String tier) {
    TieredBlockCache cache = open(tier);
    HFileBlock block = TestBlocks.block(FILE, 0, SIZE, BlockType.DATA, 70_000);
    put(cache, FILE, block);

    HFileBlock read = get(cache, FILE, 0, false);
    read.release();
    HFileBlock next = get(cache, FILE, 0, false);

    assertThat(read).isEqualTo(block).isNotSameAs(next);
    assertThat(List.of(read, next)).noneMatch(HFileBlock::isSharedMem);
    assertThat(cache.tierStats().get(tier).leases().bytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"internal", "always", "never"})
  void outsideOfAServerOnlyAlwaysMakesCopies(String mode) {
    TieredBlockCache cache = caches.open("hbase.terrace.heap.copies", mode);
    HFileBlock block = TestBlocks.data(FILE, 0, SIZE);
    cache.cacheBlock(TestBlocks.key(FILE, 0), block);

    HFileBlock read = get(cache, FILE, 0, true);
    boolean isShared = read.isSharedMem();
    read.release();

    assertThat(isShared).isEqualTo(!mode.equals("always"));
    assertThat(OpenCaches.dram(cache).leases().bytes()).isZero();
  }
}
