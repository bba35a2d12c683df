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
package dev.terrace.bench.macro;

import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.report.Summary;
import dev.terrace.bench.report.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What came out of a macro run: tables for people, and the same for JSON. */
final class MacroReport {

  private final List<WorkloadResult> results;

  MacroReport(List<WorkloadResult> results) {
    this.results = List.copyOf(results);
  }

  /** Returns a table of each group of workloads, under its title. */
  String tables() {
    StringBuilder text = new StringBuilder();
    for (MacroWorkload.Group group : MacroWorkload.Group.values()) {
      List<WorkloadResult> ofGroup =
          results.stream().filter(result -> result.workload().group() == group).toList();
      if (!ofGroup.isEmpty()) {
        text.append(group.title()).append("\n\n").append(table(ofGroup)).append('\n');
      }
    }
    return text.toString();
  }

  private TextTable table(List<WorkloadResult> ofGroup) {
    TextTable table =
        new TextTable(
            2,
            "workload",
            "cache",
            "ops/s",
            "±",
            "p99 ms",
            "of HBase's best",
            "server CPU µs/op",
            "compiling",
            "data from cache",
            "hits by tier");
    MacroWorkload newest = null;
    for (WorkloadResult result : ofGroup) {
      Summary speed = result.operationsPerSecond();
      table.add(
          result.workload() == newest ? "" : result.workload().title(),
          result.configuration().title(),
          number("%,.0f", speed.median()),
          number("%.0f %%", speed.spreadPercent()),
          number("%.1f", result.p99Micros().median() / 1000),
          ratioToBest(result).map(ratio -> number("%.2f", ratio)).orElse("-"),
          number("%,.0f", result.serverCpuMicrosPerOperation().median()),
          percent(result, LoadFigures::compilingShare, "%.0f %%"),
          percent(result, LoadFigures::dataHitRatio, "%.1f %%"),
          hitsByTier(result));
      newest = result.workload();
    }
    return table;
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String percent(
      WorkloadResult result, Function<LoadFigures, OptionalDouble> figure, String format) {
    List<Double> ratios =
        result.runs().stream()
            .map(figure)
            .filter(OptionalDouble::isPresent)
            .map(OptionalDouble::getAsDouble)
            .toList();
    return ratios.isEmpty() ? "-" : number(format, 100 * Summary.of(ratios).median());
  }

  private static String hitsByTier(WorkloadResult result) {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (LoadFigures run : result.runs()) {
      run.tierHits().forEach((tier, hits) -> sums.merge(tier, hits, Long::sum));
    }
    double all = Math.max(1, sums.values().stream().mapToLong(Long::longValue).sum());
    return sums.isEmpty()
        ? "-"
        : sums.entrySet().stream()
            .map(tier -> tier.getKey() + number(" %.0f %%", 100 * tier.getValue() / all))
            .collect(Collectors.joining(", "));
  }

  /** Returns the speed as a part of the best that HBase's own caches reached, if one ran. */
  Optional<Double> ratioToBest(WorkloadResult result) {
    return best(result.workload())
        .filter(best -> best.operationsPerSecond().median() > 0)
        .map(best -> result.operationsPerSecond().median() / best.operationsPerSecond().median());
  }

  private Optional<WorkloadResult> best(MacroWorkload workload) {
    return results.stream()
        .filter(result -> result.workload() == workload)
        .filter(result -> result.configuration().isHBaseOwn())
        .max(Comparator.comparingDouble(result -> result.operationsPerSecond().median()));
  }

  /** Returns a line for each case where Terrace was not faster than HBase's own best cache. */
  List<String> whereNotBetter() {
    List<String> lines = new ArrayList<>();
    for (WorkloadResult result : results) {
      Optional<WorkloadResult> best = best(result.workload());
      if (!result.configuration().isHBaseOwn() && best.isPresent()) {
        verdict(result, best.get()).ifPresent(lines::add);
      }
    }
    return lines;
  }

  private static Optional<String> verdict(WorkloadResult terrace, WorkloadResult best) {
    Summary ours = terrace.operationsPerSecond();
    Summary theirs = best.operationsPerSecond();
    if (ours.min() > theirs.max()) {
      return Optional.empty();
    }
    String verdict = ours.max() < theirs.min() ? "slower than" : "no clear difference to";
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s: %s is %s %s: %,.0f (%,.0f to %,.0f) against %,.0f (%,.0f to %,.0f) ops/s",
            terrace.workload().title(),
            terrace.configuration().title(),
            verdict,
            best.configuration().title(),
            ours.median(),
            ours.min(),
            ours.max(),
            theirs.median(),
            theirs.min(),
            theirs.max()));
  }

  /** Returns the results under the names that reports use. */
  List<Map<String, Object>> toJson() {
    return results.stream().map(MacroReport::toJson).toList();
  }

  private static Map<String, Object> toJson(WorkloadResult result) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("configuration", result.configuration().id());
    json.put("configurationTitle", result.configuration().title());
    json.put("workload", result.workload().id());
    json.put("workloadTitle", result.workload().title());
    json.put("opsPerSecond", result.operationsPerSecond());
    json.put("runs", result.runs().stream().map(LoadFigures::toJson).toList());
    return json;
  }
}
