/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DirectMemoryTest {

  private static final int BYTES = 4096;

  @Test
  void whatWasNotPlannedIsLeftToOthers() {
    DirectMemory memory = DirectMemory.sparing(2 * BYTES, JvmMemory.limitBytes());
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
