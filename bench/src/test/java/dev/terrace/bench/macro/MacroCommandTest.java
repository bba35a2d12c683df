// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.macro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.TerraceLine;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.Measures;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.macro.MacroCommand.MacroCache;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Table;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MacroCommandTest {

  private static final List<Measure> MEASURES =
      List.of(
          measure(MacroCache.LRU, Workload.YCSB_C, 900, 1_000, 1_100),
          measure(MacroCache.BUCKET_FILE, Workload.YCSB_C, 400, 500, 600),
          measure(MacroCache.TERRACE_DRAM_SSD, Workload.YCSB_C, 950, 1_050, 1),
          measure(MacroCache.TERRACE_ALL, Workload.YCSB_C, 2_000, 2_100, 2_200),
          measure(MacroCache.TERRACE_DRAM_PMEM, Workload.YCSB_C_UNIFORM, 10));

  private final TerraceLine terrace = new TerraceLine();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--configurations=lru,lfu; expected one of [LRU, BUCKET_OFFHEAP, bucket-offheap",
        "--workloads=ycsb-b; expected one of [YCSB_C, ycsb-c, YCSB_C_UNIFORM, ycsb-c-uniform",
        "--rounds=0; --rounds is 0, must be 1 to 1000",
        "--seconds=0; --seconds is 0, must be 1 to 3600",
        "--threads=0; --threads is 0, must be 1 to 1000",
        "--rows=0; --rows is 0",
        "--values=json; expected one of [RANDOM, VARIED, WORDS]"
      })
  void aWrongOptionIsOneLineThatSaysWhatIsRight(String option, String message) {
    assertThat(terrace.run("bench", "macro", option)).isEqualTo(2);
    assertThat(terrace.err()).contains(message).hasLineCount(1);
  }

  @Test
  void tablesHoldMedianSpreadRatioAndProcessorTime() {
    assertThat(MacroCommand.tables(MEASURES))
        .extracting(Table::title)
        .containsExactly("YCSB: what the clients saw", "YCSB: what the servers did meanwhile");
    assertThat(cells("what the clients saw", "HBase BucketCache file"))
        .containsSequence("500", "20 %", "0.50 ×", "1 µs", "3 ms")
        .contains("75.0 %");
    assertThat(cells("what the servers did", "HBase BucketCache file")).contains("100", "12.0 %");
    assertThat(cells("what the clients saw", "Terrace DRAM + PMem + SSD"))
        .contains("2.10 ×", "100.0 %");
    assertThat(cells("what the clients saw", "Terrace DRAM + PMem"))
        .as("a ratio only where HBase ran")
        .containsSequence("10", "-", "-");
  }

  private static Measure measure(MacroCache cache, Workload workload, long... operations) {
    return Measures.of(cache.toString(), cache.title(), workload, operations);
  }

  private static List<String> cells(String table, String cache) {
    String row =
        MacroCommand.tables(MEASURES).stream()
            .filter(each -> each.title().contains(table))
            .flatMap(each -> ResultText.of(each).lines())
            .filter(line -> line.matches(".*\\| \\Q" + cache + "\\E +\\|.*"))
            .findFirst()
            .orElseThrow();
    return Stream.of(row.split("\\|", -1)).map(String::strip).toList();
  }
}
