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

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
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
  Table table() {
    Table table =
        new Table(
            "Puts of 64 KB",
            Column.text("cache"),
            Column.of("microsPerBlock", "µs a block", Unit.NUMBER).with(Column.Spread.HALF_RANGE),
            Column.of("offeredGigabytes", "GB/s offered", Unit.NUMBER),
            Column.of("droppedShare", "dropped", Unit.SHARE).lessIsBetter(),
            Column.of("keptGigabytes", "GB/s kept", Unit.NUMBER).moreIsBetter(),
            Column.of("ofCopy", "kept of the copy's speed", Unit.TIMES));
    figures.forEach(
        (putCase, measured) ->
            table.row(
                putCase.cache().map(CacheKind::look).orElse(Look.BOUND),
                putCase.title(),
                measured.microsPerBlock(),
                measured.offeredBytesPerSecond() / 1e9,
                measured.droppedShare(),
                measured.keptBytesPerSecond() / 1e9,
                ofCopy(measured)));
    return table
        .bars("Blocks that were dropped", "droppedShare")
        .bars("Bytes that the cache kept", "keptGigabytes");
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
}
