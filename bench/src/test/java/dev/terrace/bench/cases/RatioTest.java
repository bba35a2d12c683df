// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.cases.PublishedCase.Ratio;
import dev.terrace.bench.load.LoadTables.Measure;
import dev.terrace.bench.load.Measures;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.Column.Unit;
import org.junit.jupiter.api.Test;

final class RatioTest {

  private final Measure fast = Measures.of("fast", "fast", Workload.YCSB_C, 1_000, 600, 900);
  private final Measure slow = Measures.of("slow", "slow", Workload.YCSB_C, 20, 10, 10);

  @Test
  void eachRoundIsComparedWithItself() {
    Ratio ratio = Ratio.of("fast over slow", fast, slow, Unit.TIMES);

    assertThat(ratio.values().median()).isEqualTo(60);
    assertThat(ratio.values().min()).isEqualTo(50);
    assertThat(ratio.values().max()).isEqualTo(90);
    assertThat(ratio.figure()).isEqualTo("60.0 ×");
  }

  @Test
  void sharesAreToldInPercent() {
    Ratio ratio = Ratio.of("slow of fast", slow, fast, Unit.SHARE);

    assertThat(ratio.values().max()).isEqualTo(0.02);
    assertThat(ratio.figure()).isEqualTo("1.7 %");
  }

  @Test
  void theMedianMustReachTheTarget() {
    Ratio ratio = Ratio.of("fast over slow", fast, slow, Unit.TIMES);

    assertThat(ratio.atLeast(60).target().orElseThrow().met()).isTrue();
    assertThat(ratio.atLeast(61).target().orElseThrow().met()).isFalse();
    assertThat(ratio.target()).isEmpty();
  }

  @Test
  void aLimitIsAlsoMetByWhatMakesUpForIt() {
    Ratio seconds = Ratio.of("seconds", 6, Unit.SECONDS);

    assertThat(seconds.atMost(5, false, "x").target().orElseThrow().met()).isFalse();
    assertThat(seconds.atMost(5, true, "x").target().orElseThrow().met()).isTrue();
    assertThat(seconds.atMost(6, false, "x").target().orElseThrow().met()).isTrue();
  }
}
