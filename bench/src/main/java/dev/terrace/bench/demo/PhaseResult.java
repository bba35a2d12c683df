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
package dev.terrace.bench.demo;

import dev.terrace.bench.hbase.BlockCacheCounters;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * What one phase did.
 *
 * @param rows rows that were read and checked
 * @param elapsed how long that took
 * @param serverTime processor time that the server used meanwhile
 * @param latencies time of each call of the client, in nanoseconds
 * @param cache what HBase counted meanwhile
 */
record PhaseResult(
    long rows,
    Duration elapsed,
    Duration serverTime,
    Histogram latencies,
    BlockCacheCounters cache) {

  double rowsPerSecond() {
    return rows / Math.max(1e-9, elapsed.toNanos() / 1e9);
  }

  /** Returns the server's processor time for a row, in nanoseconds. */
  long serverTimePerRow() {
    return serverTime.toNanos() / Math.max(1, rows);
  }
}
