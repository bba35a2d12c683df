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
package dev.terrace.hbase.levels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.TierStats;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TieredBlockCache;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The two levels asked one by one, and never the cache that they are of, as the topologies of HBase
 * 4 ask them: first one, then the other; each evicts what is to go.
 */
class LevelsApartTest {

  private static final int BLOCK_BYTES = 20_000;
  private static final int BLOCKS_OF_A_FILE = 60;

  @RegisterExtension final OpenCaches caches = new OpenCaches();
  @TempDir Path folder;

  /** Two caches of which HBase knows that they are two, and no more. */
  private record Apart(FirstLevelBlockCache first, BlockCache second) {

    Apart(BlockCache[] levels) {
      this((FirstLevelBlockCache) levels[0], levels[1]);
    }

    private Stream<BlockCache> levels() {
      return Stream.of(first, second);
    }

    /** Whether a block is there, which then must be right. */
    boolean look(String file, long offset) {
      BlockCacheKey key = TestBlocks.key(file, offset);
      return levels().anyMatch(level -> isIn(level, key));
    }

    private static boolean isIn(BlockCache level, BlockCacheKey key) {
      Cacheable block = level.getBlock(key, true, false, true);
      if (block == null) {
        return false;
      }
      assertThat(block).isEqualTo(block(key));
      block.release();
      return true;
    }

    private static Cacheable block(BlockCacheKey key) {
      return TestBlocks.data(key.getHfileName(), key.getOffset(), BLOCK_BYTES);
    }

    void put(BlockCache level, String file, long offset) {
      BlockCacheKey key = TestBlocks.key(file, offset);
      Cacheable block = block(key);
      level.cacheBlock(key, block, false, false);
      block.release();
    }

    /** As a topology promotes. */
    void moveUp(String file, long offset) {
      BlockCacheKey key = TestBlocks.key(file, offset);
      Cacheable block = second.getBlock(key, true, false, false);
      if (block != null) {
        first.cacheBlock(key, block);
        second.evictBlock(key);
        assertThat(block).isEqualTo(block(key));
        block.release();
      }
    }

    boolean evict(String file, long offset) {
      BlockCacheKey key = TestBlocks.key(file, offset);
      return levels().filter(level -> level.evictBlock(key)).count() > 0;
    }

    int evict(String file) {
      return levels().mapToInt(level -> level.evictBlocksByHfileName(file)).sum();
    }

    int evict(String file, long from, long to) {
      return levels().mapToInt(level -> level.evictBlocksRangeByHfileName(file, from, to)).sum();
    }
  }

  private TieredBlockCache open() {
    return caches.open(
        "hbase.terrace.dram.size",
        "4m",
        "hbase.terrace.ssd.paths",
        folder.resolve("ssd").toString(),
        "hbase.terrace.ssd.size",
        "128m");
  }

  @Test
  void eachLevelFindsWhatWasPutIntoAny() {
    Apart levels = new Apart(open().getBlockCaches());
    levels.first().setVictimCache(levels.second());
    levels.put(levels.first(), "a", 0);
    levels.put(levels.second(), "a", 1);

    assertThat(levels.levels())
        .allSatisfy(
            level -> {
              assertThat(Apart.isIn(level, TestBlocks.key("a", 0))).isTrue();
              assertThat(Apart.isIn(level, TestBlocks.key("a", 1))).isTrue();
              assertThat(level.isAlreadyCached(TestBlocks.key("a", 1))).contains(true);
              assertThat(level.isAlreadyCached(TestBlocks.key("a", 2))).contains(false);
            });
    assertThat(levels.first().containsBlock(TestBlocks.key("a", 1))).isTrue();
    assertThat(levels.first().containsBlock(TestBlocks.key("a", 2))).isFalse();
  }

  @Test
  void anEvictionCountsABlockOnce() {
    Apart levels = new Apart(open().getBlockCaches());
    for (long offset = 0; offset < 10; offset++) {
      levels.put(offset % 2 == 0 ? levels.first() : levels.second(), "a", offset);
    }

    assertThat(levels.evict("a", 9)).isTrue();
    assertThat(levels.evict("a", 9)).isFalse();
    assertThat(levels.evict("a", 2, 4)).isEqualTo(3);
    assertThat(levels.evict("a")).isEqualTo(6);
    assertThat(levels.evict("a")).isZero();
  }

  /** Nothing wrong is read, and nothing evicted is back, while Terrace moves blocks. */
  @Test
  void whileBlocksMoveEachReadIsRightAndEachEvictionLasts() throws Exception {
    TieredBlockCache cache = open();
    Apart levels = new Apart(cache.getBlockCaches());
    int threads = 3;
    ExecutorService regions = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int region = 0; region < threads; region++) {
        tasks.add(new Region(levels, region));
      }
      for (Future<Void> task : regions.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      regions.shutdownNow();
    }
    TierStats ssd = cache.tierStats().get("ssd");
    assertThat(ssd.writes().puts()).as("moved down").isPositive();
    assertThat(ssd.reads().hits().counted()).as("found on the SSD").isPositive();
  }

  /** The files of a region, which one thread puts, reads and evicts. */
  private record Region(Apart levels, int number) implements Callable<Void> {

    private static final int FILES = 4;
    private static final int STEPS = 4_000;

    private String file(int file) {
      return "region" + number + "file" + file;
    }

    @Override
    public Void call() {
      SplittableRandom random = new SplittableRandom(number);
      for (int step = 0; step < STEPS; step++) {
        String file = file(random.nextInt(FILES));
        // Some are hot enough to come up again.
        long offset = random.nextInt(1 + random.nextInt(BLOCKS_OF_A_FILE));
        if (!levels.look(file, offset)) {
          levels.put(random.nextBoolean() ? levels.first() : levels.second(), file, offset);
        }
        if (random.nextInt(50) == 0) {
          levels.moveUp(file, offset);
        } else if (random.nextInt(100) == 0) {
          levels.evict(file, offset);
          assertGone(file, offset, offset);
        } else if (random.nextInt(500) == 0) {
          levels.evict(file, 0, offset);
          assertGone(file, 0, offset);
        } else if (random.nextInt(1_000) == 0) {
          levels.evict(file);
          assertGone(file, 0, BLOCKS_OF_A_FILE);
        } else if (random.nextInt(3_000) == 0) {
          // As HBase clears the cache of a region.
          IntStream.range(0, FILES).forEach(each -> levels.evict(file(each)));
          IntStream.range(0, FILES).forEach(each -> assertGone(file(each), 0, BLOCKS_OF_A_FILE));
        }
      }
      return null;
    }

    private void assertGone(String file, long first, long last) {
      for (long offset = first; offset <= last; offset++) {
        assertThat(levels.look(file, offset)).as("%s %s", file, offset).isFalse();
      }
    }
  }
}
