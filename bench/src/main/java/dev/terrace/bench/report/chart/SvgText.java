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
package dev.terrace.bench.report.chart;

import java.util.Locale;

/** Numbers as attributes of SVG. */
final class SvgText {

  private SvgText() {}

  /** A part of the width, from 0 to 1, as a percentage. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.3f%%", 100 * share);
  }

  /** Pixels. */
  static String pixels(double pixels) {
    return pixels == Math.rint(pixels)
        ? Long.toString((long) pixels)
        : String.format(Locale.ROOT, "%.1f", pixels);
  }

  /** Where a label of a tick is anchored, so that it stays inside of the axis. */
  static String anchor(double share) {
    return share < 0.03 ? "start" : share > 0.97 ? "end" : "middle";
  }
}
