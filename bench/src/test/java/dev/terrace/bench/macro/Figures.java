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

import dev.terrace.bench.load.Latencies;
import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.load.LoadOutcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Results as a run would have them, for tests. */
final class Figures {

  private Figures() {}

  /** Returns a result of runs of one second with these operations each. */
  static WorkloadResult result(
      Configuration configuration, MacroWorkload workload, long... operations) {
    List<LoadFigures> runs =
        Arrays.stream(operations).mapToObj(count -> run(count, configuration)).toList();
    return new WorkloadResult(configuration, workload, runs);
  }

  private static LoadFigures run(long operations, Configuration configuration) {
    return new LoadFigures(
        new LoadOutcome(
            Duration.ofSeconds(1), operations, 0, new Latencies(1, 2, 3_000, 4, 5), List.of()),
        operations * 100e-6,
        OptionalDouble.of(0.12),
        0.5,
        OptionalDouble.of(0.25),
        OptionalLong.of(7),
        OptionalLong.of(8),
        OptionalLong.empty(),
        OptionalDouble.of(0.75),
        configuration.isHBaseOwn() ? Map.of() : Map.of("dram", 30L));
  }
}
