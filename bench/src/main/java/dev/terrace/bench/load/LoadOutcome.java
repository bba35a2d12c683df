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
package dev.terrace.bench.load;

import dev.terrace.bench.report.LatencyNanos;
import java.time.Duration;
import java.util.List;

/**
 * The clients' figures of one run.
 *
 * @param elapsed how long it took
 * @param operations operations that ended, those that failed included
 * @param errors how many of them failed
 * @param latency how long one operation took
 * @param series operations a second over the run; empty when the generator does not tell
 */
public record LoadOutcome(
    Duration elapsed,
    long operations,
    long errors,
    LatencyNanos latency,
    List<SeriesPoint> series) {

  public LoadOutcome {
    series = List.copyOf(series);
  }

  /** Returns the same for callers who had only a part of the time, in turns with others. */
  LoadOutcome inTurnsOf(int groups) {
    return new LoadOutcome(elapsed.dividedBy(groups), operations, errors, latency, List.of());
  }

  /** Returns the operations that succeeded, a second. */
  public double operationsPerSecond() {
    return (operations - errors) / Math.max(1e-9, elapsed.toNanos() / 1e9);
  }

  /**
   * One interval of a run.
   *
   * @param seconds its end since the start of the run
   * @param operationsPerSecond the speed in it
   */
  public record SeriesPoint(double seconds, double operationsPerSecond) {

    /** Returns the same for a series that began earlier. */
    public SeriesPoint later(double offsetSeconds) {
      return new SeriesPoint(offsetSeconds + seconds, operationsPerSecond);
    }
  }
}
