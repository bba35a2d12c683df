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

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/** One combination of a benchmark's parameters. Equal ones are the same. */
interface BenchmarkCase {

  /** The case in a few words. */
  String title();

  /** Selects the benchmark and sets its parameters. */
  void select(ChainedOptionsBuilder options);

  /** How many JVMs run it, one a round. */
  default int forks(RunSettings settings) {
    return settings.forks();
  }

  /** What one fork measured, in a few words. */
  String outcome(RunResult fork);
}
