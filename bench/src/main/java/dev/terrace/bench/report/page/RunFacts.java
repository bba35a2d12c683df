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
package dev.terrace.bench.report.page;

import dev.terrace.bench.report.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where figures come from.
 *
 * @param fileName what they were read from
 * @param time when they were measured
 * @param command what repeats the run, if it is known
 * @param machine names and values
 * @param settings names and values
 * @param promises what Terrace promises of them, and whether it was kept
 */
public record RunFacts(
    String fileName,
    String time,
    Optional<String> command,
    Map<String, String> machine,
    Map<String, String> settings,
    List<Target> promises) {

  /** Copies the list. */
  public RunFacts {
    promises = List.copyOf(promises);
  }

  /** The same with other promises. */
  public RunFacts withPromises(List<Target> others) {
    return new RunFacts(fileName, time, command, machine, settings, others);
  }

  /** One line for people. */
  String machineLine() {
    return machine.entrySet().stream()
        .map(fact -> fact.getKey() + " " + fact.getValue())
        .reduce((one, other) -> one + ", " + other)
        .orElse("not told");
  }
}
