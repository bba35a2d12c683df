// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PathStats;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.api.TierStats.Events;
import dev.terrace.api.TierStats.Pins;
import dev.terrace.hbase.status.Metrics;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class VerdictTest {

  private final Verdict verdict = new Verdict();

  private Map<String, Object> at(long seconds, PathStats... paths) {
    return verdict.of(MadeUp.moment(0), MadeUp.moment(0), MadeUp.moment(seconds, paths));
  }

  private static String second(long seconds) {
    return History.iso(MadeUp.START.plusSeconds(seconds));
  }

  @Test
  void aChangeHasItsTime() {
    PathStats well = MadeUp.path(PathStats.State.IN_SERVICE, "", 0);
    PathStats out = MadeUp.path(PathStats.State.OUT, "fails", 0);
    assertThat(at(10, well)).containsEntry("level", "well").containsEntry("since", second(10));
    assertThat(at(20, well)).containsEntry("level", "well").containsEntry("since", second(10));
    assertThat(at(30, out)).containsEntry("level", "bad").containsEntry("since", second(30));
    assertThat(at(40, out)).containsEntry("since", second(30));
    assertThat(at(50, well)).containsEntry("level", "well").containsEntry("since", second(50));
  }

  /** A quarter of an hour with faults, of which the last minute has none any more. */
  @Test
  void whatHasStoppedIsOver() {
    Map<TierFault, Long> slow = Map.of(TierFault.SLOW_READ, 5_000L, TierFault.NO_MEMORY, 3L);
    Events during = MadeUp.events(Map.of(PutOutcome.BUSY, 40_000L), slow);
    Metrics before = MadeUp.moment(0);
    Metrics lately = MadeUp.moment(60, during, Pins.NONE);
    assertThat(verdict.of(before, before, lately)).containsEntry("level", "poor");
    assertThat((List<?>) verdict.of(before, before, lately).get("problems")).hasSize(3);
    assertThat(verdict.of(before, lately, MadeUp.moment(120, during, Pins.NONE)))
        .containsEntry("level", "well");
  }

  @Test
  void damageStaysForAQuarterOfAnHour() {
    Events damage = MadeUp.events(Map.of(), Map.of(TierFault.CORRUPT_BLOCK, 6L));
    Metrics lately = MadeUp.moment(60, damage, Pins.NONE);
    assertThat(verdict.of(MadeUp.moment(0), lately, MadeUp.moment(120, damage, Pins.NONE)))
        .containsEntry("level", "poor");
  }

  @Test
  void thatWhichCostsHitsComesFirst() {
    Map<String, Object> all =
        at(
            100,
            MadeUp.path(PathStats.State.FULL, "no space", 100),
            MadeUp.path(PathStats.State.OUT, "fails", 100));

    assertThat(all).containsEntry("level", "bad");
    assertThat((List<?>) all.get("problems"))
        .map(problem -> ((Map<?, ?>) problem).get("what").toString())
        .containsExactly("ssd: /mnt/OUT is out of service", "ssd: /mnt/FULL is full");
    assertThat(at(110, MadeUp.path(PathStats.State.FULL, "no space", 110)))
        .containsEntry("level", "poor");
  }
}
