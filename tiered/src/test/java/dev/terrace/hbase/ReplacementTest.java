// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PutOutcome;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheTestUtils.ByteArrayCacheable;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which of two blocks stays when a key is cached again. */
class ReplacementTest {

  private static final BlockCacheKey KEY = TestBlocks.key("file", 0);

  @RegisterExtension final OpenCaches caches = new OpenCaches();

  private final List<PutOutcome> outcomes = new ArrayList<>();

  private final class Observed extends TieredBlockCache {
    Observed() {
      super(OpenCaches.conf(), EntryPoint.EMBEDDED);
    }

    @Override
    void onOutcome(PutOutcome outcome) {
      outcomes.add(outcome);
    }
  }

  private final TieredBlockCache cache = new Observed();

  private static HFileBlock block(long seed, int nextBlockOnDiskSize) {
    return TestBlocks.block(seed, 0, 66_000, BlockType.DATA, nextBlockOnDiskSize);
  }

  private void cacheBoth(Cacheable first, Cacheable second) {
    caches.track(cache);
    cache.cacheBlock(KEY, first);
    cache.cacheBlock(KEY, second);
  }

  private void assertCached(HFileBlock expected) {
    Cacheable block = cache.getBlock(KEY, true, false, false);
    assertThat(block).isEqualTo(expected);
    block.release();
  }

  @Test
  void theSameBlockChangesNothing() {
    cacheBoth(block(1, -1), block(1, -1));

    assertThat(outcomes).containsExactly(PutOutcome.STORED, PutOutcome.ALREADY_PRESENT);
    assertCached(block(1, -1));
  }

  /** The two differ where HBase notes the checksums of the file, and nowhere else. */
  @Test
  void aBlockThatHBase25HasWrittenIsTheOneThatItReadsAgain() {
    HFileBlock written = block(1, -1);
    HFileBlock read = TestBlocks.readByOlderHBase(1, 0, 66_000, BlockType.DATA, -1);
    assertThat(read).isNotEqualTo(written);

    cacheBoth(written, read);

    assertThat(outcomes).containsExactly(PutOutcome.STORED, PutOutcome.ALREADY_PRESENT);
    assertCached(written);
    assertThat(cache.getStats().getFailedInserts()).isZero();
  }

  @Test
  void whatIsPrefetchedReplacesNoBlockOfTheSameContents() {
    caches.track(cache);
    HFileBlock written = block(1, -1);
    cache.cacheBlock(KEY, written, false, true);

    cache.cacheBlock(
        KEY, TestBlocks.readByOlderHBase(1, 0, 66_000, BlockType.DATA, 70_000), false, true);

    assertThat(outcomes).containsExactly(PutOutcome.STORED, PutOutcome.ALREADY_PRESENT);
    assertCached(written);
    assertThat(OpenCaches.dram(cache).writes().puts()).isEqualTo(1);
  }

  @Test
  void otherContentsAreFoundBesideOtherChecksums() {
    cacheBoth(block(1, -1), TestBlocks.readByOlderHBase(2, 0, 66_000, BlockType.DATA, -1));

    assertThat(outcomes).containsExactly(PutOutcome.STORED, PutOutcome.BAD_BLOCK);
    assertThat(cache.getBlockCount()).isZero();
  }

  @Test
  void aBlockOfAnotherOffsetIsAnotherBlock() {
    cacheBoth(block(1, -1), TestBlocks.block(1, 70_000, 66_000, BlockType.DATA, -1));

    assertThat(outcomes).containsExactly(PutOutcome.STORED, PutOutcome.BAD_BLOCK);
  }

  @Test
  void ofTwoBlocksWithOtherContentsNeitherIsTrusted() {
    cacheBoth(block(1, -1), block(2, -1));

    assertThat(outcomes).containsExactly(PutOutcome.STORED, PutOutcome.BAD_BLOCK);
    assertThat(cache.getBlock(KEY, true, false, false)).isNull();
    assertThat(cache.getStats().getFailedInserts()).isEqualTo(1);
    cache.cacheBlock(KEY, block(2, -1));
    assertCached(block(2, -1));
  }

  @Test
  void otherKindsOfBlocksAreComparedByTheirBytes() {
    cacheBoth(new ByteArrayCacheable(new byte[] {1}), new ByteArrayCacheable(new byte[] {1}));
    cache.cacheBlock(KEY, new ByteArrayCacheable(new byte[] {2}));

    assertThat(outcomes)
        .containsExactly(PutOutcome.STORED, PutOutcome.ALREADY_PRESENT, PutOutcome.BAD_BLOCK);
    assertThat(cache.getBlockCount()).isZero();
  }
}
