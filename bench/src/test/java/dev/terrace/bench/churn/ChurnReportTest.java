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
package dev.terrace.bench.churn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChurnReportTest {

  private static final long CAPACITY_BYTES = 1000;

  @Test
  void promisesAreMet() {
    ChurnReport report =
        new ChurnReport(
            List.of(result("terrace", 1020, 0.93, 0.96), result("bucket-offheap", 1000, 0.5, 0.6)));

    assertThat(report.targets()).hasSize(3).allMatch(Target::met);
    assertThat(report.table().toString())
        .contains(
            "| Terrace             |         93.0 % |          94.5 % |             102.0 % |");
  }

  @Test
  void promisesAreMissed() {
    ChurnReport report =
        new ChurnReport(
            List.of(
                result("terrace", 1021, 0.92, 0.97), result("bucket-offheap", 1000, 0.94, 0.95)));

    assertThat(report.targets()).hasSize(3).noneMatch(Target::met);
  }

  @Test
  void theHeadlineComparesThePayload() {
    ChurnReport report =
        new ChurnReport(
            List.of(result("terrace", 1020, 0.9, 0.9), result("bucket-offheap", 1000, 0.6, 0.6)));

    assertThat(report.headline().orElseThrow().figure()).isEqualTo("1.50 ×");
    assertThat(new ChurnReport(List.of()).headline()).isEmpty();
  }

  @Test
  void withoutTerraceNothingIsPromised() {
    assertThat(new ChurnReport(List.of(result("bucket-offheap", 1000, 0.5, 0.6))).targets())
        .isEmpty();
  }

  private static ChurnResult result(
      String cache, long directBytes, double leastShare, double mostShare) {
    return new ChurnResult(
        cache,
        CAPACITY_BYTES,
        Summary.of(leastShare, mostShare),
        directBytes,
        10,
        1000,
        100,
        1e6,
        0.9,
        0);
  }
}
