// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.BlockSet;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class MemoryTest {

  private static Memory.Measured result(
      Store.Kind store, int blocks, double heap, double index, double firstHit, double recovered) {
    long heapBytes = Math.round(heap * blocks);
    long indexBytes = Math.round(index * blocks);
    return new Memory.Measured(
        store,
        new Memory.Seen(blocks, heapBytes, indexBytes, 0, 1234),
        new Memory.Seen(blocks, heapBytes / 2, indexBytes / 2, firstHit, recovered));
  }

  @Test
  void promisesAreMet() {
    List<Memory.Measured> stores =
        List.of(
            result(Store.Kind.DRAM, 1_000, 150, 0, 9000, 9000),
            result(Store.Kind.PMEM, 1_000_000, 8, 32, 1000, 2000));
    assertThat(Memory.targets(stores)).hasSize(6).allMatch(Target::met);
    assertThat(ResultText.of(Memory.table(stores)))
        .contains("| Terrace DRAM tier |     1,000 |                 150 |")
        .contains(" 9 s |");
  }

  @Test
  void promisesAreMissed() {
    List<Memory.Measured> stores =
        List.of(result(Store.Kind.SSD, 1_000_000, 8.1, 32.1, 1001, 2001));
    assertThat(Memory.targets(stores)).hasSize(5).filteredOn(target -> !target.met()).hasSize(4);
  }

  @Test
  void lostBlocksAreMissed() {
    Memory.Measured lossy =
        new Memory.Measured(
            Store.Kind.PMEM,
            new Memory.Seen(1_000_000, 0, 0, 0, 1),
            new Memory.Seen(999_999, 0, 0, 1, 1));
    assertThat(Memory.targets(List.of(lossy)).get(0).met()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Store.Kind.class)
  void keepsItsBlocksOverARestartIfItLasts(Store.Kind kind, @TempDir Path directory)
      throws Exception {
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
    assertThat(reopened.indexOffHeapBytes() > 0).isEqualTo(kind.lasts());
    reopened.stop();
  }
}
