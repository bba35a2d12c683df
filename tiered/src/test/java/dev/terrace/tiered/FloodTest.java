// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Source;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Floods of blocks that are read once or not at all, between two phases with a hot set. */
@Tag("long")
class FloodTest extends DramOverSsd {

  private static final int BLOCK_BYTES = 30_000;
  private static final int DRAM_BLOCKS = DRAM_BYTES / BLOCK_BYTES;
  private static final int ALL_BLOCKS = (int) (ALL_BYTES / BLOCK_BYTES);

  FloodTest() {
    super(BLOCK_BYTES);
  }

  /** What floods the cache. */
  private enum Flood {
    /** A scan reads each block once. */
    SCAN,
    /** A compaction writes its output into the cache, and gives up its inputs. */
    COMPACTION,
    /** A large table is prefetched. */
    PREFETCH
  }

  private void read(String file, long offset) {
    read(file, offset, BLOCK_BYTES);
  }

  private void putAhead(String file, long offset) {
    put(file, offset, BLOCK_BYTES, Source.PREFETCH);
  }

  private void flood(Flood flood) {
    for (long offset = 0; offset < 5L * ALL_BLOCKS; offset++) {
      switch (flood) {
        case SCAN -> read("scanned", offset);
        case COMPACTION -> putAhead("output" + offset / ALL_BLOCKS, offset);
        case PREFETCH -> putAhead("prefetched", offset);
      }
    }
    if (flood == Flood.COMPACTION) {
      cache.evictFile(file("output0"));
    }
  }

  @ParameterizedTest
  @EnumSource(Flood.class)
  void theHotSetIsBackInUnderOnePass(Flood flood) {
    passesOverTheHotSet(30);
    double before = passesOverTheHotSet(20);
    assertThat(before).as("in DRAM before").isBetween(0.7, 0.98);

    flood(flood);

    // The very first pass, what it has to fetch again included, as a mean of so many floods.
    double after = passesOverTheHotSet(1);
    int floods = 1;
    for (; floods < 4; floods++) {
      passesOverTheHotSet(3);
      flood(flood);
      after += passesOverTheHotSet(1);
    }
    after /= floods;
    assertThat(after)
        .as("in DRAM in the pass after, before it was %.3f", before)
        .isGreaterThan(before - 0.02);
  }

  @ParameterizedTest
  @EnumSource(
      value = Flood.class,
      names = {"SCAN", "PREFETCH"})
  void anEmptyCacheIsFilledAtOnce(Flood flood) {
    for (long offset = 0; offset < ALL_BLOCKS; offset++) {
      if (flood == Flood.SCAN) {
        read("scanned", offset);
      } else {
        putAhead("prefetched", offset);
      }
    }
    assertThat(dram.blockCount()).isGreaterThan(DRAM_BLOCKS * 95L / 100);
    assertThat(cache.usages().next().blocks())
        .as("blocks of the only file, of %d", ALL_BLOCKS)
        .isGreaterThan(ALL_BLOCKS * 90 / 100);
  }

  @Test
  void whatIsPrefetchedIntoFreeRoomIsFoundThere() {
    passesOverTheHotSet(3);
    for (long offset = 0; offset < DRAM_BLOCKS; offset++) {
      putAhead("prefetched", offset);
    }
    assertThat(cache.usage(file("prefetched")).blocks()).isEqualTo(DRAM_BLOCKS);
  }
}
