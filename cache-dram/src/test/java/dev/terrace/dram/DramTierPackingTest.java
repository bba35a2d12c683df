// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TestFiles;
import dev.terrace.api.TierStats;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much payload the configured bytes hold while blocks of mixed sizes come and go. */
class DramTierPackingTest {

  private static final long CAPACITY_BYTES = 96L << 20;
  private static final int LOOKUPS = 60_000;

  private final LimitedAllocator source = new LimitedAllocator(CAPACITY_BYTES);

  /** Most blocks near one size, the rest from 4 KB to 1 MB, each size as likely as its double. */
  private static int mixedSize(long key, int nearBytes, int spreadBytes, int percentNear) {
    SplittableRandom random = new SplittableRandom(key);
    if (random.nextInt(100) < percentNear) {
      return nearBytes + random.nextInt(2 * spreadBytes + 1) - spreadBytes;
    }
    return (int) (4096 * Math.pow(256, random.nextDouble()));
  }

  @ParameterizedTest
  @CsvSource({"67584, 1024, 85", "67584, 6144, 85", "67584, 1024, 100", "67584, 6144, 0"})
  void payloadFillsTheCapacityUnderChurn(int nearBytes, int spreadBytes, int percentNear) {
    int keys = (int) (5 * CAPACITY_BYTES / 80_000);
    Zipf zipf = new Zipf(keys, 0.9, 1);
    long least = Long.MAX_VALUE;
    try (DramTier<HollowBlock> tier = newTier(0.5)) {
      for (int i = 0; i < LOOKUPS; i++) {
        int key = zipf.next();
        readOrPut(tier, key, mixedSize(key, nearBytes, spreadBytes, percentNear));
        if (i % 4_000 == 0) {
          tier.evict(TestFiles.file("file-" + i / 4_000 % 8), Long.MIN_VALUE, Long.MAX_VALUE);
        }
        if (i > LOOKUPS / 2 && i % 500 == 499) {
          TierStats stats = tier.stats();
          assertThat(stats.space().usedBytes() + stats.leases().bytes())
              .isLessThanOrEqualTo(CAPACITY_BYTES);
          least = i % 4_000 > 2_000 ? Math.min(least, stats.space().payloadBytes()) : least;
        }
      }
      assertThat((double) least / CAPACITY_BYTES).isGreaterThan(0.95);
      assertThat(tier.stats().events().refusals()).doesNotContainKey(PutOutcome.NO_SPACE);
      assertThat(tier.stats().writes().puts()).isGreaterThan(LOOKUPS / 10);
    }
    assertThat(source.highestBytes()).isEqualTo(CAPACITY_BYTES);
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void mostBlocksLieInOneRun() {
    int severalRuns = 0;
    int blocks = 0;
    Zipf zipf = new Zipf((int) (5 * CAPACITY_BYTES / 80_000), 0.9, 2);
    try (DramTier<HollowBlock> tier = newTier(0.5)) {
      for (int i = 0; i < LOOKUPS; i++) {
        int key = zipf.next();
        readOrPut(tier, key, mixedSize(key, 67_584, 6_144, 85));
        HollowBlock block = tier.get(TestFiles.file(file(key)), key, Access.UNCOUNTED);
        if (block != null && i > LOOKUPS / 2) {
          blocks++;
          severalRuns += block.parts() > 1 ? 1 : 0;
        }
        if (block != null) {
          block.release();
        }
      }
    }
    assertThat((double) severalRuns / blocks).isLessThan(0.15);
  }

  private DramTier<HollowBlock> newTier(double protectedShare) {
    return new DramTier<>(
        new HollowBlock.Codec(),
        new DramConfig(CAPACITY_BYTES, protectedShare),
        DramMemory.atOnce(source));
  }

  private static String file(int key) {
    return "file-" + key % 8;
  }

  private static void readOrPut(DramTier<HollowBlock> tier, int key, int sizeBytes) {
    HollowBlock read = tier.get(TestFiles.file(file(key)), key, Access.CACHING);
    if (read != null) {
      read.release();
      return;
    }
    HollowBlock block = HollowBlock.of(sizeBytes);
    Residency residency = key % 20 == 0 ? Residency.PROTECTED : Residency.ORDINARY;
    tier.put(TestFiles.file(file(key)), key, block, new BlockTraits(0, residency), 0);
    block.release();
  }
}
