// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.LoadFigures.LoadOutcome;
import dev.terrace.bench.load.YcsbClient.RunClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RunClockTest {

  @Test
  void sumsUpWhatTheThreadsDid() {
    RunClock clock = new RunClock(2, Duration.ofSeconds(10), Duration.ofSeconds(1));
    long now = clock.now();
    clock.count(0, now - 1_000_000, now);
    clock.count(1, now - 3_000_000, now);
    clock.count(1, now - 3_000_000, now);
    clock.count(0, now - 20_000_000, now);
    LoadOutcome outcome = clock.outcome(1);
    assertThat(outcome.operations()).isEqualTo(4);
    assertThat(outcome.errors()).isEqualTo(1);
    assertThat(outcome.operationsPerSecond()).isEqualTo(3 / (outcome.elapsed().toNanos() / 1e9));
    assertThat(outcome.latency().p50()).isGreaterThanOrEqualTo(2_990_000);
    assertThat(outcome.latency().max()).isGreaterThanOrEqualTo(outcome.latency().p50());
    assertThat(outcome.series()).hasSize(10);
    assertThat(outcome.series().get(0)).isEqualTo(new LoadOutcome.SeriesPoint(1, 4));
    assertThat(outcome.series().get(9)).isEqualTo(new LoadOutcome.SeriesPoint(10, 0));
    assertThat(outcome.series().get(0).later(5)).isEqualTo(new LoadOutcome.SeriesPoint(6, 4));
  }

  @Test
  void nothingBeginsAfterTheEnd() {
    RunClock clock = new RunClock(1, Duration.ofMillis(1), Duration.ofMillis(1));
    long now = clock.now();
    assertThat(clock.allows(now + 2_000_000)).isFalse();
    assertThat(new RunClock(1, Duration.ofMinutes(5), Duration.ofMinutes(1)).allows(now)).isTrue();
  }
}
