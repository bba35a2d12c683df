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
package dev.terrace.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.TestBlocks;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.Test;

/** Files come and go for as long as a server runs, and not all of them are evicted by name. */
class WatchedFilesTest {

  private static final int MOST = FormWatch.MOST_FILES;

  private final FormWatch watch = new FormWatch(() -> 1);
  private final HFileBlock packed = TestBlocks.packed("file", 0, 30_000);

  WatchedFilesTest() {
    watch.expectPacked();
  }

  @Test
  void notAllOfThemAreWatchedForEver() {
    for (int file = 0; file < 3 * MOST; file++) {
      assertThat(watch.isReadable("file" + file, packed)).isTrue();
    }
    assertThat(watch.watchedFiles()).isBetween(1, MOST);
  }

  @Test
  void filesWhoseBlocksCannotBeReadAreRemembered() {
    assertThat(watch.isReadable("bad", packed)).isTrue();
    assertThat(watch.isReadable("bad", packed)).as("the first one was not unpacked").isFalse();
    for (int file = 0; file < 3 * MOST; file++) {
      watch.isReadable("file" + file, packed);
    }
    assertThat(watch.isReadable("bad", packed)).isFalse();
  }

  @Test
  void norAreAllWhoseBlocksCannotBeRead() {
    for (int file = 0; file < 2 * MOST; file++) {
      watch.isReadable("file" + file, packed);
      watch.isReadable("file" + file, packed);
    }
    assertThat(watch.watchedFiles()).isBetween(1, MOST);
  }
}
