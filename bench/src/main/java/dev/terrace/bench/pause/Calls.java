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
package dev.terrace.bench.pause;

import dev.terrace.bench.report.LatencyNanos;
import org.HdrHistogram.Histogram;

/** The calls that were made while something went on. Used by one thread. */
final class Calls {

  private final Histogram gets = LatencyNanos.newHistogram();
  private final Histogram puts = LatencyNanos.newHistogram();
  private long misses;
  private long refused;

  void got(long nanos, boolean hit) {
    gets.recordValue(nanos);
    misses += hit ? 0 : 1;
  }

  void put(long nanos) {
    puts.recordValue(nanos);
  }

  void refused(long blocks) {
    refused += blocks;
  }

  /** All of them. */
  Pause during(String what) {
    return new Pause(
        what,
        LatencyNanos.of(gets),
        LatencyNanos.of(puts),
        1 - (double) misses / Math.max(1, gets.getTotalCount()),
        // A get that misses puts its block, too.
        (double) refused / Math.max(1, puts.getTotalCount() + misses));
  }
}
