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

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * How fast callers want to call, all of them together. A caller who is late does not catch up: what
 * was not asked for in time is not asked for at all. Each thread uses its own number.
 */
public final class OfferedLoad {

  private static final double NANOS_PER_SECOND = 1e9;

  private final long intervalNanos;
  private final long[] dueNanos;

  private OfferedLoad(long intervalNanos, int threads) {
    this.intervalNanos = intervalNanos;
    this.dueNanos = new long[threads];
    Arrays.fill(dueNanos, System.nanoTime());
  }

  /** Everyone calls again as soon as the answer has come. */
  public static OfferedLoad unlimited(int threads) {
    return new OfferedLoad(0, threads);
  }

  /**
   * Everyone calls in turn.
   *
   * @param operationsPerSecond of all threads together, above zero
   */
  public static OfferedLoad of(double operationsPerSecond, int threads) {
    if (!(operationsPerSecond > 0)) {
      throw new IllegalArgumentException(
          "operationsPerSecond=" + operationsPerSecond + ", must be above 0");
    }
    return new OfferedLoad(Math.round(NANOS_PER_SECOND * threads / operationsPerSecond), threads);
  }

  /** Waits until it is this thread's turn, or the thread is interrupted. */
  public void await(int thread) {
    long due = dueNanos[thread];
    long now = System.nanoTime();
    while (now - due < 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(due - now);
      now = System.nanoTime();
    }
    dueNanos[thread] = Math.max(due + intervalNanos, now);
  }
}
