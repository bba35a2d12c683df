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

import dev.terrace.bench.report.LatencyNanos;
import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.TextTable;
import dev.terrace.bench.workload.CacheKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The results of some caches, and of a stalled device, as tables and against what is promised. */
final class PauseReport {

  private static final double MOST_PUT_P999_NANOS = 1e6;

  private final List<PauseResult> pauses;
  private final List<StallResult> stalls;

  PauseReport(List<PauseResult> pauses, List<StallResult> stalls) {
    this.pauses = List.copyOf(pauses);
    this.stalls = List.copyOf(stalls);
  }

  /** One line for each thing that goes on beside the callers of a cache; empty without caches. */
  String pauses() {
    if (pauses.isEmpty()) {
      return "";
    }
    TextTable table =
        new TextTable(
            2,
            "cache",
            "while",
            "get p50",
            "p99",
            "p99.9",
            "max",
            "put p50",
            "p99",
            "p99.9",
            "max",
            "hits",
            "puts refused",
            "the eviction took");
    for (PauseResult result : pauses) {
      String title = CacheKind.ofLabel(result.cache()).title();
      List<String> floor = new ArrayList<>(List.of(title, "timing nothing (floor)"));
      addLatency(result.nothing(), floor);
      floor.addAll(List.of("-", "-", "-", "-", "-", "-", "-"));
      table.add(floor.toArray(String[]::new));
      result.pauses().forEach(pause -> table.add(row(title, pause, result)));
    }
    return table.toString();
  }

  private static String[] row(String title, Pause pause, PauseResult result) {
    List<String> cells = new ArrayList<>(List.of(title, pause.during()));
    addLatency(pause.gets(), cells);
    addLatency(pause.puts(), cells);
    cells.add(percent(pause.hitShare()));
    cells.add(percent(pause.refusedShare()));
    cells.add(
        pause.during().equals(PauseRun.EVICTING)
            ? String.format(Locale.ROOT, "%.1f ms", result.evictionMillis().median())
            : "-");
    return cells.toArray(String[]::new);
  }

  /** One line for each way in which the device was stalled; empty if it was not. */
  String stalls() {
    if (stalls.isEmpty()) {
      return "";
    }
    TextTable table =
        new TextTable(
            2,
            "device",
            "outcomes of puts",
            "put p50",
            "p99",
            "p99.9",
            "max",
            "taken p50",
            "p99",
            "p99.9",
            "max");
    for (StallResult stall : stalls) {
      List<String> cells =
          new ArrayList<>(List.of(stall.stall().title(), outcomes(stall.outcomes())));
      addLatency(stall.puts(), cells);
      addLatency(stall.taken(), cells);
      table.add(cells.toArray(String[]::new));
    }
    return table.toString();
  }

  private static String outcomes(Map<String, Long> outcomes) {
    return outcomes.entrySet().stream()
        .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
        .collect(Collectors.joining(", "));
  }

  /** The promises. */
  List<Target> targets() {
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
                        LatencyNanos.readable(stall.puts().p999()))))
        .toList();
  }

  private static void addLatency(LatencyNanos latency, List<String> cells) {
    for (double nanos :
        new double[] {latency.p50(), latency.p99(), latency.p999(), latency.max()}) {
      cells.add(latency.count() == 0 ? "-" : LatencyNanos.readable(nanos));
    }
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
