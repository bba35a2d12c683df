// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Source;
import org.junit.jupiter.api.Test;

/** Blocks that were made of resident ones. */
class RewrittenBlocksTest extends DramOverSsd {

  private static final int BLOCK_BYTES = 4_000;

  RewrittenBlocksTest() {
    super(BLOCK_BYTES);
  }

  private PutOutcome putRewritten(long offset, int fromTier) {
    CountedBlock block = CountedBlock.of("new", offset, BLOCK_BYTES);
    PutOutcome outcome = cache.putRewritten(file("new"), offset, block, DATA, fromTier);
    block.release();
    return outcome;
  }

  private void putUnread(long offset) {
    CountedBlock block = CountedBlock.of("new", offset, BLOCK_BYTES);
    assertThat(ssd.put(file("new"), offset, block, DATA, 0)).isEqualTo(PutOutcome.STORED);
    block.release();
  }

  private long evictedFromDram() {
    return dram.stats().events().evictions().getOrDefault(EvictionCause.SIZE, 0L);
  }

  @Test
  void oneGoesWhereTheResidentOneIs() {
    assertThat(putRewritten(0, 0)).isEqualTo(PutOutcome.STORED);
    assertThat(putRewritten(1, 1)).isEqualTo(PutOutcome.STORED);

    assertThat(cache.tierOf(file("new"), 0)).isZero();
    assertThat(cache.tierOf(file("new"), 1)).isOne();
    assertThat(cache.tierOf(file("new"), 2)).isEqualTo(-1);
  }

  @Test
  void oneEvictsNothingFromDramIfThereIsATierBelow() {
    for (long offset = 0; dram.hasFreeRoom(); offset++) {
      put("old", offset, BLOCK_BYTES, Source.READ);
    }
    long evicted = evictedFromDram();

    assertThat(putRewritten(0, 0)).isEqualTo(PutOutcome.STORED);

    assertThat(cache.tierOf(file("new"), 0)).isOne();
    assertThat(evictedFromDram()).isEqualTo(evicted);
  }

  @Test
  void oneOutlivesWhatNobodyRead() {
    assertThat(putRewritten(0, 1)).isEqualTo(PutOutcome.STORED);
    putUnread(1);

    for (long offset = 2; ssd.contains(file("new"), 1); offset++) {
      putUnread(offset);
    }

    assertThat(ssd.contains(file("new"), 0)).isTrue();
  }
}
