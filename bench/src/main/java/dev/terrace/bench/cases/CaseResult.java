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

import java.util.List;

/**
 * What came out of a case.
 *
 * @param about which one
 * @param measures what was measured
 * @param ratios what follows from that, beside what was published
 * @param series how it went over time, where that matters
 */
record CaseResult(CaseText about, List<Measure> measures, List<Ratio> ratios, List<Series> series) {

  CaseResult {
    measures = List.copyOf(measures);
    ratios = List.copyOf(ratios);
    series = List.copyOf(series);
  }
}
