// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierStats.LongPins;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.TestBlocks;
import java.time.Duration;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The DRAM tier sees a leak of a block whose count is striped. */
class HotBlockLeakTest {

  private static final int SIZE = 66_000;

  private final Level before = ResourceLeakDetector.getLevel();

  @BeforeEach
  void countAsInProduction() {
    ResourceLeakDetector.setLevel(Level.SIMPLE);
  }

  @AfterEach
  void restoreLevel() {
    ResourceLeakDetector.setLevel(before);
  }

  /** Two blocks are held at nearly every look; one of them is released now and then. */
  @Test
  void aLeakIsToldFromReadersThatComeAndGo() {
    HBaseBlockCodec codec = new HBaseBlockCodec();
    try (DramTier<Cacheable> tier = new DramTier<>(codec, new DramConfig(4 << 20, 0))) {
      put(tier, 1);
      put(tier, 2);
      HFileBlock leaked = get(tier, 1);
      HFileBlock held = get(tier, 2);
      stripe(leaked);
      stripe(held);

      for (int second = 0; second < 180; second++) {
        if (second % 20 == 19) {
          held.release();
        }
        tier.detectLeaks(Duration.ofSeconds(second).toNanos());
        if (second % 20 == 19) {
          held = get(tier, 2);
        }
      }

      LongPins leases = tier.stats().leases().longPins();
      assertThat(leases.blocks()).isEqualTo(1);
      assertThat(leases.oldest()).isEqualTo(Duration.ofSeconds(179));
      leaked.release();
      held.release();
      tier.detectLeaks(Duration.ofMinutes(3).toNanos());
      assertThat(tier.stats().leases().longPins()).isEqualTo(LongPins.NONE);
    }
  }

  private static void put(DramTier<Cacheable> tier, long offset) {
    HFileBlock block = TestBlocks.data("file", offset, SIZE);
    assertThat(tier.put(file("file"), offset, block, new BlockTraits(0, Residency.ORDINARY), 0))
        .isEqualTo(PutOutcome.STORED);
  }

  private static HFileBlock get(DramTier<Cacheable> tier, long offset) {
    return (HFileBlock) tier.get(file("file"), offset, Access.CACHING);
  }

  private static void stripe(HFileBlock block) {
    StripedRefCount count = (StripedRefCount) block.getBufferReadOnly().getRefCnt();
    count.stripe();
    assertThat(count.isStriped()).isTrue();
  }
}
