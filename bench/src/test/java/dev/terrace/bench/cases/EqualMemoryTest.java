// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.bench.TerraceLine;
import dev.terrace.bench.cases.SpeedCases.EqualMemory;
import dev.terrace.bench.server.PageCache;
import dev.terrace.bench.server.RunFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EqualMemoryTest {

  @Test
  void itIsSkippedWithAReasonWhereItCannotBeMeasured(@TempDir Path folder) {
    Optional<String> whyNot = EqualMemory.whyNot();
    assumeTrue(whyNot.isPresent(), "it can be measured here");
    Path json = folder.resolve("i.json");
    TerraceLine terrace = new TerraceLine();
    assertThat(terrace.run("bench", "cases", "i", "--json", json)).isZero();
    assertThat(terrace.out()).contains("Case (i) is skipped: " + whyNot.get());
    assertThat(json).content().contains("skipped");
  }

  @Test
  void aFolderInMemoryIsNoDisk() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory) && PageCache.isMemory(memory), "no shared memory");
    RunFolders.Parents parents = new RunFolders.Parents(memory, memory, memory);
    assertThatThrownBy(() -> EqualMemory.requireDisk(parents))
        .hasMessage("/dev/shm lies in memory; name a disk with --ssd");
  }
}
