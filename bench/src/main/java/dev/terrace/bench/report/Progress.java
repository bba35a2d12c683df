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
package dev.terrace.bench.report;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Says after each of a known number of steps how long the rest will take, as steps took so far.
 * Used by one thread.
 */
public final class Progress {

  private final int steps;
  private final PrintWriter out;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private int done;

  /**
   * Starts counting the time.
   *
   * @param steps how many there will be
   * @param nanoClock as {@link System#nanoTime}
   */
  public Progress(int steps, PrintWriter out, LongSupplier nanoClock) {
    this.steps = steps;
    this.out = out;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
  }

  /** A step is done. */
  public void step(String what) {
    done++;
    Duration elapsed = Duration.ofNanos(nanoClock.getAsLong() - startNanos);
    Duration left = elapsed.multipliedBy(steps - done).dividedBy(done);
    int width = Integer.toString(steps).length();
    out.printf(
        Locale.ROOT,
        "[%" + width + "d/%d] %s%s%n",
        done,
        steps,
        what,
        done == steps ? "" : "   (" + inWords(left) + " left)");
    out.flush();
  }

  /** A duration as people say it. */
  public static String inWords(Duration duration) {
    long seconds = Math.round(duration.toMillis() / 1000.0);
    return seconds < 100 ? seconds + " s" : Math.round(seconds / 60.0) + " min";
  }
}
