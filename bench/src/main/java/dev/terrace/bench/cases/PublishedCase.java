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
import dev.terrace.bench.load.Scale;
import dev.terrace.bench.server.RunFailure;
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
 * @param planned how long it takes on two idle cores
 * @param measuring how it is measured
 */
record PublishedCase(
    String letter,
    String title,
    String published,
    String source,
    String differs,
    Planned planned,
    Measuring measuring) {

  /** The part of the longest warm-up that a server takes on cores that are not slow. */
  private static final double USUAL_WARM_UP = 1.0 / 3;

  /** How long a case takes. */
  interface Planned {

    /** Returns about how many seconds. */
    double seconds(Scale scale);
  }

  /** How a case is measured. */
  interface Measuring {

    /**
     * Measures it.
     *
     * @throws IOException if a server or the disk fails
     * @throws RunFailure if something that was read was wrong
     */
    Figures measure(CaseBench bench) throws IOException, RunFailure;
  }

  /**
   * What came out.
   *
   * @param measures what was measured
   * @param ratios what follows from that, beside what was published
   * @param series operations a second over time, by what they are of, where that matters
   */
  record Figures(
      List<Measure> measures,
      List<Ratio> ratios,
      Map<String, List<LoadOutcome.SeriesPoint>> series) {}

  /** Returns all of them, in the order of their letters. */
  static List<PublishedCase> all() {
    return List.of(
        CachedCases.PMEM_OR_DRAM,
        StoreCases.BEYOND_DRAM,
        StoreCases.OBJECT_STORE,
        CachedCases.ALL_CACHED,
        StoreCases.LOCAL_FILES,
        WarmRestartCase.CASE);
  }

  /**
   * Returns those that were named, or all when none was, in the order of their letters.
   *
   * @throws IllegalArgumentException if there is no such letter
   */
  static List<PublishedCase> named(List<String> letters) {
    List<String> known = all().stream().map(PublishedCase::letter).toList();
    for (String letter : letters) {
      if (!known.contains(letter)) {
        throw new IllegalArgumentException(
            "'" + letter + "' is no case; there are " + String.join(" ", known));
      }
    }
    return all().stream()
        .filter(one -> letters.isEmpty() || letters.contains(one.letter()))
        .toList();
  }

  double plannedSeconds(Scale scale) {
    return planned.seconds(scale);
  }

  /** Returns how long the warm-up of so many servers is about, in seconds. */
  static double warmUpSeconds(Scale scale, int servers) {
    return servers * scale.warmUp().toSeconds() * USUAL_WARM_UP;
  }
}
