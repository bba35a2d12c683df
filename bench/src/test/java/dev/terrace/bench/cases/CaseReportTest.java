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

import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.Measure;
import dev.terrace.bench.load.Measures;
import dev.terrace.bench.load.Workload;
import dev.terrace.bench.report.ResultText;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

final class CaseReportTest {

  private final Measure fast = Measures.of("terrace", "Fast", Workload.YCSB_C, 1_000, 1_200);
  private final Measure slow = Measures.of("slow", "Slow", Workload.YCSB_C, 10, 10);
  private final CaseReport report =
      new CaseReport(
          new PublishedCase(
              "x",
              "Fast beside slow",
              "90 times",
              "Someone",
              "Much is different. ".repeat(20),
              bench -> null),
          new PublishedCase.Figures(
              List.of(fast, slow),
              List.of(
                  Ratio.of("Fast over slow", fast, slow, Unit.TIMES)
                      .published(80, 90)
                      .atLeast(120)),
              Map.of("Fast", List.of(new LoadOutcome.SeriesPoint(0.5, 100, 0.9)))));

  @Test
  void theTablesTellBothFiguresAndWhatIsDifferent() {
    String text = report.tables().stream().map(ResultText::of).collect(Collectors.joining());

    assertThat(text)
        .contains("(x) Fast beside slow")
        .contains("Published: 90 times. Someone.")
        .containsPattern("Fast, YCSB C: [^|]*\\| 1,100 \\| 9 % ")
        .containsPattern("Fast over slow \\| here +\\| +110 × \\| 100 × to 120 × ")
        .containsPattern("Fast over slow \\| published \\| 80.0 × to 90.0 × ")
        .contains("Different here: Much is different.");
    assertThat(text.lines()).noneMatch(line -> line.endsWith(" "));
  }

  @Test
  void aMissedTargetIsNamed() {
    assertThat(report.targets())
        .containsExactly(new Target(false, "(x) Fast over slow: 110 ×, wanted: 120 × or more"));
  }

  @Test
  void theRunsAreInTheJson() {
    assertThat(slow.toJson()).containsKeys("name", "workload", "threads", "runs");
    assertThat(((List<?>) slow.toJson().get("runs")).get(0))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsKeys("operations", "latencyNanos", "idleShare", "dataHitRatio")
        .doesNotContainKeys("gcMillis", "tierHits");
  }
}
