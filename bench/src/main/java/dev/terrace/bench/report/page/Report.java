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
package dev.terrace.bench.report.page;

import dev.terrace.bench.report.Target;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What all runs that were given show. */
public record Report(List<Section> sections) {

  static final String WHAT_TERRACE_IS =
      "Terrace is a block cache for Apache HBase that keeps hot file blocks in tiers: DRAM, then"
          + " persistent memory, then SSD files. This report sets it beside HBase's own caches, with"
          + " the same bytes to work with, on the same machine and in the same run.";

  static final List<String> HOW_TO_READ =
      List.of(
          "Each figure is the median over the rounds of a run. ± is half the range from the least to"
              + " the greatest; in the charts that range is the thin line with two ends. A figure"
              + " without ± was measured once: take it as an impression.",
          "× is how many times one figure is of another in the same run.",
          "Where values lie far apart, an axis is logarithmic: each line is ten times the last, and"
              + " dots take the place of bars.",
          "Blue is Terrace, grey is a cache of HBase or another one, a dashed outline is a bound that"
              + " no cache can beat, yellow is what others have published. Each bar has its name and"
              + " its figure above it.",
          "Ratios carry over to other machines better than figures do.");

  private static final int MOST_HEADLINES = 4;

  /** Copies the list. */
  public Report {
    sections = List.copyOf(sections);
  }

  List<Headline> headlines() {
    return sections.stream()
        .flatMap(section -> section.headlines().stream())
        .sorted(Comparator.comparingInt(Headline::rank))
        .limit(MOST_HEADLINES)
        .toList();
  }

  private List<Target> promises() {
    return sections.stream().flatMap(section -> section.facts().promises().stream()).toList();
  }

  List<Target> missed() {
    return promises().stream().filter(promise -> !promise.met()).toList();
  }

  /** How many promises there are and how many were kept. */
  String promisesInWords() {
    int all = promises().size();
    int missed = missed().size();
    return all == 0
        ? "The runs hold no promises."
        : String.format(
            Locale.ROOT,
            "Of %d promises that these runs can be held to, %d are met and %d missed%s",
            all,
            all - missed,
            missed,
            missed == 0 ? "." : ":");
  }
}
