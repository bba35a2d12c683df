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
package dev.terrace.bench.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.load.SeriesPoint;
import dev.terrace.bench.report.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CaseReportTest {

  private final Measure fast = Runs.measure("Fast, YCSB C", 1_000, 1_200);
  private final Measure slow = Runs.measure("Slow, YCSB C", 10, 10);
  private final CaseResult result =
      new CaseResult(
          new CaseText(
              "x", "Fast beside slow", "90 times", "Someone", "Much is different. ".repeat(20)),
          List.of(fast, slow),
          List.of(Ratio.times("Fast over slow", fast, slow).published(80, 90).atLeast(120)),
          List.of(new Series("Fast", List.of(new SeriesPoint(0.5, 100)))));

  @Test
  void theTextTellsBothFiguresAndWhatIsDifferent() {
    assertThat(new CaseReport(result).text())
        .contains("(x) Fast beside slow")
        .contains("Published: 90 times. Someone.")
        .containsPattern("Fast, YCSB C +\\| 1,100 \\| 9 % ")
        .containsPattern("75.0 % \\| +458 \\| +\\| 40 % \\| +3.00 \\| +\\|")
        .contains("110 times", "100 times to 120 times", "80.0 times to 90.0 times")
        .contains("Different here: Much is different.");
    assertThat(new CaseReport(result).text().lines()).noneMatch(line -> line.endsWith(" "));
  }

  @Test
  void aMissedTargetIsNamed() {
    assertThat(new CaseReport(result).targets())
        .containsExactly(
            new Target(false, "(x) Fast over slow: 110 times, wanted: 120 times or more"));
  }

  @Test
  void theJsonHasTheSharedNames() {
    Map<String, Object> json = result.toJson();

    assertThat(json)
        .containsOnlyKeys(
            "case", "title", "published", "source", "differs", "measures", "ratios", "series");
    assertThat(json.get("series"))
        .isEqualTo(
            List.of(
                Map.of(
                    "name",
                    "Fast",
                    "xUnit",
                    "s",
                    "yUnit",
                    "ops/s",
                    "points",
                    List.of(List.of(0.5, 100.0)))));
    assertThat(fast.toJson()).containsOnlyKeys("name", "opsPerSecond", "runs");
    assertThat(fast.runs().get(0).toJson())
        .containsKeys("operations", "latencyMicros", "idleShare", "dataHitRatio")
        .doesNotContainKeys("contendedLocks", "tierHits");
  }
}
