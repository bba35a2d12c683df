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
package dev.terrace.tools;

import java.util.Locale;

/** Writes a number of bytes for people. */
final class ReadableBytes {

  private static final String UNITS = "KMGTPE";

  private ReadableBytes() {}

  /** Such as {@code 512 B}, {@code 64 KB} or {@code 1.5 GB}; the units are powers of 1024. */
  static String of(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    int unit = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
    double value = bytes / (double) (1L << (10 * unit));
    String format = value == Math.rint(value) ? "%.0f %sB" : "%.1f %sB";
    return String.format(Locale.ROOT, format, value, UNITS.charAt(unit - 1));
  }
}
