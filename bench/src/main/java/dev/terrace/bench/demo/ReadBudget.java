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
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many rows each thread reads: as many as it can within a time, or as many as it did in an
 * earlier run. Counts what was done. Safe for use by several threads, each of which uses its own
 * number.
 */
final class ReadBudget {

  private final AtomicLongArray done;
  private final long[] wanted;
  private final Duration time;
  private final long startNanos = System.nanoTime();

  private ReadBudget(int threads, long[] wanted, Duration time) {
    this.done = new AtomicLongArray(threads);
    this.wanted = wanted;
    this.time = time;
  }

  /** Returns a budget of time, which starts now. */
  static ReadBudget ofTime(int threads, Duration time) {
    return new ReadBudget(threads, null, time);
  }

  /** Returns a budget of just the reads that were done under another one. */
  static ReadBudget sameAs(ReadBudget earlier) {
    long[] wanted = new long[earlier.done.length()];
    Arrays.setAll(wanted, earlier.done::get);
    return new ReadBudget(wanted.length, wanted, null);
  }

  /** Returns whether a thread reads on. */
  boolean allows(int thread) {
    return wanted == null
        ? System.nanoTime() - startNanos < time.toNanos()
        : done.get(thread) < wanted[thread];
  }

  /** Counts one read of a thread. */
  void count(int thread) {
    done.setRelease(thread, done.getPlain(thread) + 1);
  }

  long total() {
    long total = 0;
    for (int thread = 0; thread < done.length(); thread++) {
      total += done.get(thread);
    }
    return total;
  }

  /** Says how far the reads are. */
  String progress() {
    return wanted == null
        ? Progress.ofTime("reads", total(), time, startNanos)
        : Progress.ofCount("reads", total(), Arrays.stream(wanted).sum(), startNanos);
  }
}
