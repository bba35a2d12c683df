// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes and data side by side in one tier. */
class DramTierProtectionTest {

  private static final long CAPACITY_BYTES = 8 << 20;
  private static final int INDEX = 20_000;
  private static final int DATA = 66_000;

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.3, 0.5, 1})
  void protectedBlocksSurviveAFloodOfOrdinaryOnes(double share) {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, share)) {
      int indexes = (int) (CAPACITY_BYTES * share * 0.9 / INDEX);
      for (int i = 0; i < indexes; i++) {
        assertThat(rig.put("index", i, INDEX, Residency.PROTECTED)).isEqualTo(PutOutcome.STORED);
      }
      for (int i = 0; i < 2_000; i++) {
        rig.put("data", i, DATA);
        if (i % 2 == 0) {
          rig.read("data", i, Access.CACHING);
        }
      }
      assertThat(rig.tier.usage(file("index")).blocks()).isEqualTo(indexes);
      for (int i = 0; i < indexes; i++) {
        assertThat(rig.read("index", i, Access.CACHING)).isTrue();
      }
      rig.assertSound();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.3, 0.5, 1})
  void floodOfProtectedBlocksTakesTheirShareAtMost(double share) {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, share)) {
      for (int i = 0; i < 150; i++) {
        rig.put("data", i, DATA);
      }
      for (int i = 0; i < 2_000; i++) {
        rig.put("index", i, INDEX, Residency.PROTECTED);
        assertThat(rig.payloadBytes(Residency.PROTECTED))
            .isLessThanOrEqualTo((long) (CAPACITY_BYTES * share));
      }
      assertThat(rig.payloadBytes(Residency.PROTECTED))
          .isGreaterThan((long) (CAPACITY_BYTES * 0.94 * share) - 2 * INDEX);
      assertThat(rig.payloadBytes(Residency.ORDINARY))
          .isGreaterThan((long) (CAPACITY_BYTES * (0.94 - share)) - 2 * DATA);
      rig.assertSound();
    }
  }

  @Test
  void unusedShareIsOrdinaryRoom() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.5)) {
      for (int i = 0; i < 500; i++) {
        rig.put("data", i, DATA);
      }
      assertThat(rig.payloadBytes(Residency.ORDINARY)).isGreaterThan(CAPACITY_BYTES * 95 / 100);
      for (int i = 0; i < 100; i++) {
        rig.put("index", i, INDEX, Residency.PROTECTED);
      }
      rig.tier.evict(file("index"), Long.MIN_VALUE, Long.MAX_VALUE);
      for (int i = 500; i < 1_000; i++) {
        rig.put("data", i, DATA);
      }
      assertThat(rig.payloadBytes(Residency.ORDINARY)).isGreaterThan(CAPACITY_BYTES * 95 / 100);
      rig.assertSound();
    }
  }

  @Test
  void theyLeaveBeforeOthersIfTheirFileIsTo() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0.3)) {
      for (int i = 0; i < 40; i++) {
        rig.put("away", 1_000 + i, INDEX, Residency.PROTECTED);
        rig.put("away", i, DATA);
        rig.read("away", i, Access.CACHING);
      }
      int here = 0;
      while (rig.tier.hasFreeRoom()) {
        rig.put("here", here++, DATA);
      }
      rig.tier.setEvictFirst(file("away"), true);
      assertThat(rig.tier.hasFreeRoom()).isTrue();

      for (int i = 0; rig.tier.usage(file("away")).blocks() > 0; i++) {
        assertThat(rig.tier.usage(file("here")).blocks()).isEqualTo(here);
        assertThat(rig.put("new", i, DATA)).isEqualTo(PutOutcome.STORED);
        assertThat(i).isLessThan(100);
      }
      assertThat(rig.tier.usage(file("new")).blocks()).isGreaterThanOrEqualTo(40);
      rig.assertSound();
    }
  }

  @Test
  void withoutAShareProtectedBlocksAreOrdinary() {
    try (DramTierRig rig = new DramTierRig(CAPACITY_BYTES, 0)) {
      for (int i = 0; i < 1_000; i++) {
        rig.put("index", i, INDEX, Residency.PROTECTED);
        rig.put("data", i, DATA);
      }
      assertThat(rig.payloadBytes(Residency.ORDINARY)).isPositive();
      assertThat(rig.tier.stats().space().payloadBytes()).isGreaterThan(CAPACITY_BYTES * 93 / 100);
      rig.assertSound();
    }
  }
}
