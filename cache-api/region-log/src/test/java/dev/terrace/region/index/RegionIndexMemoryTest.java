// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.index;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.memory.DirectMemory;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** At most 32 bytes a block, at any moment of a table's life. */
class RegionIndexMemoryTest {

  private static final BlockTraits TRAITS = new BlockTraits(0, Residency.ORDINARY);
  private static final int BLOCK_BYTES = 65_536 + 33;
  private static final int MAX_BYTES_PER_BLOCK = 32;

  /** A table with fewer blocks has at most this many bytes. */
  private static final int SMALL_TABLE_BYTES = 2 * IndexPages.PAGE_BYTES;

  private static final int CHUNK_PAGES = 16;

  private static RegionIndex newIndex() {
    return new RegionIndex(
        new IndexPages(CHUNK_PAGES, new DirectMemory(ByteBuffer::allocateDirect)));
  }

  private static long maxBytes(long blocks) {
    return Math.max(SMALL_TABLE_BYTES, blocks * MAX_BYTES_PER_BLOCK);
  }

  private static boolean insert(RegionIndex index, String file, long offset) {
    return index.insert(file(file), offset, BlockAddress.of(1, 64, BLOCK_BYTES), TRAITS, false);
  }

  @Test
  void tableTakesAtMost32BytesABlockWhileItGrowsAndShrinks() {
    RegionIndex index = newIndex();
    int most = 60_000;
    for (int blocks = 1; blocks <= most; blocks++) {
      assertThat(insert(index, "file", (long) blocks * BLOCK_BYTES)).isTrue();
      assertThat(index.tableBytes()).as("at %d", blocks).isLessThanOrEqualTo(maxBytes(blocks));
      // Growing takes no memory besides: what was taken is what tables have, but for a chunk.
      assertThat(index.offHeapBytes())
          .as("at %d", blocks)
          .isLessThan(index.tableBytes() + CHUNK_PAGES * IndexPages.PAGE_BYTES);
    }
    for (int blocks = most - 1; blocks >= 0; blocks--) {
      assertThat(index.remove(file("file"), (blocks + 1L) * BLOCK_BYTES))
          .isNotEqualTo(BlockAddress.NONE);
      assertThat(index.tableBytes()).as("at %d", blocks).isLessThanOrEqualTo(maxBytes(blocks));
    }
    assertThat(index.tableBytes()).isZero();
  }

  @Test
  void tableTakesAtMost32BytesABlockUnderRandomChanges() {
    SplittableRandom random = new SplittableRandom(5);
    RegionIndex index = newIndex();
    long[] offsets = new long[3_000];
    int blocks = 0;
    for (int step = 0; step < 300_000; step++) {
      boolean grows = step / 10_000 % 2 == 0;
      if (blocks == 0 || (blocks < offsets.length && random.nextInt(10) < (grows ? 7 : 3))) {
        offsets[blocks] = random.nextLong() & RegionIndex.MAX_OFFSET;
        blocks += insert(index, "file", offsets[blocks]) ? 1 : 0;
      } else {
        int victim = random.nextInt(blocks--);
        assertThat(index.remove(file("file"), offsets[victim])).isNotEqualTo(BlockAddress.NONE);
        offsets[victim] = offsets[blocks];
      }
      assertThat(index.tableBytes()).as("at %d", blocks).isLessThanOrEqualTo(maxBytes(blocks));
    }
    assertThat(index.blocks()).isEqualTo(blocks);
  }

  @Test
  void rangeThatIsRemovedLeavesASmallTable() {
    RegionIndex index = newIndex();
    for (int i = 0; i < 10_000; i++) {
      insert(index, "file", i);
    }
    assertThat(index.removeRange(file("file"), 100, 9_999)).hasSize(9_900);
    assertThat(index.tableBytes()).isLessThanOrEqualTo(maxBytes(100));
    for (int i = 0; i < 10_000; i++) {
      assertThat(index.address(file("file"), i) != BlockAddress.NONE).isEqualTo(i < 100);
    }
  }

  @Test
  void millionBlocksOfAThousandFiles() {
    assertMillionBlocks(1_000);
  }

  @Test
  void millionBlocksOfOneFile() {
    assertMillionBlocks(1);
  }

  /** As they would come from region tables: files mixed. */
  private static void assertMillionBlocks(int files) {
    int blocks = 1_000_000;
    long before = directMemoryBytes();
    RegionIndex index = new RegionIndex(DirectMemory.JVM);
    for (int i = 0; i < blocks; i++) {
      insert(index, "file-" + i % files, (long) (i / files) * BLOCK_BYTES);
      if (i % 100_000 == 99_999) {
        assertThat(index.offHeapBytes())
            .isLessThanOrEqualTo(MAX_BYTES_PER_BLOCK * (i + 1L) + (1 << 20));
      }
    }
    long taken = directMemoryBytes() - before;
    assertThat(index.blocks()).isEqualTo(blocks);
    assertThat(index.payloadBytes()).isEqualTo((long) blocks * BLOCK_BYTES);
    assertThat(index.offHeapBytes()).isLessThanOrEqualTo((long) MAX_BYTES_PER_BLOCK * blocks);
    assertThat(taken).isLessThanOrEqualTo(index.offHeapBytes());
    assertThat(index.heapBytes()).isLessThan(2L * blocks);
    for (int i = 0; i < blocks; i += 7) {
      assertThat(index.address(file("file-" + i % files), (long) (i / files) * BLOCK_BYTES))
          .isNotEqualTo(BlockAddress.NONE);
    }
  }

  private static long directMemoryBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  void memoryOfOneFileIsUsedByTheNext() {
    RegionIndex index = newIndex();
    long most = 0;
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < 1_000; i++) {
        insert(index, "file-" + round, i);
      }
      most = round == 0 ? index.offHeapBytes() : most;
      assertThat(index.offHeapBytes()).isEqualTo(most);
      index.removeRange(file("file-" + round), 0, RecordLayout.MAX_OFFSET);
      assertThat(index.tableBytes()).isZero();
    }
  }
}
