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
package dev.terrace.hbase.page;

import dev.terrace.api.TierStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fill and the hit ratio of each tier over the last hours. Thread-safe. */
final class TierHistory {

  /** The time between two samples. */
  static final Duration EVERY = Duration.ofSeconds(10);

  /** Three hours. */
  static final int SAMPLES = 1_080;

  /** A hit ratio is that of the lookups of a minute. */
  private static final int SAMPLES_A_RATIO = 6;

  private final Map<String, List<Sample>> samples = new HashMap<>();

  private record Sample(double fill, long hits, long misses) {}

  /** Adds a sample of each tier by its name. */
  synchronized void add(Map<String, TierStats> tiers) {
    tiers.forEach(
        (name, stats) -> {
          List<Sample> of = samples.computeIfAbsent(name, added -> new ArrayList<>());
          if (of.size() == SAMPLES) {
            of.remove(0);
          }
          double fill =
              stats.space().usedBytes() / (double) Math.max(1, stats.space().capacityBytes());
          of.add(new Sample(fill, stats.reads().hits().counted(), stats.reads().misses()));
        });
  }

  /** The used share of a tier, from 0 to 1, the oldest first. */
  synchronized List<Double> fill(String tier) {
    return of(tier).stream().map(Sample::fill).toList();
  }

  /** The hit ratio of each last minute, from 0 to 1, the oldest first; NaN without lookups. */
  synchronized List<Double> hitRatio(String tier) {
    List<Sample> of = of(tier);
    List<Double> ratios = new ArrayList<>();
    for (int i = 1; i < of.size(); i++) {
      Sample from = of.get(Math.max(0, i - SAMPLES_A_RATIO));
      double hits = of.get(i).hits - from.hits;
      ratios.add(hits / (hits + of.get(i).misses - from.misses));
    }
    return ratios;
  }

  private List<Sample> of(String tier) {
    return samples.getOrDefault(tier, List.of());
  }
}
