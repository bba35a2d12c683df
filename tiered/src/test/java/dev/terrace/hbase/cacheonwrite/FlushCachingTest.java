// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.cacheonwrite;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TestTiers;
import dev.terrace.hbase.blocks.BlockInserter;
import dev.terrace.hbase.files.HBaseThreads;
import dev.terrace.hbase.files.OpenPaths;
import dev.terrace.hbase.files.RunningCompactions;
import dev.terrace.tiered.TieredCache;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Blocks as flushes hand them over, with DRAM above an SSD. */
class FlushCachingTest {

  private static final int BLOCK_BYTES = 1_000;
  private static final int BLOCKS = 64;
  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);
  private static final CacheConfig NOTHING = CacheConfig.DISABLED;

  @RegisterExtension final LogLines log = new LogLines(FlushCaching.class);
  @RegisterExtension final TestTiers open = new TestTiers();
  @TempDir Path folder;

  private final Configuration conf = new Configuration(false);
  private String writing;

  private BiFunction<String, HFileContext, FlushCaching.Store> stores =
      (file, context) -> new FlushCaching.Store("region/f", "f", NOTHING);
  private TieredCache<Cacheable> tiers;
  private FlushCaching flushes;
  private PutRouter puts;

  @BeforeEach
  void open() {
    tiers =
        open.open(
            "hbase.terrace.dram.size",
            "64m",
            "hbase.terrace.ssd.paths",
            folder.toString(),
            "hbase.terrace.ssd.size",
            "64m");
    start();
  }

  private void start() {
    BlockInserter inserter = new BlockInserter(tiers);
    flushes = new FlushCaching(inserter, context -> stores.apply(writing, context), true, conf);
    puts =
        new PutRouter(
            inserter,
            new CompactionCaching(
                inserter,
                new RunningCompactions(OpenPaths.known(Stream::empty)),
                context -> NOTHING,
                false,
                conf),
            flushes);
    flushes.enableCacheOnWrite(conf);
  }

  private PutOutcome put(String file, long offset, BlockType type, boolean waits) {
    HFileBlock block = TestBlocks.written(file, offset, BLOCK_BYTES, type);
    writing = file;
    return offer(file, offset, block, waits);
  }

  /** Hands a block over as the adapter does. */
  private PutOutcome offer(String file, long offset, HFileBlock block, boolean waits) {
    BlockCacheKey key = TestBlocks.key(file, offset);
    return puts.put(file(file), key, block, false, HBaseThreads.sourceOf(key, block, waits));
  }

  /** Hands a file over as HBase does, its index as if it were read. */
  private void flush(String file, int blocks) {
    for (long offset = 0; offset < blocks; offset++) {
      put(file, offset, BlockType.DATA, true);
    }
    put(file, blocks, BlockType.BLOOM_CHUNK, true);
    put(file, blocks + 1, BlockType.ROOT_INDEX, false);
  }

  /** Has reads of a part of all blocks put them. */
  private void read(String file, double share) {
    for (long offset = 0; offset < share * BLOCKS; offset++) {
      if (tiers.tierOf(file(file), offset) < 0) {
        HFileBlock block = TestBlocks.data(file, offset, BLOCK_BYTES);
        offer(file, offset, block, false);
      }
    }
  }

  private long cached(String file, int tier) {
    return LongStream.range(0, BLOCKS).filter(o -> tiers.tierOf(file(file), o) == tier).count();
  }

  @Test
  void withoutHistoryNothingIsCached() {
    flush("a", BLOCKS);

    assertThat(tiers.usage(file("a")).blocks()).isZero();
    assertThat(flushes.figures()).containsEntry("blocksLeft", BLOCKS + 2L);
  }

  @Test
  void whatFollowsAFileThatWasReadIsCached() {
    flush("a", BLOCKS);
    read("a", 0.5);
    flush("b", BLOCKS);

    assertThat(cached("b", 0)).isEqualTo(BLOCKS);
    assertThat(tiers.contains(file("b"), BLOCKS)).as("Bloom filter").isTrue();
    assertThat(tiers.contains(file("b"), BLOCKS + 1)).as("index").isTrue();
    assertThat(flushes.figures())
        .isEqualTo(
            Map.of(
                "blocksMeasured",
                BLOCKS + 1L,
                "blocksRead",
                BLOCKS / 2L,
                "blocksPassedOn",
                (long) BLOCKS,
                "bytesPassedOn",
                flushes.figures().get("bytesPassedOn"),
                "blocksLeft",
                BLOCKS + 2L));
  }

  @Test
  void aFewReadBlocksAreNotEnough() {
    flush("a", BLOCKS);
    read("a", 0.2);
    flush("b", BLOCKS);

    assertThat(tiers.usage(file("b")).blocks()).isZero();
  }

  @Test
  void aStoreThatIsReadOnIsCachedOn() {
    flush("a", BLOCKS);
    read("a", 1);
    for (String file : new String[] {"b", "c", "d"}) {
      flush(file, BLOCKS);
      assertThat(cached(file, 0)).as(file).isEqualTo(BLOCKS);
      for (long offset = 0; offset < BLOCKS; offset++) {
        tiers.get(file(file), offset, Access.of(true, true, true)).release();
      }
    }
  }

  @Test
  void aLowerTierThatCountsTheReadsOfTheFileBeforeTellsToo() {
    flush("a", BLOCKS);
    for (long offset = 0; offset < BLOCKS; offset++) {
      tiers.putRewritten(file("a"), offset, TestBlocks.data("a", offset, BLOCK_BYTES), DATA, 1);
    }
    flush("b", BLOCKS);
    assertThat(cached("b", 1)).isEqualTo(BLOCKS);
    flush("c", BLOCKS);

    assertThat(tiers.usage(file("c")).blocks()).as("the file before was not read").isZero();
  }

  @Test
  void itGoesToTheTierOfTheBlocksThatWereRead() {
    flush("a", BLOCKS);
    for (long offset = 0; offset < BLOCKS; offset += 2) {
      tiers.putRewritten(file("a"), offset, TestBlocks.data("a", offset, BLOCK_BYTES), DATA, 1);
    }
    flush("b", BLOCKS);

    assertThat(cached("b", 1)).isEqualTo(BLOCKS);
  }

  @Test
  void aStoreThatIsReadNoMoreIsCachedOnceMore() {
    flush("a", BLOCKS);
    read("a", 1);
    flush("b", BLOCKS);
    flush("c", BLOCKS);

    assertThat(tiers.usage(file("b")).blocks()).isPositive();
    assertThat(tiers.usage(file("c")).blocks()).isZero();
  }

  @Test
  void aFileTellsBeforeItsBlocksGo() {
    flush("a", BLOCKS);
    read("a", 1);
    flushes.evicting(file("a"));
    tiers.evictFile(file("a"));
    flushes.evicting(file("a"));
    flush("b", BLOCKS);

    assertThat(cached("b", 0)).isEqualTo(BLOCKS);
  }

  @Test
  void filesOfOneFlushDoNotCountAsUnread() {
    flush("a", BLOCKS);
    read("a", 1);
    put("b", 0, BlockType.DATA, true);
    put("c", 0, BlockType.DATA, true);

    assertThat(put("b", 1, BlockType.DATA, true)).isEqualTo(PutOutcome.STORED);
    assertThat(put("c", 1, BlockType.DATA, true)).isEqualTo(PutOutcome.STORED);
  }

  @Test
  void storesAreApart() {
    stores = (file, context) -> new FlushCaching.Store(file.substring(0, 1), "f", NOTHING);
    flush("a1", BLOCKS);
    read("a1", 1);
    flush("b1", BLOCKS);
    flush("a2", BLOCKS);
    flush("b2", BLOCKS);

    assertThat(cached("a2", 0)).isPositive();
    assertThat(tiers.usage(file("b2")).blocks()).isZero();
  }

  @Test
  void theFirstFlushOfAStoreDoesAsOthersOfItsFamily() {
    stores =
        (file, context) ->
            new FlushCaching.Store(file.substring(0, 2), file.substring(0, 1), NOTHING);
    flush("a1-1", BLOCKS);
    read("a1-1", 1);
    flush("a1-2", BLOCKS);
    flush("a2-1", BLOCKS);
    flush("b1-1", BLOCKS);

    assertThat(cached("a2-1", 0)).isEqualTo(BLOCKS);
    assertThat(tiers.usage(file("b1-1")).blocks()).as("another family").isZero();
    flush("a2-2", BLOCKS);
    assertThat(tiers.usage(file("a2-2")).blocks()).as("its own first one was not read").isZero();
  }

  @Test
  void whatAFamilyWantsIsCached() {
    Configuration all = new Configuration(false);
    all.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    stores = (file, context) -> new FlushCaching.Store("region/f", "f", new CacheConfig(all));
    flush("a", BLOCKS);

    assertThat(tiers.usage(file("a")).blocks()).isEqualTo(BLOCKS + 2);
  }

  @Test
  void indexesThatAFamilyWantsAreCachedAlone() {
    Configuration indexes = new Configuration(false);
    indexes.setBoolean(CacheConfig.CACHE_INDEX_BLOCKS_ON_WRITE_KEY, true);
    stores = (file, context) -> new FlushCaching.Store("region/f", "f", new CacheConfig(indexes));
    flush("a", BLOCKS);

    assertThat(tiers.usage(file("a")).blocks()).isOne();
    assertThat(tiers.contains(file("a"), BLOCKS + 1)).isTrue();
  }

  @Test
  void whatTheOperatorWantsIsCached() {
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    start();
    flush("a", BLOCKS);

    assertThat(tiers.usage(file("a")).blocks()).isEqualTo(BLOCKS + 2);
    assertThat(flushes.figures().values()).containsOnly(0L);
  }

  @Test
  void prefetchesAreCached() {
    HFileBlock block = TestBlocks.data("a", 0, BLOCK_BYTES);
    assertThat(offer("a", 0, block, true)).isEqualTo(PutOutcome.STORED);

    // Should another version of HBase tell the table of what it reads.
    CompletableFuture<PutOutcome> outcome = new CompletableFuture<>();
    new Thread(() -> outcome.complete(put("a", 1, BlockType.DATA, true)), "hfile-prefetch-1")
        .start();
    assertThat(outcome.join()).isEqualTo(PutOutcome.STORED);
    assertThat(put("a", 2, BlockType.DATA, false)).isEqualTo(PutOutcome.STORED);
  }

  @Test
  void filesOfMobCellsAreNotCached() {
    stores = (file, context) -> new FlushCaching.Store(null, "f", NOTHING);
    String mob = "0123456789abcdef0123456789abcdef20261124" + "0".repeat(32) + "_region";
    HFileBlock block = TestBlocks.data(mob, 0, BLOCK_BYTES);

    assertThat(offer(mob, 0, block, true)).isEqualTo(PutOutcome.NOT_ADMITTED);
  }

  @Test
  void aFailureIsLoggedAndTheFileIsNotCached() {
    stores =
        (file, context) -> {
          throw new IllegalStateException("no store");
        };
    flush("a", BLOCKS);
    flush("b", BLOCKS);

    assertThat(log.lines()).hasSize(1);
    assertThat(tiers.usage(file("a")).blocks()).isZero();
  }

  @Test
  void fewStoresAreRemembered() {
    int many = 12_000;
    stores =
        (file, context) -> new FlushCaching.Store(file.substring(1), file.substring(1), NOTHING);
    for (int store = 0; store < many; store++) {
      String name = String.format(Locale.ROOT, "a%d", store);
      flush(name, 1);
      tiers.put(file(name), 0, TestBlocks.data(name, 0, 100), DATA);
    }
    int hot = 0;
    for (int store = 0; store < many; store++) {
      String name = String.format(Locale.ROOT, "b%d", store);
      put(name, 0, BlockType.DATA, true);
      hot += put(name, 1, BlockType.DATA, true) == PutOutcome.STORED ? 1 : 0;
    }

    assertThat(hot).isBetween(1_000, 10_000);
  }
}
