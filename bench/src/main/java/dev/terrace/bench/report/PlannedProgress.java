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
import java.util.function.LongSupplier;

/**
 * Prints each step with the time left, which follows from how long the steps were planned to take
 * and how long those before took. Used by one thread.
 */
public final class PlannedProgress {

  private final PrintWriter out;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final double plannedSeconds;
  private String prefix = "";
  private double donePlannedSeconds;
  private double doneSeconds;

  /**
   * Starts counting the time.
   *
   * @param plannedSeconds how long all steps should take
   * @param nanoClock as {@link System#nanoTime}
   */
  public PlannedProgress(double plannedSeconds, PrintWriter out, LongSupplier nanoClock) {
    this.plannedSeconds = plannedSeconds;
    this.out = out;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
  }

  /** Puts a text before the steps from now on. */
  public void prefix(String text) {
    prefix = text;
  }

  /** Prints the step that begins, or the outcome of the one that has ended. */
  public void begin(String what) {
    out.printf("%11s  %s%s%n", left(), prefix, what);
    out.flush();
  }

  /** Ends a step that was planned to take so long. */
  public void done(double seconds) {
    donePlannedSeconds += seconds;
    doneSeconds = elapsedSeconds();
  }

  private String left() {
    double rest = Math.max(0, plannedSeconds - donePlannedSeconds);
    // The plan holds until enough is done to correct it by.
    double pace = donePlannedSeconds < plannedSeconds / 10 ? 1 : doneSeconds / donePlannedSeconds;
    double left = rest * pace - (elapsedSeconds() - doneSeconds);
    // A step that takes longer than the whole rest was planned to take does not tell how long.
    return left < 0 ? "overdue" : inWords(left) + " left";
  }

  private double elapsedSeconds() {
    return (nanoClock.getAsLong() - startNanos) / 1e9;
  }

  /** A duration as people say it. */
  public static String inWords(double seconds) {
    return Math.round(seconds) < 100
        ? Math.round(seconds) + " s"
        : Math.round(seconds / 60) + " min";
  }

  /** A duration as people say it. */
  public static String inWords(Duration duration) {
    return inWords(duration.toMillis() / 1000.0);
  }
}
