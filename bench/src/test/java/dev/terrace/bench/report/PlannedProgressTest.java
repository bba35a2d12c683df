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
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PlannedProgressTest {

  private long nowNanos;
  private final StringWriter said = new StringWriter();
  private final PlannedProgress progress =
      new PlannedProgress(600, new PrintWriter(said, true), () -> nowNanos);

  private void seconds(int seconds) {
    nowNanos += Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void thePlanIsCorrectedByWhatStepsTook() {
    progress.begin("first");
    seconds(400);
    progress.done(200);
    progress.begin("second");
    seconds(60);
    progress.begin("third");

    assertThat(said.toString().lines().map(String::strip))
        .containsExactly("10 min left  first", "13 min left  second", "12 min left  third");
  }

  @Test
  void aStepThatTakesLongerThanAllTheRestIsOverdue() {
    seconds(599);
    progress.begin("nearly");
    seconds(2);
    progress.begin("late");

    assertThat(said.toString().lines().map(String::strip))
        .containsExactly("1 s left  nearly", "overdue  late");
  }

  @Test
  void shortTimesAreInSeconds() {
    assertThat(PlannedProgress.inWords(Duration.ofMillis(99_400))).isEqualTo("99 s");
    assertThat(PlannedProgress.inWords(Duration.ofSeconds(100))).isEqualTo("2 min");
  }
}
