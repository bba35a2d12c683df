// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.PathStats;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.api.TierStats.Events;
import dev.terrace.api.TierStats.LongPins;
import dev.terrace.api.TierStats.Pins;
import dev.terrace.hbase.web.Verdict.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ProblemTest {

  private static List<Problem> after100Seconds(Events ssd, Pins dram) {
    return Problem.of(MadeUp.moment(0), MadeUp.moment(0), MadeUp.moment(100, ssd, dram));
  }

  @Test
  void aHealthyCacheHasNone() {
    assertThat(
            Problem.of(
                MadeUp.moment(0),
                MadeUp.moment(0),
                MadeUp.moment(100, MadeUp.path(PathStats.State.IN_SERVICE, "", 100))))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource(value = PathStats.State.class, mode = EnumSource.Mode.EXCLUDE, names = "IN_SERVICE")
  void aPathIsNamedWithWhatToDo(PathStats.State state) {
    List<Problem> problems =
        Problem.of(
            MadeUp.moment(0),
            MadeUp.moment(0),
            MadeUp.moment(
                100,
                MadeUp.path(PathStats.State.IN_SERVICE, "", 100),
                MadeUp.path(state, "EIO, the disk fails. To do: see dmesg", 100)));

    assertThat(problems)
        .containsExactly(
            new Problem(
                state == PathStats.State.OUT || state == PathStats.State.LOST,
                "ssd: /mnt/" + state + " is " + state.words(),
                "",
                MadeUp.START.plusSeconds(5),
                state.effect().substring(0, 1).toUpperCase(Locale.ROOT)
                    + state.effect().substring(1)
                    + ". Cause: EIO, the disk fails. ",
                "See dmesg. "));
  }

  @ParameterizedTest
  @CsvSource({
    "NO_MEMORY, 0, 1, no direct memory left: 1 times in the last 15 minutes",
    "CORRUPT_BLOCK, 5, 6, corrupt blocks or regions: 6 in the last 15 minutes",
    "QUARANTINED_REGION, 5, 6, corrupt blocks or regions: 6 in the last 15 minutes",
    "SLOW_READ, 100, 101, reads were abandoned because a disk is slow: 101",
    "TOO_MANY_READERS, 100, 101, reads were abandoned because a disk is slow: 101"
  })
  void faultsCountAboveTheLimitsOfTheAlerts(
      TierFault kind, long healthy, long sick, String expected) {
    assertThat(after100Seconds(MadeUp.events(Map.of(), Map.of(kind, healthy)), Pins.NONE))
        .isEmpty();
    assertThat(after100Seconds(MadeUp.events(Map.of(), Map.of(kind, sick)), Pins.NONE))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.what() + problem.figure()).startsWith("ssd: " + expected));
  }

  @Test
  void refusalsForLackOfSpeedCount() {
    Map<PutOutcome, Long> refusals = Map.of(PutOutcome.BUSY, 300L, PutOutcome.NOT_ADMITTED, 700L);

    assertThat(after100Seconds(MadeUp.events(refusals, Map.of()), Pins.NONE))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.what() + problem.figure())
                  .isEqualTo("ssd: blocks refused, so they are not cached: 100.0 %");
              assertThat(problem.meaning()).startsWith("Mostly BUSY. The tier frees space");
            });
  }

  @Test
  void leaksCount() {
    Pins leaked =
        new Pins(0, new LongPins(101, 0, 0, Duration.ofHours(5)), 2, Duration.ofHours(2).toNanos());

    assertThat(after100Seconds(MadeUp.events(Map.of(), Map.of()), leaked))
        .extracting(Problem::what)
        .containsExactly(
            "dram: blocks have not been released for hours", "dram: regions cannot be reclaimed");
  }
}
