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

/**
 * How long the parts of a run take about, in seconds, on two cores that nobody else uses.
 *
 * @param options the run
 */
record MacroPlan(MacroOptions options) {

  private static final double ROWS_LOADED_A_SECOND = 15_000;
  private static final double ROWS_COMPACTED_A_SECOND = 60_000;
  private static final double ROWS_READ_A_SECOND = 60_000;
  private static final double SERVER_START = 12;
  private static final double AROUND_A_RUN = 0.7;

  /** Returns the time for loading the tables and starting the servers. */
  double preparation() {
    double rows = options.rows() * groups();
    return SERVER_START + rows / ROWS_LOADED_A_SECOND + rows / ROWS_COMPACTED_A_SECOND + start();
  }

  /** Returns the time for starting all servers. */
  double start() {
    return SERVER_START / 2 * options.configurations().size();
  }

  /** Returns the time in which all configurations read one table. */
  double readAll() {
    return options.configurations().size() * options.rows() / ROWS_READ_A_SECOND;
  }

  /** Returns the time in which all configurations run a workload once. */
  double round() {
    return options.configurations().size() * (options.time().toSeconds() + AROUND_A_RUN);
  }

  /** Returns the time in which all configurations warm up for a workload. */
  double warmUp(boolean firstOfTable) {
    double seconds = options.warmUp(firstOfTable).toMillis() / 1e3;
    return options.configurations().size() * (seconds + AROUND_A_RUN);
  }

  /** Returns the time of the whole run. */
  double total() {
    long workloads = options.workloads().size();
    return preparation()
        + groups() * (readAll() + warmUp(true))
        + (workloads - groups()) * warmUp(false)
        + workloads * options.rounds() * round();
  }

  private long groups() {
    return options.workloads().stream().map(MacroWorkload::group).distinct().count();
  }
}
