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
package dev.terrace.hbase.heat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CompactedBlocksTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";

  private static final Duration ALMOST = CompactedBlocks.KNOWN_FOR.minusSeconds(1);

  private final AtomicLong nowNanos = new AtomicLong();
  private final CompactedBlocks blocks = new CompactedBlocks(file -> false, nowNanos::get);

  private void read(long offset) {
    blocks.read(FILE, offset);
  }

  @Test
  void whatComesBeforeTheBlockThatIsReadLeaves() {
    assertThat(blocks.isLeaving(FILE, 0)).isFalse();
    read(0);
    assertThat(blocks.isLeaving(FILE, 0)).isFalse();

    read(200);

    assertThat(blocks.isLeaving(FILE, 0)).isTrue();
    assertThat(blocks.isLeaving(FILE, 100)).isTrue();
    assertThat(blocks.isLeaving(FILE, 200)).isFalse();
    assertThat(blocks.isLeaving("another", 0)).isFalse();
  }

  @Test
  void aCompactionThatReadsNoMoreIsForgotten() {
    read(0);
    nowNanos.addAndGet(ALMOST.toNanos());
    read(200);
    nowNanos.addAndGet(ALMOST.toNanos());
    assertThat(blocks.isLeaving(FILE, 100)).isTrue();

    nowNanos.addAndGet(Duration.ofSeconds(1).toNanos());

    assertThat(blocks.isLeaving(FILE, 100)).isFalse();
  }

  @Test
  void aFileThatTurnsOutToBeSharedDoesNotLeave() {
    AtomicBoolean isShared = new AtomicBoolean();
    CompactedBlocks ofClones = new CompactedBlocks(file -> isShared.get(), nowNanos::get);
    ofClones.read(FILE, 0);
    ofClones.read(FILE, 200);
    assertThat(ofClones.isLeaving(FILE, 0)).isTrue();

    isShared.set(true);

    assertThat(ofClones.isLeaving(FILE, 0)).isFalse();
  }

  @Test
  void eachHalfOfAFileThatWasSplitLeavesForItself() throws InterruptedException {
    read(0);
    read(100);
    Thread other =
        new Thread(
            () -> {
              read(200);
              read(300);
            },
            "the other half");
    other.start();
    other.join();

    assertThat(blocks.isLeaving(FILE, 50)).isTrue();
    assertThat(blocks.isLeaving(FILE, 150)).as("read by nobody yet").isFalse();
    assertThat(blocks.isLeaving(FILE, 250)).isTrue();
    assertThat(blocks.isLeaving(FILE, 300)).isFalse();
  }

  @Test
  void theSecondHalfMayBeCompactedFirst() {
    read(200);
    read(300);
    read(0);
    assertThat(blocks.isLeaving(FILE, 150)).isFalse();

    read(100);

    assertThat(blocks.isLeaving(FILE, 50)).isTrue();
    assertThat(blocks.isLeaving(FILE, 150)).isFalse();
  }
}
