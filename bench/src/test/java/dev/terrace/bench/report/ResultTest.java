// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class ResultTest {

  @TempDir Path directory;

  @Command(name = "terrace")
  private static final class Root {}

  @Command(name = "bench")
  private static final class Bench {
    @Option(names = "--file")
    private String file;
  }

  @Test
  void theCommandIsAsAShellTakesIt() {
    Bench bench = new Bench();
    CommandLine root = new CommandLine(new Root()).addSubcommand("read", bench);
    root.parseArgs("read", "--file=a,b/c-1.json");
    CommandLine running = root.getSubcommands().get("read");
    assertThat(Result.commandLine(running)).isEqualTo("bin/terrace read --file=a,b/c-1.json");

    root.parseArgs("read", "--file", "it's a file");
    assertThat(bench.file).isEqualTo("it's a file");
    assertThat(Result.commandLine(running)).isEqualTo("bin/terrace read --file 'it'\\''s a file'");
  }

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
