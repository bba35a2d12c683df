// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.api.Amount;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.blocks.BlockTypes;
import dev.terrace.hbase.blocks.HBaseBlockCodec;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many data blocks there are, exactly or about. */
class DataUsageTest {

  private static final int BLOCK_BYTES = 400;

  private final DramTier<Cacheable> tier = tier();
  private final DramTier<Cacheable> below = tier();

  private static DramTier<Cacheable> tier() {
    return new DramTier<>(new HBaseBlockCodec(), new DramConfig(64 << 20, 0.5));
  }

  @AfterEach
  void close() {
    tier.close();
    below.close();
  }

  /** Every fourth block is one of an index. */
  private static void fill(DramTier<Cacheable> tier, int blocks) {
    for (int i = 0; i < blocks; i++) {
      int type =
          i % 4 == 0 ? BlockTypes.number(BlockType.LEAF_INDEX) : BlockTypes.number(BlockType.DATA);
      tier.put(
          file("file" + i / 600),
          i,
          TestBlocks.data("file", i, BLOCK_BYTES),
          new BlockTraits(type, Residency.ORDINARY),
          0);
    }
    assertThat(tier.stats().space().blocks()).isEqualTo(blocks);
  }

  @Test
  void aFewAreCounted() {
    fill(tier, 1_000);

    Amount usage = CacheSizes.estimate(tier);

    assertThat(usage.blocks()).isEqualTo(750);
    assertThat(usage.bytes()).isEqualTo(tier.stats().space().payloadBytes() * 3 / 4);
  }

  @Test
  void manyAreEstimatedFromASample() {
    int blocks = CacheSizes.SAMPLE_BLOCKS * 3;
    fill(tier, blocks);

    Amount usage = CacheSizes.estimate(tier);

    long expected = blocks * 3L / 4;
    assertThat(usage.blocks()).isCloseTo(expected, within(expected / 10));
    long expectedBytes = tier.stats().space().payloadBytes() * 3 / 4;
    assertThat(usage.bytes()).isCloseTo(expectedBytes, within(expectedBytes / 10));
  }

  @Test
  void aBlockInTwoTiersCountsTwice() {
    fill(tier, 400);
    fill(below, 1_000);

    Amount usage = CacheSizes.estimate(tier).plus(CacheSizes.estimate(below));

    assertThat(usage.blocks()).isEqualTo(1_050);
    assertThat(usage.bytes())
        .isEqualTo(
            (tier.stats().space().payloadBytes() + below.stats().space().payloadBytes()) * 3 / 4);
  }
}
