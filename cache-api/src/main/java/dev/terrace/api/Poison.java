// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Overwrites memory as soon as its last reader has released it, so that a reader that keeps memory
 * without a reference reads a pattern and fails. Off, unless the JVM has the option {@code
 * -Dhbase.terrace.debug.poison=true}. The cost is about that of copying each block that leaves.
 */
public final class Poison {

  /** The system property that switches it on. */
  public static final String PROPERTY = "hbase.terrace.debug.poison";

  /** Each byte of released memory: not a valid cell type, and a negative length. */
  public static final byte PATTERN = (byte) 0xDB;

  private static final boolean ON = Boolean.getBoolean(PROPERTY);
  private static final byte[] PATTERNS = new byte[4096];

  static {
    Arrays.fill(PATTERNS, PATTERN);
  }

  private Poison() {}

  public static boolean isOn() {
    return ON;
  }

  public static void fill(ByteBuffer released) {
    ByteBuffer target = released.duplicate().clear();
    while (target.hasRemaining()) {
      target.put(PATTERNS, 0, Math.min(PATTERNS.length, target.remaining()));
    }
  }
}
