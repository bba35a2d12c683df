// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.util.Locale;

/** Numbers of bytes as people write them. The units are powers of 1024. */
public final class ByteSize {

  private static final String UNITS = "KMGTPE";

  private ByteSize() {}

  /**
   * Reads bytes, or a number with a unit such as {@code 8g}, as Hadoop does. Returns a negative
   * number if the text is no whole number, or too large.
   */
  public static long parse(String text) {
    int last = text.length() - 1;
    try {
      int unit = last < 0 ? -1 : UNITS.indexOf(Character.toUpperCase(text.charAt(last)));
      long number = Long.parseLong(unit < 0 ? text : text.substring(0, last));
      int shift = 10 * (unit + 1);
      return number << shift >> shift == number ? number << shift : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** As in hbase-site.xml, exact to the byte: {@code 200g}, {@code 1536m}, {@code 1000}. */
  static String written(long bytes) {
    int unit = bytes == 0 ? 0 : Long.numberOfTrailingZeros(bytes) / 10;
    return unit == 0
        ? Long.toString(bytes)
        : (bytes >> (10 * unit)) + UNITS.substring(unit - 1, unit).toLowerCase(Locale.ROOT);
  }

  /** As in hbase-env.sh, rounded up: {@code 512m}. */
  public static String megabytes(long bytes) {
    return ((bytes >> 20) + 1) + "m";
  }

  /** Such as {@code 512 B}, {@code 64 KB} or {@code 1.5 GB}. */
  public static String readable(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    int unit = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
    double value = bytes / (double) (1L << (10 * unit));
    if (value >= 1023.95 && unit < UNITS.length()) {
      unit++;
      value = 1;
    }
    String format = value == Math.rint(value) ? "%.0f %sB" : "%.1f %sB";
    return String.format(Locale.ROOT, format, value, UNITS.charAt(unit - 1));
  }
}
