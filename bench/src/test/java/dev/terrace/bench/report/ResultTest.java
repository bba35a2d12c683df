// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultTest {

  @TempDir Path directory;

  @Test
  void readsProcessorAndMemory() throws IOException {
    Path cpuinfo = directory.resolve("cpuinfo");
    Files.writeString(cpuinfo, "processor\t: 0\nmodel name\t: Abacus 9\n");

    assertThat(new Machine(cpuinfo).describe())
        .containsEntry("cpu", "Abacus 9")
        .containsEntry("cores", Runtime.getRuntime().availableProcessors());
    assertThat(new Machine(cpuinfo).describe().get("terrace")).asString().matches("\\d+\\.\\d+.*");
    assertThat(new Machine(cpuinfo).oneLine())
        .startsWith("Abacus 9, ")
        .containsPattern(" [1-9]\\d* GiB of memory, ")
        .contains("HBase 2.");
  }
}
