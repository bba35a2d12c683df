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

import dev.terrace.bench.load.Latencies;
import dev.terrace.bench.load.LoadFigures;
import dev.terrace.bench.load.LoadOutcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Runs that nobody ran. */
final class Runs {

  private Runs() {}

  /** A measure with a run of one second for each of the numbers of operations. */
  static Measure measure(String name, long... operations) {
    return new Measure(name, Arrays.stream(operations).mapToObj(Runs::run).toList());
  }

  private static LoadFigures run(long operations) {
    return new LoadFigures(
        new LoadOutcome(
            Duration.ofSeconds(1),
            operations,
            0,
            new Latencies(100, 200, 300, 400, 500),
            List.of()),
        0.5,
        OptionalDouble.empty(),
        0.25,
        OptionalDouble.of(0.4),
        OptionalLong.of(7),
        OptionalLong.of(3 * operations),
        OptionalLong.empty(),
        OptionalDouble.of(0.75),
        Map.of());
  }
}
