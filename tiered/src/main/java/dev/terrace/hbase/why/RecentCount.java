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
package dev.terrace.hbase.why;

import java.time.Duration;

/**
 * A count in all, and of the current and the last period of ten minutes: so a recent count is that
 * of the last 10 to 20 minutes. Thread-safe.
 */
final class RecentCount {

  static final long PERIOD_MILLIS = Duration.ofMinutes(10).toMillis();

  private long period;
  private long current;
  private long last;
  private long all;

  /** The number of the period that a time lies in. */
  static long period(long millis) {
    return Math.floorDiv(millis, PERIOD_MILLIS);
  }

  /** When the recent counts of a time begin. */
  static long recentSince(long millis) {
    return (period(millis) - 1) * PERIOD_MILLIS;
  }

  synchronized void add(int count, long millis) {
    advance(period(millis));
    current += count;
    all += count;
  }

  private void advance(long now) {
    if (now != period) {
      last = now == period + 1 ? current : 0;
      current = 0;
      period = now;
    }
  }

  synchronized long all() {
    return all;
  }

  synchronized long recent(long millis) {
    advance(period(millis));
    return current + last;
  }
}
