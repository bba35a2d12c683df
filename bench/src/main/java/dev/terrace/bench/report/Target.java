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
import java.util.List;
import java.util.Locale;

/**
 * A promise of Terrace, compared with the measurement.
 *
 * @param met whether the promise was kept
 * @param text the figure, a comma, and what it must be
 */
public record Target(boolean met, String text) {

  /** A promise with a text as of {@link String#format}. */
  public static Target of(boolean met, String format, Object... arguments) {
    return new Target(met, String.format(Locale.ROOT, format, arguments));
  }

  /** Whether there are promises and all were kept. */
  public static boolean areMet(List<Target> targets) {
    return !targets.isEmpty() && targets.stream().allMatch(Target::met);
  }

  /** Prints promises, one line each. */
  public static void print(List<Target> targets, PrintWriter out) {
    for (Target target : targets) {
      out.printf("%s  %s%n", target.met() ? "met   " : "MISSED", target.text());
    }
    out.flush();
  }
}
