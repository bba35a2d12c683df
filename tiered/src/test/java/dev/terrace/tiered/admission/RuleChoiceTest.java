// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.admission;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockKey;
import dev.terrace.tiered.HeapTier;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleChoiceTest {

  private final HeapTier tier = new HeapTier("ssd");
  private final RuleChoice choice = new RuleChoice(List.of(tier), false, RuleTrial.KEYS);

  private void offer(int offers, int sizeBytes) {
    for (int i = 0; i < offers; i++) {
      choice.offered(sizeBytes);
    }
  }

  @Test
  void smallFirstBlocksCostNoMemory() {
    tier.capacityBytes(1L << 40);
    offer(64, 100);
    assertThat(choice.frequencies.heapBytes()).isLessThan(1 << 20);
  }

  @Test
  void keysThatLeaveAreCountedApart() {
    tier.capacityBytes(10_000L * 65_536);
    offer(64, 65_536);
    int keys = 10_000;
    for (int round = 0; round < 3; round++) {
      for (int key = 0; key < keys; key++) {
        choice.evictedAbove(BlockKey.hash(file("file"), key));
      }
    }
    int right = 0;
    for (int key = 0; key < keys; key++) {
      right += choice.frequency(BlockKey.hash(file("file"), key)) == 3 ? 1 : 0;
    }
    assertThat(right).isGreaterThan(keys * 8 / 10);
    assertThat(choice.frequencies.heapBytes()).as("of 16,384 keys").isEqualTo(16_384 * 8);
  }
}
