// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The bytes of test blocks, made from the block's file, offset and size, so that a wrong byte is
 * found wherever it is, and a foreign one tells where it comes from.
 */
public final class Payloads {

  /*
   * A payload is a row of lines; the last one may be cut off.
   *
   *   | hash of the file's name (long) | offset (long) | size (int) | line (int) | mix (long) |
   */
  private static final int LINE_BYTES = 32;

  private Payloads() {}

  /** The payload of a block. */
  public static byte[] of(String file, long offset, int sizeBytes) {
    byte[] payload = new byte[sizeBytes];
    fill(payload, hash(file), offset, sizeBytes);
    return payload;
  }

  /**
   * Checks bytes that were read.
   *
   * @throws AssertionError naming the first byte that differs, and whose it is
   */
  public static void check(String file, long offset, byte[] actual) {
    byte[] expected = of(file, offset, actual.length);
    int at = Arrays.mismatch(expected, actual);
    if (at >= 0) {
      throw new AssertionError(
          "file=%s offset=%d size=%d: byte %d is %02x and not %02x; there lies %s"
              .formatted(
                  file, offset, actual.length, at, actual[at], expected[at], line(actual, at)));
    }
  }

  /**
   * Checks a block that was read.
   *
   * @throws AssertionError naming the first byte that differs, and whose it is
   * @throws IllegalStateException if the block was freed
   */
  public static void check(String file, long offset, CountedBlock block) {
    check(file, offset, block.bytes());
  }

  private static void fill(byte[] payload, long fileHash, long offset, int sizeBytes) {
    int lines = (sizeBytes + LINE_BYTES - 1) / LINE_BYTES;
    ByteBuffer line = ByteBuffer.allocate(LINE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < lines; i++) {
      line.clear();
      line.putLong(fileHash).putLong(offset).putInt(sizeBytes).putInt(i);
      line.putLong(mix(fileHash ^ mix(offset ^ mix((long) sizeBytes << 32 | i))));
      int start = i * LINE_BYTES;
      System.arraycopy(line.array(), 0, payload, start, Math.min(LINE_BYTES, sizeBytes - start));
    }
  }

  private static String line(byte[] bytes, int at) {
    int start = at / LINE_BYTES * LINE_BYTES;
    byte[] found = Arrays.copyOfRange(bytes, start, start + LINE_BYTES);
    ByteBuffer line = ByteBuffer.wrap(found).order(ByteOrder.LITTLE_ENDIAN);
    return "line %d of fileHash=%016x offset=%d size=%d"
        .formatted(line.getInt(20), line.getLong(0), line.getLong(8), line.getInt(16));
  }

  private static long hash(String file) {
    long hash = 0;
    for (int i = 0; i < file.length(); i++) {
      hash = mix(hash + file.charAt(i));
    }
    return hash;
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
