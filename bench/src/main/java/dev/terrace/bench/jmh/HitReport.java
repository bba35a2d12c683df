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

import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.results.RunResult;

/** The figures of a run of {@code bench hit}, as JSON, and against a floor. */
final class HitReport {

  private final Map<HitCase, HitFigures> figures;
  private final Map<LatencyCase, LatencyNanos> latencies;

  /**
   * @param figures in the order of the tables
   * @param latencies likewise; of some of the same cases, or of none
   */
  HitReport(Map<HitCase, HitFigures> figures, Map<LatencyCase, LatencyNanos> latencies) {
    this.figures = figures;
    this.latencies = latencies;
  }

  static HitReport ofResults(Map<BenchmarkCase, RunResult> results) {
    Map<HitCase, HitFigures> figures = new LinkedHashMap<>();
    Map<LatencyCase, LatencyNanos> latencies = new LinkedHashMap<>();
    results.forEach(
        (benchmarkCase, result) -> {
          if (benchmarkCase instanceof LatencyCase latency) {
            latencies.put(latency, LatencyCase.latency(result));
          } else if (benchmarkCase instanceof HitCase hitCase) {
            figures.put(hitCase, HitFigures.of(hitCase.operation(), result));
          }
        });
    return new HitReport(figures, latencies);
  }

  /** The figures as maps. */
  List<Map<String, Object>> rows() {
    List<Map<String, Object>> rows = new ArrayList<>();
    figures.forEach(
        (hitCase, measured) -> {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("operation", hitCase.operation().label());
          row.put("cache", hitCase.cache().label());
          row.put("blockSizeBytes", hitCase.blockSizeBytes());
          row.put("distribution", hitCase.distribution().label());
          row.put("threads", hitCase.threads());
          row.put("opsPerSecond", measured.opsPerSecond());
          if (hitCase.operation().hasGarbage()) {
            row.put("bytesPerHit", measured.bytesPerHit());
          }
          putUnlessNaN(row, "hitShare", measured.hitShare());
          putUnlessNaN(row, "refusedShare", measured.refusedShare());
          latency(hitCase).ifPresent(latency -> row.put("latencyNanos", latency));
          rows.add(row);
        });
    return rows;
  }

  private static void putUnlessNaN(Map<String, Object> row, String name, double value) {
    if (!Double.isNaN(value)) {
      row.put(name, value);
    }
  }

  /** What timing nothing showed, by number of threads, as maps. */
  List<Map<String, Object>> clockRows() {
    List<Map<String, Object>> rows = new ArrayList<>();
    latencies.forEach(
        (latencyCase, latency) -> {
          if (latencyCase.timed().isEmpty()) {
            rows.add(Map.of("threads", latencyCase.threads(), "latencyNanos", latency));
          }
        });
    return rows;
  }

  /** How many times as fast as another cache; NaN if that one was not measured. */
  double timesAsFast(HitCase hitCase, CacheKind other) {
    HitFigures of = figures.get(hitCase);
    HitFigures compared = figures.get(hitCase.in(other));
    return of == null || compared == null
        ? Double.NaN
        : of.opsPerSecond().median() / compared.opsPerSecond().median();
  }

  /** What was measured, by case. */
  Map<HitCase, HitFigures> figures() {
    return figures;
  }

  /** What single operations took, the clock's cost among them. */
  Map<LatencyCase, LatencyNanos> latencies() {
    return latencies;
  }

  /** What a single operation took, if that was measured. */
  Optional<LatencyNanos> latency(HitCase hitCase) {
    return Optional.ofNullable(
        latencies.get(new LatencyCase(Optional.of(hitCase), hitCase.threads())));
  }

  /** Half the range of several forks; one fork has none. */
  static String spread(Summary forks) {
    return forks.count() == 1 ? "-" : String.format(Locale.ROOT, "%.0f %%", forks.spreadPercent());
  }
}
