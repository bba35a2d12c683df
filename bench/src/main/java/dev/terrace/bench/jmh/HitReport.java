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

import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.TextTable;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;

/** The figures of a run of {@link HitBenchmark}, as a table, as JSON, and against a floor. */
final class HitReport {

  private final Map<HitCase, HitFigures> figures;

  /**
   * @param figures in the order of the table
   */
  HitReport(Map<HitCase, HitFigures> figures) {
    this.figures = figures;
  }

  static HitReport ofResults(Map<HitCase, RunResult> results) {
    Map<HitCase, HitFigures> figures = new LinkedHashMap<>();
    results.forEach((hitCase, result) -> figures.put(hitCase, HitFigures.of(result)));
    return new HitReport(figures);
  }

  /**
   * One line a case. The last column compares with the BucketCache that keeps its blocks in the
   * same kind of place.
   */
  String table() {
    TextTable table =
        new TextTable(
            3,
            "cache",
            "block",
            "keys",
            "threads",
            "Mops/s",
            "±",
            "bytes a hit",
            "of the floor",
            "× BucketCache");
    figures.forEach(
        (hitCase, measured) ->
            table.add(
                hitCase.cache().title(),
                (hitCase.blockSizeBytes() >> 10) + " KB",
                hitCase.distribution().label(),
                Integer.toString(hitCase.threads()),
                HitFigures.millions(measured.opsPerSecond().median()),
                spread(measured.opsPerSecond()),
                HitFigures.bytes(measured.bytesPerHit().median()),
                ratio(hitCase, CacheKind.FLOOR),
                ratio(hitCase, hitCase.cache().bucketCacheBeside())));
    return table.toString();
  }

  /** The table's contents as maps. */
  List<Map<String, Object>> rows() {
    List<Map<String, Object>> rows = new ArrayList<>();
    figures.forEach(
        (hitCase, measured) -> {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("cache", hitCase.cache().label());
          row.put("blockSizeBytes", hitCase.blockSizeBytes());
          row.put("distribution", hitCase.distribution().label());
          row.put("threads", hitCase.threads());
          row.put("opsPerSecond", measured.opsPerSecond());
          row.put("bytesPerHit", measured.bytesPerHit());
          rows.add(row);
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

  /** Half the range of several forks; one fork has none. */
  static String spread(Summary forks) {
    return forks.count() == 1 ? "-" : String.format(Locale.ROOT, "%.0f %%", forks.spreadPercent());
  }

  private String ratio(HitCase hitCase, CacheKind other) {
    double times = timesAsFast(hitCase, other);
    return Double.isNaN(times) ? "-" : String.format(Locale.ROOT, "%.3g", times);
  }
}
