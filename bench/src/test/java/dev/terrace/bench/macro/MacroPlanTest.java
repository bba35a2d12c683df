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
package dev.terrace.bench.macro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.terrace.bench.report.PlannedProgress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class MacroPlanTest {

  static MacroOptions options(MacroScale scale) {
    return new MacroOptions(
        scale.toString(),
        scale.rows(),
        scale.sizes(),
        List.of(Configuration.values()),
        List.of(MacroWorkload.values()),
        scale.rounds(),
        Duration.ofSeconds(scale.seconds()),
        Duration.ofSeconds(scale.warmUpSeconds()),
        4,
        false);
  }

  @Test
  void theSmallScaleEndsWithinFifteenMinutesWithTwoRoundsOrMore() {
    MacroOptions small = options(MacroScale.SMALL);
    assertThat(new MacroPlan(small).total()).isLessThan(15 * 60);
    assertThat(small.rounds()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void thePartsAddUp() {
    MacroPlan plan = new MacroPlan(options(MacroScale.SMALL));
    double warmUps = 2 * plan.warmUp(true) + 7 * plan.warmUp(false);
    double parts = plan.preparation() + 2 * plan.readAll() + warmUps + 9 * 3 * plan.round();
    assertThat(plan.total()).isCloseTo(parts, within(1e-6));
  }

  @Test
  void timeLeftFollowsThePaceOfWhatIsDone() {
    StringWriter text = new StringWriter();
    AtomicLong clock = new AtomicLong();
    PlannedProgress progress = new PlannedProgress(60, new PrintWriter(text), clock::get);
    progress.begin("first");
    clock.set(Duration.ofSeconds(40).toNanos());
    progress.done(20);
    progress.begin("second");
    assertThat(text.toString().lines())
        .containsExactly("  60 s left  first", "  80 s left  second");
    assertThat(progress.elapsed()).isEqualTo(Duration.ofSeconds(40));
  }
}
