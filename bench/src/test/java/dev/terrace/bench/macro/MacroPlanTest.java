// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.macro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.bench.cli.ByteSize;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.macro.MacroPlan.MacroCache;
import dev.terrace.bench.server.RunFailure;
import dev.terrace.bench.server.RunFolders;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MacroPlanTest {

  @TempDir Path folder;

  private final MacroPlan small = plan(MacroCommand.SCALE);

  private static MacroPlan plan(Scale scale) {
    return new MacroPlan(scale, List.of(MacroCache.values()), Workload.YCSB, 4);
  }

  @Test
  void theSmallScaleFitsIntoTenGigabytes() {
    assertThat(small.memory().bytes() + small.pmem().bytes()).isLessThan(10L << 30);
    assertThat(small.pmem()).hasToString("480 MB");
  }

  @Test
  void tooLittleMemoryIsOneLineThatSaysWhatIsNeeded() {
    assertThatThrownBy(() -> small.requireMemory(true, ByteSize.parse("1g")))
        .isInstanceOf(RunFailure.class)
        .hasMessageContaining("1 GB are available")
        .hasMessageContaining("--configurations")
        .hasMessageNotContaining("\n");
  }

  @Test
  void tooLittleSpaceNamesDirectoryAndOption() {
    Scale scale = small.scale();
    MacroPlan huge =
        plan(new Scale(Integer.MAX_VALUE, scale.sizes(), 1, scale.time(), scale.warmUp()));
    assumeTrue(folder.toFile().getUsableSpace() < huge.disk().bytes());
    assertThatThrownBy(
            () -> huge.requireRoom(new RunFolders.Parents(folder.resolve("none"), folder, folder)))
        .isInstanceOf(RunFailure.class)
        .hasMessageContaining("not enough space in " + folder)
        .hasMessageContaining("--dir")
        .hasMessageNotContaining("\n");
  }
}
