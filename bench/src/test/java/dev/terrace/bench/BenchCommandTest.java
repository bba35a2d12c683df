// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class BenchCommandTest {

  private final TerraceLine terrace = new TerraceLine();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hit -f=none               | none",
        "hit -p=cache=EHCACHE      | cache=EHCACHE: must be of [LRU, BUCKET_OFFHEAP,",
        "hit --threads=1           | threads is not a recognized option",
        "hit terrace               | unknown: terrace",
        "put -wi=x                 | x",
        "guard --blocks=0          | --blocks=0: must be from 1 to 10,000,000",
        "guard --only=churns       | --only=churns: known are hit, put, churn, memory, stall"
      })
  void aWrongOptionIsNamed(String line, String complaint) {
    String[] words = line.split(" ", -1);

    assertThat(terrace.run("bench", words[0], words[1])).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(terrace.err().lines()).singleElement().asString().contains(complaint, "--help");
    assertThat(terrace.out()).isEmpty();
  }
}
