// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.macro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.TerraceLine;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.macro.MacroPlan.MacroCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MacroCommandTest {

  private final TerraceLine terrace = new TerraceLine();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--configurations=lru,lfu; --configurations: 'lfu' is none of lru, bucket-offheap",
        "--workloads=ycsb-b; --workloads: 'ycsb-b' is none of ycsb-c, ycsb-c-uniform",
        "--rounds=0; --rounds is 0, must be 1 to 1000",
        "--seconds=0; --seconds is 0, must be 1 to 3600",
        "--threads=0; --threads is 0, must be 1 to 1000",
        "--rows=0; --rows is 0"
      })
  void aWrongOptionIsOneLineThatSaysWhatIsRight(String option, String message) {
    assertThat(terrace.run("bench", "macro", option)).isEqualTo(2);
    assertThat(terrace.err()).contains(message).hasLineCount(1);
  }

  @Test
  void helpNamesEveryConfigurationAndWorkload() {
    assertThat(terrace.run("bench", "macro", "--help")).isZero();
    String words = terrace.out().replaceAll("\\s+", "");
    for (MacroCache cache : MacroCache.values()) {
      assertThat(words).contains(cache.id());
    }
    for (Workload workload : Workload.YCSB) {
      assertThat(words).contains(workload.id());
    }
  }
}
