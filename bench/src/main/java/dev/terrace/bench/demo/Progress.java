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

import java.time.Duration;
import java.util.Locale;

/** Says in a line how far some work is. */
final class Progress {

  private Progress() {}

  /** Returns the line of work whose amount is known: count, part, rate and the time left. */
  static String ofCount(String things, long done, long all, long startNanos) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    double rate = done / Math.max(seconds, 1e-3);
    String left = done == 0 ? "" : ", " + Math.round((all - done) / rate) + " s left";
    return String.format(
        Locale.ROOT,
        "%,d of %,d %s (%d %%), %,.0f %s/s%s",
        done,
        all,
        things,
        100 * done / all,
        rate,
        things,
        left);
  }

  /** Returns the line of work that ends at a time: count, rate and the time left. */
  static String ofTime(String things, long done, Duration limit, long startNanos) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return String.format(
        Locale.ROOT,
        "%,d %s, %,.0f %s/s, %d s left",
        done,
        things,
        done / Math.max(seconds, 1e-3),
        things,
        Math.max(0, Math.round(limit.toSeconds() - seconds)));
  }
}
