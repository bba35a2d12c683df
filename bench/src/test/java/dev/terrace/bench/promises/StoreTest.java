// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class StoreTest {

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Store.Kind.class)
  void keepsItsBlocksOverARestartIfItLasts(Store.Kind kind) throws Exception {
    BlockSet blocks = BlockSet.ofOneSize(2500, 512).inFilesOf(1000);
    Store filled = kind.open(directory, blocks);
    assertThat(filled.hit(0)).isFalse();
    for (int block = 0; block < blocks.size(); block++) {
      filled.put(block);
    }
    assertThat(Await.until(() -> filled.blocks() == blocks.size(), Patience.LIMIT)).isTrue();
    filled.stop();

    Store reopened = kind.open(directory, blocks);
    assertThat(Await.until(reopened::isRecovered, Patience.LIMIT)).isTrue();
    assertThat(reopened.blocks()).isEqualTo(kind.lasts() ? blocks.size() : 0);
    for (int block = 0; block < blocks.size(); block++) {
      assertThat(reopened.hit(block)).isEqualTo(kind.lasts());
    }
    assertThat(reopened.indexOffHeapBytes() > 0).isEqualTo(kind.isTerrace() && kind.lasts());
    reopened.stop();
  }
}
