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
import dev.terrace.bench.load.LoadTables;
import dev.terrace.bench.report.Summary;
import java.util.List;
import java.util.Map;

/**
 * What one configuration did under one workload.
 *
 * @param runs one for each round
 */
record WorkloadResult(Configuration configuration, MacroWorkload workload, List<LoadFigures> runs) {

  WorkloadResult {
    runs = List.copyOf(runs);
  }

  Summary operationsPerSecond() {
    return LoadTables.speed(runs);
  }

  /** All runs under the names that reports use. */
  Map<String, Object> toJson() {
    return Map.of(
        "configuration",
        configuration.id(),
        "workload",
        workload.id(),
        "runs",
        runs.stream().map(LoadFigures::toJson).toList());
  }
}
