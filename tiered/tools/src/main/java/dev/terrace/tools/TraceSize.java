// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.tools.trace.Trace;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The size of a tier: bytes, or a share of all the blocks of a trace.
 *
 * @param text as it was written
 * @param bytes the size in bytes, 0 if it is a share
 * @param share the share from 0 to 1, 0 if it is bytes
 */
public record TraceSize(String text, long bytes, double share) {

  private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)%");

  /**
   * Reads a size.
   *
   * @param text such as {@code 64m} or {@code 2.5%}
   * @throws IllegalArgumentException if it is neither
   */
  public static TraceSize parse(String text) {
    Matcher matcher = SHARE.matcher(text.strip());
    if (matcher.matches() && Double.parseDouble(matcher.group(1)) <= 100) {
      return new TraceSize(text, 0, Double.parseDouble(matcher.group(1)) / 100);
    }
    try {
      return new TraceSize(text, sizeBytes(text.strip()), 0);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a size; write bytes such as 64m, or a share of the trace's blocks from"
              + " 0% to 100%",
          e);
    }
  }

  private static long sizeBytes(String text) {
    long bytes = ByteSize.parse(text);
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes=" + bytes);
    }
    return bytes;
  }

  /** Whether the size is above zero. */
  public boolean isWanted() {
    return bytes > 0 || share > 0;
  }

  /**
   * The bytes of this size for a trace, a multiple of its unit, rounded down. For a sample of the
   * blocks, bytes are scaled down like the blocks.
   */
  public long bytesOf(Trace trace) {
    long wanted =
        share == 0 ? bytes / trace.oneIn() : (long) (share * trace.distinctBytes() + 1e-6);
    return wanted / trace.unitBytes() * trace.unitBytes();
  }

  @Override
  public String toString() {
    return share == 0
        ? ByteSize.readable(bytes)
        : String.format(Locale.ROOT, "%s of the blocks", text);
  }

  /** Lets picocli read sizes. */
  public static final class Converter implements ITypeConverter<TraceSize> {
    @Override
    public TraceSize convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
