// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.cases.PublishedCase.Ratio;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.Measures;
import dev.terrace.bench.load.ServerBenchmark.Scale;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Column.Unit;
import dev.terrace.bench.report.Machine;
import dev.terrace.bench.report.Result;
import dev.terrace.bench.report.Result.Target;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Summary.LatencyNanos;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class PublishedCaseTest {

  private static final Scale SMALL = CasesCommand.SCALE;

  private static Scale withRows(long rows) {
    return new Scale(rows, SMALL.sizes(), SMALL.rounds(), SMALL.time(), SMALL.warmUp());
  }

  private static List<PublishedCase> chosen(String... letters) {
    return CasesCommand.chosen(List.of(letters));
  }

  @Test
  void allUnlessSomeAreNamed() {
    assertThat(chosen())
        .extracting(PublishedCase::letter)
        .containsExactly("a", "b", "c", "d", "e", "f", "g", "g-moves", "h");
    assertThat(chosen("g")).extracting(PublishedCase::letter).containsExactly("g", "g-moves");
    assertThat(chosen("i")).extracting(PublishedCase::letter).containsExactly("i");
    assertThat(chosen("f", "a")).extracting(PublishedCase::letter).containsExactly("a", "f");
  }

  @Test
  void oneWithATableOfItsOwnIsRunAlone() {
    assertThatThrownBy(() -> chosen("a", "i"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("CASE: i has a table of its own, so it is run alone");
  }

  @Test
  void optionsOutOfRangeAreNamed() {
    assertThatThrownBy(() -> CasesCommand.checked(withRows(5_000)))
        .hasMessageContaining("--rows is 5000, must be 150000");
    assertThatThrownBy(() -> CasesCommand.checked(withRows(1_000_000)))
        .hasMessageContaining("--rows is 1000000");
  }

  @Test
  void theTablesTellBothFiguresAndAMissedTarget() {
    Measure fast = Measures.of("terrace", "Fast", Workload.YCSB_C, 1_000, 1_200);
    Measure slow = Measures.of("slow", "Slow", Workload.YCSB_C, 10, 10);
    Ratio ratio = Ratio.of("Fast over slow", fast.over(slow), Unit.TIMES);
    LatencyNanos none = new LatencyNanos(0, 0, 0, 0, 0);
    PublishedCase.Figures figures =
        new PublishedCase.Figures(
            List.of(fast, slow),
            List.of(ratio.published(80, 90).atLeast(120)),
            Map.of("Fast", List.of(new Watch.Point(0.5, 0.5, 50, 0.9, none))));
    PublishedCase one = new PublishedCase("x", "Fast beside slow", "90 times", bench -> figures);
    CommandLine line = new CommandLine(new CasesCommand());
    line.parseArgs();
    Result run = new Result("cases", "", "", new Machine(), line);

    one.addTo(run, figures);

    assertThat(one.tables(figures).stream().map(ResultText::of).collect(Collectors.joining()))
        .contains("(x) Fast beside slow", "Published: 90 times.")
        .containsPattern("Fast, YCSB C: [^|]*\\| 1,100 \\| 9 % ")
        .containsPattern("Fast over slow \\| here +\\| +110 × \\| +9 % ")
        .containsPattern("Fast over slow \\| published \\| 80.0 × to 90.0 × ");
    assertThat(run.targets())
        .containsExactly(new Target(false, "(x) Fast over slow: 110 ×, wanted: 120 × or more"));
  }

  @Test
  void eachRoundIsComparedWithItself() {
    Measure fast = Measures.of("fast", "fast", Workload.YCSB_C, 1_000, 600, 900);
    Measure slow = Measures.of("slow", "slow", Workload.YCSB_C, 20, 10, 10);
    Ratio ratio = Ratio.of("fast over slow", fast.over(slow), Unit.TIMES);

    assertThat(ratio.values()).isEqualTo(new Summary(60, 50, 90, 3));
    assertThat(ratio.figure()).isEqualTo("60.0 ×");
    assertThat(Ratio.of("slow of fast", slow.over(fast), Unit.SHARE).figure()).isEqualTo("1.7 %");
  }

  @Test
  void theMedianMustReachTheTarget() {
    Ratio ratio = Ratio.of("seconds", 6, Unit.SECONDS);

    assertThat(ratio.target()).isEmpty();
    assertThat(ratio.atLeast(6).target().orElseThrow().met()).isTrue();
    assertThat(ratio.atLeast(6.1).target().orElseThrow().met()).isFalse();
    assertThat(ratio.atMost(5, false, "x").target().orElseThrow().met()).isFalse();
    assertThat(ratio.atMost(5, true, "x").target().orElseThrow().met()).isTrue();
    assertThat(ratio.atMost(6, false, "x").target().orElseThrow().met()).isTrue();
  }
}
