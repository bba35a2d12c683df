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
package dev.terrace.bench.guard;

import dev.terrace.bench.report.Target;
import dev.terrace.bench.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All promises that were checked, as a table and as JSON. */
final class GuardReport {

  private final List<Guarded> steps;

  GuardReport(List<Guarded> steps) {
    this.steps = List.copyOf(steps);
  }

  /** One line a promise. */
  String table() {
    TextTable table = new TextTable(4, "bench", "figure", "promise", "");
    for (Guarded step : steps) {
      for (Target target : step.checked()) {
        table.add(
            step.step().name(), target.figure(), target.bound(), target.met() ? "met" : "MISSED");
      }
    }
    return table.toString();
  }

  /** One map a promise. */
  List<Map<String, Object>> rows() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Guarded step : steps) {
      for (Target target : step.checked()) {
        rows.add(
            Map.of(
                "bench", step.step().name(),
                "figure", target.figure(),
                "promise", target.bound(),
                "met", target.met(),
                "command", step.step().command()));
      }
    }
    return rows;
  }

  /** How many promises were missed. */
  long missed() {
    return steps.stream()
        .flatMap(step -> step.checked().stream())
        .filter(target -> !target.met())
        .count();
  }

  /** How many promises were checked. */
  int checked() {
    return steps.stream().mapToInt(step -> step.checked().size()).sum();
  }
}
