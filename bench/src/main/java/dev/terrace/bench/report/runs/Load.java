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
package dev.terrace.bench.report.runs;

import dev.terrace.bench.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;

/** The runs of one load, one a round; what they did not tell is absent, and never 0. */
final class Load {

  private static final String LATENCY = "latencyMicros";

  private final List<Fields> runs;

  Load(List<Fields> runs) {
    this.runs = runs;
  }

  /** A figure over the rounds that told it. */
  Optional<Summary> summary(String name) throws RunFileException {
    List<Double> values = new ArrayList<>();
    for (Fields run : runs) {
      run.number(name).ifPresent(values::add);
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(Summary.of(values));
  }

  /** A percentile of latencies in nanoseconds, over the rounds that told it. */
  Optional<Summary> latencyNanos(String percentile) throws RunFileException {
    List<Double> values = new ArrayList<>();
    for (Fields run : runs) {
      Optional<Fields> latency = run.object(LATENCY);
      if (latency.isPresent()) {
        latency.get().number(percentile).ifPresent(micros -> values.add(1000 * micros));
      }
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(Summary.of(values));
  }

  /** Seconds of CPU for a million operations, over the rounds that told both. */
  Optional<Summary> cpuSecondsAMillion(String name) throws RunFileException {
    List<Double> values = new ArrayList<>();
    for (Fields run : runs) {
      double operations = run.number("operations").orElse(0);
      if (run.number(name).isPresent() && operations > 0) {
        values.add(1e6 * run.needNumber(name) / operations);
      }
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(Summary.of(values));
  }

  /** The share of each tier in the hits of all rounds, such as {@code dram 80 %, ssd 20 %}. */
  Optional<String> tierShares() throws RunFileException {
    Map<String, Double> hits = new TreeMap<>();
    for (Fields run : runs) {
      Optional<Fields> tiers = run.object("tierHits");
      if (tiers.isPresent()) {
        for (Map.Entry<String, JsonElement> tier : tiers.get().entries()) {
          hits.merge(tier.getKey(), tiers.get().needNumber(tier.getKey()), Double::sum);
        }
      }
    }
    double all = hits.values().stream().mapToDouble(Double::doubleValue).sum();
    return all == 0
        ? Optional.empty()
        : hits.entrySet().stream()
            .map(tier -> tier.getKey() + " " + Numbers.wholePercent(rounded(tier.getValue() / all)))
            .reduce((one, other) -> one + ", " + other);
  }

  private static double rounded(double share) {
    return Math.rint(100 * share) / 100;
  }
}
