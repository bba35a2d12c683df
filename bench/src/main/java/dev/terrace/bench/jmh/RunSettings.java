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

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often and how long a benchmark runs.
 *
 * @param forks how many JVMs run each case, one after the other
 * @param warmups iterations in each that are not counted
 * @param iterations iterations in each that are
 * @param time how long an iteration takes
 * @param jvmArguments how each JVM is started
 */
record RunSettings(
    int forks, int warmups, int iterations, Duration time, List<String> jvmArguments) {

  /** What a fork takes beside its iterations: starting, and filling a cache. */
  private static final Duration START = Duration.ofSeconds(3);

  RunSettings {
    requireAtLeast("--forks", forks, 1);
    requireAtLeast("--warmups", warmups, 0);
    requireAtLeast("--iterations", iterations, 1);
    if (time.compareTo(Duration.ofMillis(10)) < 0) {
      throw new IllegalArgumentException("--time=" + time + ": must be at least 10 ms");
    }
    jvmArguments = List.copyOf(jvmArguments);
  }

  private static void requireAtLeast(String option, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(option + "=" + value + ": must be at least " + least);
    }
  }

  /** How long this many forks of cases will take, roughly. */
  Duration estimate(int forksOfCases) {
    Duration fork = START.plus(time.multipliedBy(warmups + iterations));
    return fork.multipliedBy(forksOfCases);
  }

  /** Names and values, for the report. */
  Map<String, Object> describe() {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("forks", forks);
    described.put("warmupIterations", warmups);
    described.put("iterations", iterations);
    described.put("iterationMillis", time.toMillis());
    described.put("jvmArguments", jvmArguments);
    return described;
  }
}
