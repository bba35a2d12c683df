// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
