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
package dev.terrace.bench.cases;

import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.report.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * One system under one load.
 *
 * @param name the two, in words
 * @param runs one for each round
 */
record Measure(String name, List<LoadFigures> runs) {

  Measure {
    runs = List.copyOf(runs);
  }

  /** Returns operations a second, round by round. */
  List<Double> operationsPerSecond() {
    return runs.stream().map(run -> run.outcome().operationsPerSecond()).toList();
  }

  Summary summary() {
    return Summary.of(operationsPerSecond());
  }

  /** Returns the median of a figure, or nothing when a run lacks it. */
  OptionalDouble median(Function<LoadFigures, OptionalDouble> figure) {
    List<Double> values = new ArrayList<>();
    for (LoadFigures run : runs) {
      OptionalDouble value = figure.apply(run);
      if (value.isEmpty()) {
        return OptionalDouble.empty();
      }
      values.add(value.getAsDouble());
    }
    return OptionalDouble.of(Summary.of(values).median());
  }

  OptionalDouble idleShare() {
    return median(LoadFigures::idleShare);
  }

  OptionalDouble contextSwitchesPerOperation() {
    return median(
        run ->
            run.contextSwitches().isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                    (double) run.contextSwitches().getAsLong()
                        / Math.max(1, run.outcome().operations())));
  }

  OptionalDouble contendedLocksPerThousandOperations() {
    return median(
        run ->
            run.contendedLocks().isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                    1e3
                        * run.contendedLocks().getAsLong()
                        / Math.max(1, run.outcome().operations())));
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("runs", runs.stream().map(LoadFigures::toJson).toList());
    return json;
  }
}
