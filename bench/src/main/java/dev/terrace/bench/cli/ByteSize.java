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
package dev.terrace.bench.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes as people write it: {@code 512}, {@code 64k}, {@code 128m}, {@code 8g}; the
 * units are powers of 1024.
 *
 * @param bytes the size, zero or more
 */
public record ByteSize(long bytes) {

  private static final Pattern SYNTAX = Pattern.compile("(\\d{1,18})([kmgt]?)b?");

  /** Checks the range. */
  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size is zero or more, not " + bytes);
    }
  }

  /**
   * Reads a size.
   *
   * @param text digits and an optional unit k, m, g or t in either case
   * @return the size
   * @throws IllegalArgumentException if the text is not a size
   */
  public static ByteSize parse(String text) {
    Matcher matcher = SYNTAX.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a size; write bytes or a number with k, m, g or t, for example 128m");
    }
    int shift = matcher.group(2).isEmpty() ? 0 : 10 * ("kmgt".indexOf(matcher.group(2)) + 1);
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw new IllegalArgumentException("'" + text + "' is more bytes than a long holds");
    }
    return new ByteSize(number << shift);
  }

  /** Returns so many mebibytes. */
  public static ByteSize ofMebibytes(long mebibytes) {
    return new ByteSize(Math.multiplyExact(mebibytes, 1L << 20));
  }

  /** Returns the size in whole mebibytes, rounded down. */
  public long mebibytes() {
    return bytes >> 20;
  }

  /** Returns the size for a reader: three digits or so and a unit. */
  @Override
  public String toString() {
    if (bytes < 1024) {
      return bytes + " B";
    }
    int unit = Math.min(4, (63 - Long.numberOfLeadingZeros(bytes)) / 10);
    double value = bytes / (double) (1L << (10 * unit));
    String format = value == Math.rint(value) ? "%.0f %sB" : "%.1f %sB";
    return String.format(Locale.ROOT, format, value, "KMGT".charAt(unit - 1));
  }

  /** Reads sizes on the command line. */
  public static final class Converter implements ITypeConverter<ByteSize> {
    @Override
    public ByteSize convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
