// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.cacheonwrite;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.TestTiers;
import dev.terrace.hbase.blocks.BlockInserter;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.HBaseThreads;
import dev.terrace.hbase.files.OpenPaths;
import dev.terrace.hbase.files.RunningCompactions;
import dev.terrace.tiered.TieredCache;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Blocks as a compaction reads them and hands them over. */
class CompactionCachingTest {

  private static final int BLOCK_BYTES = 1_000;
  private static final int BLOCKS = 50;
  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  @RegisterExtension final TestTiers open = new TestTiers();

  private final AtomicInteger questions = new AtomicInteger();
  private final List<Path> stores = new ArrayList<>();
  private final FileCatalog known = OpenPaths.known(stores::stream);
  private TieredCache<Cacheable> tiers;
  private CompactionCaching compactions;
  private PutRouter puts;

  @BeforeEach
  void open() {
    tiers = open.open("hbase.terrace.dram.size", "16m");
    BlockInserter inserter = new BlockInserter(tiers);
    Configuration conf = new Configuration(false);
    compactions =
        new CompactionCaching(
            inserter,
            new RunningCompactions(known),
            context -> {
              questions.incrementAndGet();
              return CacheConfig.DISABLED;
            },
            true,
            conf);
    FlushCaching flushes =
        new FlushCaching(
            inserter,
            context -> new FlushCaching.Store(null, "", CacheConfig.DISABLED),
            false,
            conf);
    puts = new PutRouter(inserter, compactions, flushes);
  }

  private static void compact(Runnable compaction) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Runnable completing =
        () -> {
          try {
            compaction.run();
            end.complete(null);
          } catch (RuntimeException | Error e) {
            end.completeExceptionally(e);
          }
        };
    new Thread(completing, "regionserver/host:16020-shortCompactions-0").start();
    end.join();
  }

  private PutOutcome write(String file, long offset, BlockType type) {
    Cacheable block = TestBlocks.written(file, offset, BLOCK_BYTES, type);
    return puts.put(
        file(file),
        TestBlocks.key(file, offset),
        block,
        false,
        HBaseThreads.sourceOf(TestBlocks.key(file, offset), block, true));
  }

  /** As compactions by dates and stripes do. */
  @Test
  void aCompactionOfManyFilesAsksOnceForEach() {
    int files = 40;
    compact(
        () -> {
          compactions.read(file("input"), TestBlocks.key("input", 0), null);
          for (long offset = 0; offset < BLOCKS; offset++) {
            for (int file = 0; file < files; file++) {
              write("output" + file, offset, BlockType.DATA);
            }
          }
        });

    assertThat(questions).hasValue(files);
  }

  @Test
  void theIndexOfEachFileGoesWithItsOwnData() {
    tiers.put(file("hot"), 0, TestBlocks.data("hot", 0, BLOCK_BYTES), DATA);
    compact(
        () -> {
          Cacheable hot = tiers.get(file("hot"), 0, Access.UNCOUNTED);
          compactions.read(file("hot"), TestBlocks.key("hot", 0), hot);
          hot.release();
          assertThat(write("a", 0, BlockType.DATA)).isEqualTo(PutOutcome.STORED);
          assertThat(write("b", 0, BlockType.DATA)).isEqualTo(PutOutcome.STORED);
          assertThat(write("a", BLOCKS, BlockType.BLOOM_CHUNK)).isEqualTo(PutOutcome.STORED);
          assertThat(write("b", BLOCKS, BlockType.BLOOM_CHUNK)).isEqualTo(PutOutcome.STORED);
          assertThat(write("c", BLOCKS, BlockType.BLOOM_CHUNK)).isEqualTo(PutOutcome.NOT_ADMITTED);
        });
  }

  private void read(String file, Cacheable block) {
    compactions.read(file(file), TestBlocks.key(file, 0), block);
  }

  @Test
  void theHeatOfACompactionWithoutOutputIsNotTheNextOnes() {
    stores.add(new Path("/hbase/data/default/first/region/f/hot"));
    stores.add(new Path("/hbase/data/default/second/other/f/cold"));
    known.learnOpenFiles();
    tiers.put(file("hot"), 0, TestBlocks.data("hot", 0, BLOCK_BYTES), DATA);
    compact(
        () -> {
          Cacheable hot = tiers.get(file("hot"), 0, Access.UNCOUNTED);
          read("hot", hot);
          hot.release();
          read("cold", null);
          assertThat(write("output", 0, BlockType.DATA)).isEqualTo(PutOutcome.NOT_ADMITTED);
        });

    assertThat(known.owner(file("output")).table()).isEqualTo("default:second");
  }
}
