// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes as people write it: {@code 512}, {@code 64k}, {@code 128m}, {@code 8g}; the
 * units are powers of 1024.
 *
 * @param bytes the size, zero or more
 */
public record ByteSize(long bytes) {

  /** Checks the range. */
  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size is zero or more, not " + bytes);
    }
  }

  /**
   * Reads a size as Terrace's settings are read.
   *
   * @param text digits and an optional unit k, m, g or t in either case
   * @throws IllegalArgumentException if the text is not a size
   */
  public static ByteSize parse(String text) {
    try {
      return new ByteSize(dev.terrace.hbase.settings.ByteSize.parse(text.strip()));
    } catch (IllegalArgumentException e) {
      String right = "write bytes or a number with k, m, g or t, for example 128m";
      throw new IllegalArgumentException("'" + text + "' is not a size; " + right, e);
    }
  }

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
    return dev.terrace.hbase.settings.ByteSize.readable(bytes);
  }

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
