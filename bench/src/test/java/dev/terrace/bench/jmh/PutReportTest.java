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
package dev.terrace.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.workload.CacheKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PutReportTest {

  @Test
  void whatIsDroppedIsNotKept() {
    PutReport report = report(new PutFigures(Summary.of(4), 0.75), CacheKind.BUCKET_OFFHEAP);

    assertThat(report.table().toString())
        .contains(
            "| BucketCache offheap       |          4 |         16.4 |  75.0 % |      4.10 |"
                + "                   0.50 × |");
    assertThat(report.targets()).isEmpty();
  }

  @Test
  void promisesAreMet() {
    assertThat(report(new PutFigures(Summary.of(16), 0), CacheKind.TERRACE).targets())
        .hasSize(2)
        .allMatch(Target::met);
  }

  @Test
  void promisesAreMissed() {
    assertThat(report(new PutFigures(Summary.of(16.5), 0.001), CacheKind.TERRACE).targets())
        .hasSize(2)
        .noneMatch(Target::met);
  }

  private static PutReport report(PutFigures measured, CacheKind cache) {
    Map<PutCase, PutFigures> figures = new LinkedHashMap<>();
    figures.put(PutCase.COPY, new PutFigures(Summary.of(8), 0));
    figures.put(new PutCase(Optional.of(cache)), measured);
    return new PutReport(figures);
  }
}
