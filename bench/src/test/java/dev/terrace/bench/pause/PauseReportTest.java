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
package dev.terrace.bench.pause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.CacheKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PauseReportTest {

  private static final LatencyNanos FAST = new LatencyNanos(1000, 100, 200, 300, 5e6);
  private static final LatencyNanos NONE = new LatencyNanos(0, 0, 0, 0, 0);

  @Test
  void eachThingThatGoesOnHasALine() {
    PauseResult result =
        new PauseResult(
            "terrace",
            FAST,
            List.of(
                new Pause(PauseRun.ALONE, FAST, FAST, 1, 0),
                new Pause(PauseRun.EVICTING, FAST, NONE, 0.5, 0.25)),
            Summary.of(10, 30, 20));

    assertThat(new PauseReport(List.of(result), List.of()).pauses())
        .contains("| Terrace | timing nothing (floor)  |  100 ns |")
        .contains("| Terrace | nothing else happens    |  100 ns |")
        .contains(" 25.0 % |           20.0 ms |");
  }

  @Test
  void aPutIsFastWhileTheDeviceIsStalled() {
    assertThat(stalled(0.999e6)).hasSize(1).allMatch(Target::met);
    assertThat(stalled(1.001e6)).hasSize(1).noneMatch(Target::met);
  }

  @Test
  void nothingIsPromisedOfADeviceThatIsNotStalled() {
    StallResult fine = new StallResult(Stall.NONE, slow(2e6), NONE, Map.of("BUSY", 1L));
    PauseReport report = new PauseReport(List.of(), List.of(fine));

    assertThat(report.targets()).isEmpty();
    assertThat(report.pauses()).isEmpty();
    assertThat(report.stalls()).contains("| writes as fast as the disk | 1 BUSY ");
  }

  @Test
  void namesTheSettingThatIsWrong() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new PauseSettings(CacheKind.FLOOR, second, 1000))
        .hasMessageStartingWith("--caches=floor: ");
    assertThatThrownBy(() -> new PauseSettings(CacheKind.TERRACE, Duration.ZERO, 1000))
        .hasMessage("--seconds=0: must be at least 1");
    assertThatThrownBy(() -> new PauseSettings(CacheKind.TERRACE, second, 10))
        .hasMessage("--blocks=10: must be from 1,000 to 100,000");
  }

  private static List<Target> stalled(double p999Nanos) {
    StallResult hanging = new StallResult(Stall.HANGING, slow(p999Nanos), NONE, Map.of());
    return new PauseReport(List.of(), List.of(hanging)).targets();
  }

  private static LatencyNanos slow(double p999Nanos) {
    return new LatencyNanos(1000, 100, 200, p999Nanos, 5e6);
  }
}
