// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocks of cells that are much larger than other blocks, a sixty-fourth of the sizes of a server:
 * regions of 256 KB for 16 MB, and blocks of 160 KB for 10 MB.
 */
class LargeBlocksTest extends DramOverSsd {

  private static final int SMALL = 4_000;
  private static final int LARGEST_IN_DRAM = DRAM_BYTES / 8;
  private static final int LARGEST_ON_SSD = REGION_BYTES / 2;

  LargeBlocksTest() {
    super(SMALL);
  }

  private long badSizes(Tier<CountedBlock> tier) {
    return tier.stats().events().refusals().getOrDefault(PutOutcome.BAD_SIZE, 0L);
  }

  @Test
  void eachIsServedOrRefusedForItsSize() {
    int[] sizes = {
      LARGEST_ON_SSD,
      LARGEST_ON_SSD + 1,
      REGION_BYTES - 1,
      REGION_BYTES,
      REGION_BYTES + 1,
      LARGEST_IN_DRAM,
      LARGEST_IN_DRAM + 1,
      DRAM_BYTES,
      DRAM_BYTES + 1,
      2 * DRAM_BYTES
    };
    int refusedByAll = 0;
    for (int i = 0; i < sizes.length; i++) {
      read("large", i, sizes[i]);
      boolean isServed = sizes[i] <= LARGEST_IN_DRAM;
      assertThat(read("large", i, sizes[i])).as("%d bytes", sizes[i]).isEqualTo(isServed);
      refusedByAll += isServed ? 0 : 2;
    }
    assertThat(refusedByAll).isEqualTo(8);
    assertThat(badSizes(dram)).isEqualTo(refusedByAll);
    assertThat(badSizes(ssd)).as("asked after DRAM, which refused").isEqualTo(refusedByAll);
    assertThat(dram.stats().space().payloadBytes()).isLessThanOrEqualTo(DRAM_BYTES);
  }

  /** Twice what all tiers hold. */
  @ParameterizedTest
  @ValueSource(ints = {160_000, LARGEST_IN_DRAM, LARGEST_IN_DRAM + 1})
  void aFloodOfOneTimeReadsLeavesMostOfTheHotSet(int sizeBytes) {
    passesOverTheHotSet(10);
    double before = passesOverTheHotSet(5);
    assertThat(before).as("in DRAM before").isBetween(0.7, 0.98);

    for (long i = 0; i < 2 * ALL_BYTES / sizeBytes; i++) {
      read("flood", i, sizeBytes);
    }

    assertThat(passesOverTheHotSet(1)).as("in DRAM in the pass after").isGreaterThan(before - 0.15);
  }
}
