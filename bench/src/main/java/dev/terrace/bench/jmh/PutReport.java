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

import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.TextTable;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.results.RunResult;

/** The figures of a run of {@link PutBenchmark}. */
final class PutReport {

  private final Map<PutCase, PutFigures> figures;

  /**
   * @param figures in the order of the table; {@link PutCase#COPY} is among them
   */
  PutReport(Map<PutCase, PutFigures> figures) {
    this.figures = figures;
  }

  static PutReport ofResults(Map<PutCase, RunResult> results) {
    Map<PutCase, PutFigures> figures = new LinkedHashMap<>();
    results.forEach((putCase, result) -> figures.put(putCase, PutFigures.of(result)));
    return new PutReport(figures);
  }

  /** One line a case. */
  String table() {
    TextTable table =
        new TextTable(
            1,
            "puts of 64 KB",
            "us a block",
            "±",
            "GB/s offered",
            "dropped",
            "GB/s kept",
            "kept of the copy's speed");
    figures.forEach(
        (putCase, measured) ->
            table.add(
                putCase.title(),
                String.format(Locale.ROOT, "%.2f", measured.microsPerBlock().median()),
                HitReport.spread(measured.microsPerBlock()),
                gigabytes(measured.offeredBytesPerSecond()),
                String.format(Locale.ROOT, "%.1f %%", 100 * measured.droppedShare()),
                gigabytes(measured.keptBytesPerSecond()),
                String.format(Locale.ROOT, "%.2f", ofCopy(measured))));
    return table.toString();
  }

  /** The table's contents as maps. */
  List<Map<String, Object>> rows() {
    List<Map<String, Object>> rows = new ArrayList<>();
    figures.forEach(
        (putCase, measured) -> {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("cache", putCase.cache().map(CacheKind::label).orElse("copy"));
          row.put("microsPerBlock", measured.microsPerBlock());
          row.put("droppedShare", measured.droppedShare());
          row.put("keptBytesPerSecond", measured.keptBytesPerSecond());
          rows.add(row);
        });
    return rows;
  }

  /** The share of the copy's speed at which a cache takes blocks. */
  private double ofCopy(PutFigures measured) {
    return measured.keptBytesPerSecond() / figures.get(PutCase.COPY).offeredBytesPerSecond();
  }

  /** The promises of a put; empty if Terrace was not measured. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    figures.forEach(
        (putCase, measured) -> {
          if (putCase.cache().equals(Optional.of(CacheKind.TERRACE))) {
            targets.add(
                new Target(
                    measured.droppedShare() == 0,
                    String.format(
                        Locale.ROOT, "%.3f %% dropped, none", 100 * measured.droppedShare())));
            targets.add(
                new Target(
                    ofCopy(measured) >= 0.5,
                    String.format(
                        Locale.ROOT, "%.2f of the copy's speed, at least 0.5", ofCopy(measured))));
          }
        });
    return targets;
  }

  private static String gigabytes(double bytesPerSecond) {
    return String.format(Locale.ROOT, "%.2f", bytesPerSecond / 1e9);
  }
}
