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
import java.util.Locale;
import java.util.function.LongSupplier;

/** Prints each step that has ended, with the time left if the others take as long. */
public final class Progress {

  private final PrintWriter out;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final int steps;
  private int ended;

  /**
   * Starts counting the time.
   *
   * @param nanoClock as {@link System#nanoTime}
   */
  public Progress(int steps, PrintWriter out, LongSupplier nanoClock) {
    this.steps = steps;
    this.out = out;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
  }

  /** Prints the outcome of the step that ends now. */
  public void done(String outcome) {
    ended++;
    double seconds = (nanoClock.getAsLong() - startNanos) / 1e9;
    String left = inWords(seconds / ended * (steps - ended));
    out.printf(Locale.ROOT, "%7s left  %s%n", left, outcome);
    out.flush();
  }

  /** A duration as people say it. */
  public static String inWords(double seconds) {
    return Math.round(seconds) < 100
        ? Math.round(seconds) + " s"
        : Math.round(seconds / 60) + " min";
  }
}
