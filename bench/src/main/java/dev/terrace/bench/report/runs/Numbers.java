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
package dev.terrace.bench.report.runs;

import dev.terrace.bench.report.Summary;
import java.util.Locale;

/** Numbers for people: three digits that count, and a unit. */
final class Numbers {

  /** What stands where nothing was measured. */
  static final String NONE = "-";

  private Numbers() {}

  /** A number with k, M or G for thousands, millions, thousands of millions. */
  static String scaled(double number) {
    double absolute = Math.abs(number);
    if (absolute >= 999.5e6) {
      return threeDigits(number / 1e9) + " G";
    }
    if (absolute >= 999.5e3) {
      return threeDigits(number / 1e6) + " M";
    }
    return absolute >= 999.5 ? threeDigits(number / 1e3) + " k" : threeDigits(number);
  }

  /** A number with three digits that count, and no zeros behind the point for whole ones. */
  static String threeDigits(double number) {
    double absolute = Math.abs(number);
    if (number == Math.rint(number) || absolute >= 99.95) {
      return String.format(Locale.ROOT, "%,.0f", number);
    }
    if (absolute >= 9.995) {
      return String.format(Locale.ROOT, "%.1f", number);
    }
    return absolute >= 0.0995
        ? String.format(Locale.ROOT, "%.2f", number)
        : String.format(Locale.ROOT, "%.3g", number);
  }

  /** A share from 0 to 1 in percent. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** A share on an axis. */
  static String wholePercent(double share) {
    double percent = 100 * share;
    return threeDigits(Math.abs(percent - Math.rint(percent)) < 1e-6 ? Math.rint(percent) : percent)
        + " %";
  }

  /** A count. */
  static String count(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  /** Milliseconds; long ones in seconds. */
  static String millis(double millis) {
    return millis >= 1000
        ? threeDigits(millis / 1000) + " s"
        : threeDigits(Math.rint(millis * 10) / 10) + " ms";
  }

  /** Nanoseconds in the unit that suits them. */
  static String nanos(double nanos) {
    if (nanos >= 999.5e6) {
      return threeDigits(nanos / 1e9) + " s";
    }
    if (nanos >= 999.5e3) {
      return threeDigits(nanos / 1e6) + " ms";
    }
    return nanos >= 999.5 ? threeDigits(nanos / 1e3) + " µs" : threeDigits(nanos) + " ns";
  }

  /** How many times. */
  static String times(double ratio) {
    return ratio >= 99.95
        ? String.format(Locale.ROOT, "%,.0f ×", ratio)
        : String.format(Locale.ROOT, ratio >= 9.995 ? "%.1f ×" : "%.2f ×", ratio);
  }

  /** Half the range of several measurements in percent. */
  static String spread(Summary summary) {
    return summary.count() <= 1
        ? NONE
        : String.format(Locale.ROOT, "%.0f %%", summary.spreadPercent());
  }

  /** A number with a decimal where it is below a hundred. */
  static String plainDecimal(double number) {
    return String.format(Locale.ROOT, number < 99.95 ? "%.1f" : "%,.0f", number);
  }

  /** A number as it is, with separators only where it is a large whole one. */
  static String plain(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? String.format(Locale.ROOT, "%,d", (long) number)
        : threeDigits(number);
  }
}
