// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecondTouchTest {

  private final SecondTouch policy = new SecondTouch(List.of(new HeapTier("low")));

  /** As of one file's keys, but the same in every process. */
  private static final long FILE = "file".hashCode() * 0x9E3779B97F4A7C15L;

  private static long hash(long key) {
    return BlockKey.hash(FILE ^ key << 16);
  }

  @Test
  void whatCameInBelowGoesUpAtItsSecondHit() {
    assertThat(policy.promotes(hash(1))).isFalse();
    assertThat(policy.promotes(hash(2))).isFalse();
    assertThat(policy.promotes(hash(1))).isTrue();
    assertThat(policy.promotes(hash(1))).isTrue();
  }

  @Test
  void whatWasAboveGoesUpAtItsFirstHit() {
    policy.touched(hash(1));
    assertThat(policy.promotes(hash(1))).isTrue();
  }

  @Test
  void aTouchLongAgoIsForgotten() {
    policy.touched(hash(-1));
    for (int key = 0; key < 2_000; key++) {
      policy.touched(hash(key));
    }
    assertThat(policy.promotes(hash(-1))).isFalse();
  }
}
