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
package dev.terrace.bench.pause;

import dev.terrace.bench.report.Column;
import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Look;
import dev.terrace.bench.report.Table;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.Unit;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The results of some caches, and of a stalled device, as tables and against what is promised. */
final class PauseReport {

  private static final double MOST_PUT_P999_NANOS = 1e6;

  private PauseReport() {}

  /** One line for each thing that goes on beside the callers of a cache. */
  static Table pauses(List<PauseResult> results) {
    List<Column> columns = new ArrayList<>(List.of(Column.text("while"), Column.text("cache")));
    columns.addAll(LatencyNanos.columns("get", "get"));
    columns.addAll(LatencyNanos.columns("put", "put"));
    columns.add(Column.of("hitShare", "hits", Unit.SHARE));
    columns.add(Column.of("refusedShare", "puts refused", Unit.SHARE));
    columns.add(Column.of("evictionMillis", "the eviction took", Unit.MILLIS));
    Table table =
        new Table(
            "Callers of a cache, on one thread: gets of blocks read often, each timed, and each"
                + " 20 µs a put",
            columns);
    LatencyNanos none = new LatencyNanos(0, 0, 0, 0, 0);
    for (PauseResult result : results) {
      CacheKind cache = CacheKind.ofLabel(result.cache());
      table.row(
          Look.BOUND,
          cells(
              List.of("timing nothing (floor)", cache.title()),
              result.nothing(),
              none,
              null,
              null,
              null));
      for (Pause pause : result.pauses()) {
        boolean evicts = pause.during().equals(PauseRun.EVICTING);
        table.row(
            cache.look(),
            cells(
                List.of(pause.during(), cache.title()),
                pause.gets(),
                pause.puts(),
                pause.hitShare(),
                pause.refusedShare(),
                evicts ? result.evictionMillis() : null));
      }
    }
    return table;
  }

  /** One line for each way in which the device was stalled. */
  static Table stalls(List<StallResult> results) {
    List<Column> columns =
        new ArrayList<>(List.of(Column.text("device"), Column.text("outcomes of puts")));
    columns.addAll(LatencyNanos.columns("put", "put"));
    columns.addAll(LatencyNanos.columns("taken", "taken"));
    Table table = new Table("Puts into Terrace's SSD tier while its device is stalled", columns);
    for (StallResult result : results) {
      table.row(
          Look.TERRACE,
          cells(
              List.of(result.stall().title(), outcomes(result.outcomes())),
              result.puts(),
              result.taken()));
    }
    return table;
  }

  private static Object[] cells(
      List<String> texts, LatencyNanos first, LatencyNanos second, Object... more) {
    List<Object> cells = new ArrayList<>(texts);
    cells.addAll(first.cells());
    cells.addAll(second.cells());
    for (Object cell : more) {
      cells.add(cell);
    }
    return cells.toArray();
  }

  private static String outcomes(Map<String, Long> outcomes) {
    return outcomes.entrySet().stream()
        .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
        .collect(Collectors.joining(", "));
  }

  /** The promises. */
  static List<Target> targets(List<StallResult> stalls) {
    return stalls.stream()
        .filter(stall -> stall.stall() != Stall.NONE)
        .map(
            stall ->
                new Target(
                    stall.puts().p999() < MOST_PUT_P999_NANOS,
                    String.format(
                        Locale.ROOT,
                        "Terrace ssd while %s: p99.9 of a put %s, under 1 ms",
                        stall.stall().title(),
                        Unit.NANOS.format(stall.puts().p999()))))
        .toList();
  }
}
