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

import dev.terrace.bench.load.LoadOutcome;
import dev.terrace.bench.load.Measure;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A comparison that others have published, and how it is repeated here.
 *
 * @param letter its letter
 * @param title what is compared
 * @param published the figures that were published
 * @param source by whom, and on what
 * @param differs what is different here
 * @param measuring how it is measured
 */
record PublishedCase(
    String letter,
    String title,
    String published,
    String source,
    String differs,
    Measuring measuring) {

  /** Measures a case. */
  interface Measuring {

    Figures measure(CaseBench bench) throws IOException;
  }

  /**
   * The results of a case.
   *
   * @param measures what was measured
   * @param ratios what follows from that, beside what was published
   * @param series operations a second over time, by what they are of, where that matters
   */
  record Figures(
      List<Measure> measures,
      List<Ratio> ratios,
      Map<String, List<LoadOutcome.SeriesPoint>> series) {

    Figures(List<Measure> measures, List<Ratio> ratios) {
      this(measures, ratios, Map.of());
    }
  }
}
