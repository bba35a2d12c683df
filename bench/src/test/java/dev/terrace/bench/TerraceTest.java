// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TerraceTest {

  private final TerraceLine terrace = new TerraceLine();

  private int run(String line) {
    Object[] words = line.split(" ", -1);
    return terrace.run(words[0].toString(), Arrays.copyOfRange(words, 1, words.length));
  }

  @Test
  void helpListsTheDemoAndHasNoColoursUnlessItGoesToATerminal() {
    assertThat(terrace.run("--help")).isZero();
    assertThat(terrace.out()).contains("demo").doesNotContain("\u001b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "demo --version", "bench --version"})
  void tellsTheVersion(String line) {
    assertThat(run(line)).isZero();
    assertThat(terrace.out()).containsPattern("Terrace \\d+\\.\\d+");
  }

  @ParameterizedTest
  @CsvSource({
    "demo --rows=12, --rows is 12",
    "demo --dir=/nowhere/x, --dir is /nowhere/x; it can be a directory that exists",
    "demo --seconds=0, --seconds is 0",
    "demo --dram=1m, --dram is 1 MB",
    "demo --dram=much, 'much' is not a size",
    "demo --pmem=much, 'much' is not DIR:SIZE",
    "demo --ssd=/d:much, 'much' is not a size",
    "demo --ssd=/d:1m, --ssd is 1 MB",
    "demo --pmem=/d:1m, --pmem is 1 MB",
    "demo --peer=none --dram=1m, '--dram is 1 MB; it can be 0, or 16 MB or more'",
    "demo --peer=nobody, 'expected one of [MEMORY, SSD, NONE]'",
    "demo --peer=ssd --pmem=/d:32m, --peer ssd needs --ssd",
    "demo --store=tape, 'tape' is no profile of a slow store",
    "demo --nonsense, Unknown option",
    "fire --servers=1, --servers is 1",
    "fire --seconds=0, --seconds is 0",
    "fire --pmem=/nowhere/x, --pmem is /nowhere/x; it can be a directory that exists",
    "bench hit -f=none, none",
    "bench hit -p=cache=EHCACHE, 'cache=EHCACHE: must be of [LRU, BUCKET_OFFHEAP,'",
    "bench hit --threads=1, threads is not a recognized option",
    "bench hit terrace, unknown: terrace",
    "bench put -wi=x, x",
    "bench guard --blocks=0, '--blocks is 0, must be 1 to 10000000'",
    "bench guard --only=churns, '--only=churns: known are hit, put, churn, memory'",
    "bench, Missing required subcommand"
  })
  void wrongOptionIsOneLineThatNamesIt(String arguments, String complaint) {
    assertThat(run(arguments)).isEqualTo(2);
    assertThat(terrace.err().lines()).singleElement().asString().contains(complaint, "--help");
    assertThat(terrace.out()).isEmpty();
  }
}
