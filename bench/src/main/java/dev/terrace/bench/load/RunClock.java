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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Tells how long the threads of one run go on, and records each of their operations. Each thread
 * uses its own number.
 */
final class RunClock {

  private final long startNanos = System.nanoTime();
  private final long endNanos;
  private final long intervalNanos;
  private final List<Histogram> latencies = new ArrayList<>();
  private final AtomicLongArray operationsOfInterval;

  /** Starts a run; the interval is the length of one point of the series. */
  RunClock(int threads, Duration time, Duration interval) {
    this.intervalNanos = interval.toNanos();
    this.operationsOfInterval =
        new AtomicLongArray(Math.toIntExact(time.toNanos() / intervalNanos + 1));
    for (int i = 0; i < threads; i++) {
      latencies.add(LatencyNanos.newHistogram());
    }
    this.endNanos = startNanos + time.toNanos();
  }

  long now() {
    return System.nanoTime();
  }

  boolean allows(long nowNanos) {
    return nowNanos - endNanos < 0 && !Thread.currentThread().isInterrupted();
  }

  /** Records an operation of a thread that began at a time and ends now. */
  void count(int thread, long beganNanos) {
    count(thread, beganNanos, System.nanoTime());
  }

  void count(int thread, long beganNanos, long endedNanos) {
    latencies.get(thread).recordValue(endedNanos - beganNanos);
    int interval = (int) Math.min((endedNanos - startNanos) / intervalNanos, lastInterval());
    operationsOfInterval.incrementAndGet(interval);
  }

  private int lastInterval() {
    return operationsOfInterval.length() - 1;
  }

  /** Returns what came out, once all threads have ended. */
  LoadOutcome outcome(long errors) {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - startNanos);
    Histogram total = LatencyNanos.newHistogram();
    latencies.forEach(total::add);
    // The last interval is only what ran over the end, so it is left out.
    List<LoadOutcome.SeriesPoint> series =
        IntStream.range(0, lastInterval()).mapToObj(this::point).toList();
    return new LoadOutcome(elapsed, total.getTotalCount(), errors, LatencyNanos.of(total), series);
  }

  private LoadOutcome.SeriesPoint point(int interval) {
    double seconds = intervalNanos / 1e9;
    double operations = operationsOfInterval.get(interval);
    return new LoadOutcome.SeriesPoint((interval + 1) * seconds, operations / seconds);
  }
}
