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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/**
 * Says how long the threads of one run go on, and takes down each of their operations. Each thread
 * uses its own number.
 */
public final class RunClock {

  private static final int DIGITS = 3;

  private final long startNanos;
  private final long endNanos;
  private final long intervalNanos;
  private final List<Histogram> latencies = new ArrayList<>();
  private final AtomicLongArray operationsOfInterval;
  private volatile long lastNanos;

  private RunClock(int threads, Duration time, Duration interval) {
    this.intervalNanos = interval.toNanos();
    int intervals = Math.toIntExact(time.toNanos() / intervalNanos + 1);
    this.operationsOfInterval = new AtomicLongArray(intervals);
    for (int i = 0; i < threads; i++) {
      latencies.add(new Histogram(DIGITS));
    }
    this.startNanos = System.nanoTime();
    this.endNanos = startNanos + time.toNanos();
    this.lastNanos = startNanos;
  }

  /**
   * Starts a run.
   *
   * @param threads how many take part
   * @param time how long it is
   * @param interval the length of one point of the series
   */
  public static RunClock start(int threads, Duration time, Duration interval) {
    return new RunClock(threads, time, interval);
  }

  /** Returns the time, as {@link System#nanoTime}. */
  public long now() {
    return System.nanoTime();
  }

  /** Returns whether an operation may begin at this time. */
  public boolean allows(long nowNanos) {
    return nowNanos - endNanos < 0 && !Thread.currentThread().isInterrupted();
  }

  /** Takes down an operation of a thread that began at a time and ends now. */
  public void count(int thread, long beganNanos) {
    long now = System.nanoTime();
    latencies.get(thread).recordValue(now - beganNanos);
    int interval = (int) Math.min((now - startNanos) / intervalNanos, lastInterval());
    operationsOfInterval.incrementAndGet(interval);
  }

  private int lastInterval() {
    return operationsOfInterval.length() - 1;
  }

  /**
   * Returns what came out, once all threads have ended.
   *
   * @param errors how many of the operations failed
   */
  public LoadOutcome outcome(long errors) {
    lastNanos = System.nanoTime();
    Histogram total = new Histogram(DIGITS);
    latencies.forEach(total::add);
    return new LoadOutcome(
        Duration.ofNanos(lastNanos - startNanos),
        total.getTotalCount(),
        errors,
        new Latencies(
            total.getValueAtPercentile(50) / 1e3,
            total.getValueAtPercentile(95) / 1e3,
            total.getValueAtPercentile(99) / 1e3,
            total.getValueAtPercentile(99.9) / 1e3,
            total.getMaxValue() / 1e3),
        series());
  }

  /** The last interval is only what ran over the end, so it is left out. */
  private List<SeriesPoint> series() {
    List<SeriesPoint> points = new ArrayList<>();
    double seconds = intervalNanos / 1e9;
    for (int i = 0; i < lastInterval(); i++) {
      points.add(new SeriesPoint((i + 1) * seconds, operationsOfInterval.get(i) / seconds));
    }
    return points;
  }
}
