// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Access;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierHammer;
import dev.terrace.api.TierStats;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DramTierResizeTest {

  private static final long MB = 1 << 20;
  private static final int BLOCK = 60_000;

  private static int fill(DramTierRig rig, String file) {
    int blocks = (int) (rig.tier.stats().space().capacityBytes() * 0.96 / BLOCK);
    for (int i = 0; i < blocks; i++) {
      rig.put(file, i, BLOCK);
    }
    return blocks;
  }

  @Test
  void growsAndUsesWhatItGot() {
    try (DramTierRig rig = new DramTierRig(2 * MB, 0.5, 8 * MB)) {
      fill(rig, "small");
      rig.tier.resize(8 * MB);
      assertThat(rig.source.usedBytes()).isEqualTo(8 * MB);
      assertThat(rig.tier.stats().space().capacityBytes()).isEqualTo(8 * MB);
      assertThat(rig.tier.stats().events().evictions()).isEmpty();
      fill(rig, "large");
      assertThat(rig.tier.stats().space().payloadBytes()).isGreaterThan(8 * MB * 95 / 100);
      rig.assertSound();
    }
  }

  @Test
  void shrinksAndReturnsTheMemory() {
    try (DramTierRig rig = new DramTierRig(2 * MB, 0.5, 8 * MB)) {
      rig.tier.resize(8 * MB);
      fill(rig, "file");
      rig.tier.resize(3 * MB);
      TierStats stats = rig.tier.stats();
      assertThat(rig.source.usedBytes()).isEqualTo(3 * MB);
      assertThat(stats.space().capacityBytes()).isEqualTo(3 * MB);
      assertThat(stats.space().usedBytes()).isLessThanOrEqualTo(3 * MB);
      assertThat(stats.leases().bytes()).isZero();
      assertThat(stats.events().evictions()).containsKey(EvictionCause.RESIZE);
      rig.assertSound();
      fill(rig, "more");
      assertThat(rig.tier.stats().space().payloadBytes()).isGreaterThan(3 * MB * 93 / 100);
      assertThat(rig.source.usedBytes()).isEqualTo(3 * MB);
      rig.assertSound();
    }
  }

  @Test
  void shrinkingNeedsNoMemoryBeyondTheOldCapacity() {
    try (DramTierRig rig = new DramTierRig(8 * MB, 0.5, 8 * MB)) {
      fill(rig, "file");
      assertThatCode(() -> rig.tier.resize(7 * MB)).doesNotThrowAnyException();
      assertThat(rig.tier.stats().space().capacityBytes()).isEqualTo(7 * MB);
      assertThat(rig.source.usedBytes()).isEqualTo(7 * MB);
      assertThat(rig.source.highestBytes()).isEqualTo(8 * MB);
      rig.assertSound();
    }
  }

  @Test
  void leasedMemoryIsReturnedAtItsLastRelease() {
    try (DramTierRig rig = new DramTierRig(8 * MB, 0.5, 16 * MB)) {
      fill(rig, "file");
      for (int i = 10; i < 20; i++) {
        rig.lease("file", i);
      }
      CountedBlock leased = rig.lease("file", 10);
      rig.tier.resize(2 * MB);
      Payloads.check("file", 10, leased);
      assertThat(rig.tier.contains(file("file"), 10)).isFalse();
      assertThat(rig.tier.stats().leases().bytes()).isGreaterThanOrEqualTo(10 * BLOCK);
      fill(rig, "more");
      Payloads.check("file", 10, leased);
      rig.assertSound();
      rig.releaseLeases();
      assertThat(rig.tier.stats().leases().bytes()).isZero();
      assertThat(rig.source.usedBytes()).isEqualTo(2 * MB);
      rig.assertSound();
    }
  }

  @Test
  void staysAsItIsWhenMemoryRunsOut() {
    try (DramTierRig rig = new DramTierRig(4 * MB, 0.5, 6 * MB)) {
      int blocks = fill(rig, "file");
      assertThatThrownBy(() -> rig.tier.resize(7 * MB)).isInstanceOf(OutOfMemoryError.class);
      assertThat(rig.tier.stats().space().capacityBytes()).isEqualTo(4 * MB);
      assertThat(rig.source.usedBytes()).isEqualTo(4 * MB);
      assertThat(rig.tier.usage(file("file")).blocks()).isEqualTo(blocks);
      rig.assertSound();
      rig.tier.resize(6 * MB);
      fill(rig, "more");
      assertThat(rig.tier.stats().space().payloadBytes()).isGreaterThan(6 * MB * 93 / 100);
      rig.assertSound();
    }
  }

  @Test
  void jvmLimitIsReportedAsAnError() {
    long tooMuch = Runtime.getRuntime().maxMemory() * 64;
    try (DramTierRig rig = new DramTierRig(2 * MB, 0.5, Long.MAX_VALUE)) {
      assertThatThrownBy(() -> rig.tier.resize(Math.min(tooMuch, DramConfig.MAX_CAPACITY_BYTES)))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(rig.source.usedBytes()).isEqualTo(2 * MB);
      assertThat(rig.put("file", 0, BLOCK)).isEqualTo(PutOutcome.STORED);
      rig.assertSound();
    }
  }

  @Test
  void refusesCapacitiesOutOfRange() {
    try (DramTierRig rig = new DramTierRig(2 * MB, 0.5)) {
      for (long capacity : new long[] {-1, 0, MB - 1, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> rig.tier.resize(capacity))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("capacityBytes=" + capacity);
      }
      assertThat(rig.tier.stats().space().capacityBytes()).isEqualTo(2 * MB);
    }
  }

  @Test
  void toTheSameCapacityChangesNothing() {
    long odd = 4 * MB + 100;
    try (DramTierRig rig = new DramTierRig(odd, 0.5)) {
      long before = rig.tier.stats().space().capacityBytes();
      int blocks = fill(rig, "file");
      rig.tier.resize(odd);
      rig.tier.resize(odd);
      assertThat(rig.tier.stats().space().capacityBytes()).isEqualTo(before);
      assertThat(rig.tier.usage(file("file")).blocks()).isEqualTo(blocks);
      rig.assertSound();
    }
  }

  @Test
  void afterCloseDoesNothing() {
    DramTierRig rig = new DramTierRig(2 * MB, 0.5, 8 * MB);
    rig.close();
    rig.tier.resize(4 * MB);
    assertThat(rig.source.usedBytes()).isZero();
    assertThat(rig.put("file", 0, BLOCK)).isEqualTo(PutOutcome.CLOSED);
  }

  @Test
  void whileHammered() throws Exception {
    SplittableRandom random = new SplittableRandom(11);
    long smallest = MB;
    long largest = 6 * MB;
    long withAllThatIsLeased = 64 * largest;
    try (DramTierRig rig = new DramTierRig(largest, 0.3, withAllThatIsLeased)) {
      new TierHammer(rig.tier, (int) (smallest / 8), System.nanoTime())
          .run(
              3,
              TierHammer.duration(),
              count -> {
                long capacity = random.nextLong(smallest, largest + 1);
                rig.tier.resize(capacity);
                TierStats stats = rig.tier.stats();
                assertThat(capacity - stats.space().capacityBytes()).isBetween(0L, 511L);
                assertThat(stats.space().blocks()).isNotNegative();
                assertThat(stats.leases().bytes()).isNotNegative();
              });
      long last = rig.tier.stats().space().capacityBytes();
      assertThat(rig.source.usedBytes()).isEqualTo(last);
      assertThat(rig.tier.stats().leases().bytes()).isZero();
      rig.assertSound();
      fill(rig, "after");
      assertThat(rig.read("after", 0, Access.CACHING) || rig.read("after", 10, Access.CACHING))
          .isTrue();
      rig.assertSound();
    }
  }
}
