// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.TierFault;
import dev.terrace.api.TierStats.Pins;
import dev.terrace.hbase.status.Metrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HistoryTest {

  private long seconds;

  private final History history = new History(time -> MadeUp.moment(seconds), MadeUp.START);

  private Instant at(long second) {
    seconds = second;
    return MadeUp.START.plusSeconds(second);
  }

  @Test
  void itLooksBackForAMinuteAndForAQuarterOfAnHour() {
    for (int second = 10; second <= 3_600; second += 10) {
      history.sample(at(second));
    }
    Metrics now = history.now(at(3_605));
    assertThat(history.before(now, History.MINUTE).at()).isEqualTo(at(3_550));
    assertThat(history.before(now, History.QUARTER).at()).isEqualTo(at(2_710));
  }

  @Test
  void afterTheStartItLooksBackToTheStart() {
    assertThat(history.before(history.now(at(7)), History.MINUTE).at()).isEqualTo(MadeUp.START);
  }

  @Test
  void afterAPauseItLooksBackToTheLastSample() {
    history.sample(at(10));
    assertThat(history.before(history.now(at(500)), History.MINUTE).at()).isEqualTo(at(10));
  }

  @Test
  void hitsAndMissesAreKeptEveryHalfAMinute() {
    for (int second = 10; second <= 60; second += 10) {
      history.sample(at(second));
    }
    assertThat(history.lines())
        .containsEntry("dram hits_total", List.of(0L, 180L, 360L))
        .containsEntry("ssd misses_total", List.of(0L, 30L, 60L))
        .hasSize(4);
  }

  @Test
  void theLinesAreBounded() {
    for (int look = 0; look < 3 * History.POINTS + 30; look++) {
      history.sample(at(look / 10));
    }
    assertThat(history.lines().get("dram hits_total")).hasSize(History.POINTS);
  }

  @Test
  void aFaultHasTheTimeOfItsLast() {
    long[] stalls = {1};
    History faulty =
        new History(
            time ->
                MadeUp.moment(
                    Duration.between(MadeUp.START, time).toSeconds(),
                    MadeUp.events(Map.of(), Map.of(TierFault.STALL, stalls[0])),
                    Pins.NONE),
            MadeUp.START);
    String stall = "ssd faults_stall_total";
    assertThat(faulty.lastFaults()).isEqualTo(Map.of(stall, History.iso(MadeUp.START)));
    for (long second : List.of(10L, 20L, 30L)) {
      stalls[0] = second == 20 ? 2 : stalls[0];
      faulty.sample(MadeUp.START.plusSeconds(second));
    }
    assertThat(faulty.lastFaults())
        .isEqualTo(Map.of(stall, History.iso(MadeUp.START.plusSeconds(20))));
  }
}
