// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class TerraceTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = Terrace.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }

  @Test
  void helpListsTheDemo() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("demo");
  }

  @Test
  void helpOfTheDemoTellsDefaults() {
    assertThat(run("demo", "--help")).isZero();
    assertThat(out.toString())
        .contains(
            "--rows", "300000", "--keep", "--dram", "64m", "--pmem", "--ssd", "--store", "--peer",
            "--json", "--kill");
  }

  @Test
  void helpHasNoColoursUnlessItGoesToATerminal() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).doesNotContain("\u001b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "demo --version", "bench --version"})
  void tellsTheVersion(String line) {
    assertThat(run(line.split(" "))).isZero();
    assertThat(out.toString()).containsPattern("Terrace \\d+\\.\\d+");
  }

  @ParameterizedTest
  @CsvSource({
    "--rows=12, --rows is 12",
    "--dir=/nowhere/x, --dir is /nowhere/x; it can be a directory that exists",
    "--seconds=0, --seconds is 0",
    "--dram=1m, --dram is 1 MB",
    "--dram=much, 'much' is not a size",
    "--pmem=much, 'much' is not DIR:SIZE",
    "--ssd=/d:much, 'much' is not a size",
    "--ssd=/d:1m, --ssd is 1 MB",
    "--pmem=/d:1m, --pmem is 1 MB",
    "--peer=none --dram=1m, '--dram is 1 MB; it can be 0, or 16 MB or more'",
    "--peer=nobody, 'expected one of [MEMORY, SSD, NONE]'",
    "--peer=ssd --pmem=/d:32m, --peer ssd needs --ssd",
    "--store=tape, 'tape' is no profile of a slow store",
    "--nonsense, Unknown option"
  })
  void wrongOptionIsOneLineThatNamesIt(String arguments, String complaint) {
    assertThat(run(("demo " + arguments).split(" "))).isEqualTo(2);
    assertThat(err.toString().lines()).singleElement().asString().contains(complaint, "--help");
  }

  @ParameterizedTest
  @CsvSource({
    "--servers=1, --servers is 1",
    "--seconds=0, --seconds is 0",
    "--pmem=/nowhere/x, --pmem is /nowhere/x; it can be a directory that exists"
  })
  void wrongOptionOfTheFireIsOneLineThatNamesIt(String arguments, String complaint) {
    assertThat(run("fire", arguments)).isEqualTo(2);
    assertThat(err.toString().lines()).singleElement().asString().contains(complaint, "--help");
  }

  @Test
  void whatPromisesNothingCannotBeChecked() {
    assertThat(run("bench", "macro", "--check")).isEqualTo(2);
    assertThat(err.toString()).contains("--check: bench macro promises nothing");
  }
}
