// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class ResultTest {

  @Command(name = "terrace", subcommands = Bench.class)
  private static final class Root {}

  @Command(name = "bench")
  private static final class Bench {
    @Option(names = "--file")
    private String file;
  }

  @Test
  void tellsWhatWasTypedBelowTheProgram() {
    CommandLine root = new CommandLine(new Root());
    root.parseArgs("bench", "--file=a,b/c-1.json");

    assertThat(Result.commandLine(root.getSubcommands().get("bench")))
        .isEqualTo("bin/terrace bench --file=a,b/c-1.json");
  }

  @Test
  void quotesForTheShell() {
    Bench command = new Bench();
    CommandLine bench = new CommandLine(command);
    bench.parseArgs("--file", "it's a file");

    assertThat(command.file).isEqualTo("it's a file");
    assertThat(Result.commandLine(bench)).isEqualTo("bin/terrace bench --file 'it'\\''s a file'");
  }
}
