// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.EvictionCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Small blocks must not take more heap than there is for the objects of blocks. */
class SmallBlocksTest {

  private static final long CAPACITY_BYTES = 16 << 20;
  private static final int MAX_BLOCKS = 2_000;
  private static final long HEAP_BYTES = MAX_BLOCKS * (long) DramConfig.HEAP_PER_SMALL_BLOCK;
  private static final int SMALL = 100;
  private static final int COMMON = 65_000;
  private static final BlockTraits TRAITS = new BlockTraits(0, Residency.ORDINARY);

  private final DramTier<HollowBlock> tier =
      new DramTier<>(new HollowBlock.Codec(), new DramConfig(CAPACITY_BYTES, 0.5, HEAP_BYTES));

  @AfterEach
  void close() {
    tier.close();
  }

  private void put(String file, int blocks, int sizeBytes) {
    for (int i = 0; i < blocks; i++) {
      HollowBlock block = HollowBlock.of(sizeBytes);
      tier.put(file(file), i, block, TRAITS, 0);
      block.release();
    }
  }

  @Test
  void areBoundedByTheHeap() {
    put("small", 10 * MAX_BLOCKS, SMALL);
    assertThat(tier.blockCount()).isBetween(MAX_BLOCKS * 9L / 10, (long) MAX_BLOCKS);
    assertThat(tier.stats().events().evictions()).containsOnlyKeys(EvictionCause.SIZE);
  }

  @Test
  void leaveTheirRoomToCommonOnes() {
    put("small", 10 * MAX_BLOCKS, SMALL);
    tier.evict(file("small"), Long.MIN_VALUE, Long.MAX_VALUE);
    put("common", 1_000, COMMON);
    assertThat(tier.stats().space().payloadBytes()).isGreaterThan(CAPACITY_BYTES * 95 / 100);
  }

  /** As many small blocks of one time as there are, and each common block is read again. */
  @Test
  void doNotDisplaceWhatIsRead() {
    int common = 200;
    put("common", common, COMMON);
    for (int round = 0; round < 8; round++) {
      for (int i = 0; i < common; i++) {
        HollowBlock block = tier.get(file("common"), i, Access.CACHING);
        if (block != null) {
          block.release();
        }
      }
      put("small-" + round, MAX_BLOCKS, SMALL);
    }
    assertThat(tier.blockCount()).isLessThan(MAX_BLOCKS);
    assertThat(tier.usage(file("common")).blocks()).isGreaterThan(common * 9 / 10);
  }
}
