/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierStats.Leases;
import dev.terrace.api.Trouble;
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
  void aSpanTellsWhatBecameOfTheCounters() {
    Span span =
        new Span(
            MadeUp.moment(10, MadeUp.path(PathStats.State.IN_SERVICE, "", 10)),
            MadeUp.moment(70, MadeUp.path(PathStats.State.IN_SERVICE, "", 70)));

    assertThat(span.seconds()).isEqualTo(60);
    assertThat(span.lookups()).isEqualTo(600);
    assertThat(span.hitRatio()).isEqualTo(0.9);
    assertThat(span.hitRatio("dram")).isEqualTo(0.6);
    assertThat(span.hitRatio("ssd")).isEqualTo(0.75);
    assertThat(span.share("ssd")).isEqualTo(0.3);
    assertThat(span.hitNanos()).as("200 and 800 ns, 2 to 1").isCloseTo(400, within(1e-6));
    assertThat(span.movedBytes(move -> move.from().equals("dram"))).isEqualTo(1L << 30);
    PathStats path = span.to().tiers().get("ssd").paths().get(0);
    assertThat(span.nanos("ssd", path, PathStats::reads)).isEqualTo(1e6);
    assertThat(span.nanos("ssd", path, PathStats::writes)).as("no write").isNaN();
  }

  @Test
  void whatWasNotReadHasNoRatio() {
    Span span = new Span(MadeUp.moment(10), MadeUp.moment(10));

    assertThat(span.hitRatio()).isNaN();
    assertThat(span.hitRatio("ssd")).isNaN();
    assertThat(span.share("ssd")).isNaN();
    assertThat(span.hitNanos()).isNaN();
  }

  @Test
  void itLooksBackForAMinuteAndForAQuarterOfAnHour() {
    for (int second = 10; second <= 3_600; second += 10) {
      history.look(at(second));
    }
    Span minute = history.minute(at(3_605));
    assertThat(minute.seconds()).isEqualTo(55);
    assertThat(history.quarter(minute).seconds()).isEqualTo(895);
    assertThat(history.ratios().keySet()).containsExactly(History.WHOLE, "dram", "ssd");
    assertThat(history.ratios().get(History.WHOLE)).hasSize(120).containsOnly(0.9);
  }

  @Test
  void afterTheStartItLooksBackToTheStart() {
    assertThat(history.minute(at(7)).seconds()).isEqualTo(7);
  }

  @Test
  void afterAPauseItLooksBackToTheLastLook() {
    history.look(at(10));
    assertThat(history.minute(at(500)).seconds()).isEqualTo(490);
  }

  @Test
  void theLinesAreBounded() {
    for (int look = 0; look < 3 * History.POINTS + 30; look++) {
      history.look(at(look / 10));
    }
    assertThat(history.ratios().get("dram")).hasSize(History.POINTS);
  }

  @Test
  void aTroubleHasTheTimeOfItsLast() {
    long[] stalls = {1};
    History troubled =
        new History(
            time ->
                MadeUp.moment(
                    Duration.between(MadeUp.START, time).toSeconds(),
                    MadeUp.events(Map.of(), Map.of(Trouble.STALL, stalls[0])),
                    Leases.NONE),
            MadeUp.START);
    assertThat(troubled.last("ssd", Trouble.STALL)).isEqualTo(MadeUp.START);
    for (long second : List.of(10L, 20L, 30L)) {
      stalls[0] = second == 20 ? 2 : stalls[0];
      troubled.look(MadeUp.START.plusSeconds(second));
    }
    assertThat(troubled.last("ssd", Trouble.STALL)).isEqualTo(MadeUp.START.plusSeconds(20));
    assertThat(troubled.last("ssd", Trouble.READ_ERROR)).isNull();
    assertThat(troubled.last("dram", Trouble.STALL)).isNull();
  }
}
