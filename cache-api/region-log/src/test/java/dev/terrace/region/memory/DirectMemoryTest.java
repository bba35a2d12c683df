// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DirectMemoryTest {

  private static final int BYTES = 4096;

  @Test
  void whatWasNotPlannedIsLeftToOthers() {
    DirectMemory memory = DirectMemory.sparing(2 * BYTES, DirectMemory.limitBytes());
    assertThat(memory.allocate(BYTES).capacity()).isEqualTo(BYTES);
    assertThat(memory.allocate(BYTES).capacity()).isEqualTo(BYTES);
    assertThatThrownBy(() -> memory.allocate(BYTES)).isInstanceOf(DirectMemory.Exhausted.class);
    assertThat(memory.awaitAllocated(BYTES).capacity()).as("waits").isEqualTo(BYTES);
  }

  @Test
  void takesWhatOthersDoNotNeed() {
    DirectMemory memory = DirectMemory.sparing(0, BYTES);
    assertThat(memory.allocate(BYTES).capacity()).isEqualTo(BYTES);
  }
}
