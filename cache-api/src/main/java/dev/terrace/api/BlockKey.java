// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.Objects;

/**
 * The identity of a block: the file it was read from and where it starts there.
 *
 * <p>Lookups take the two parts as separate arguments, so that a hit need not allocate a key; this
 * record is for code that keeps keys.
 *
 * @param file the file that it was read from
 * @param offset where the block starts in the file, in bytes
 */
public record BlockKey(CacheFile file, long offset) {

  private static final long PUBLIC_FACTOR = 0xD6E8FEB86659FD93L;
  private static final long FACTOR_1 = HashSecrets.factor("first of keys");
  private static final long FACTOR_2 = HashSecrets.factor("second of keys");

  public BlockKey {
    Objects.requireNonNull(file, "file");
  }

  /**
   * A well-mixed hash of a key, different in each process: no client can choose keys that share a
   * counter, or that are in a sample.
   */
  public static long hash(CacheFile file, long offset) {
    return hash(file.hashCode(), offset);
  }

  /** The same, by the hash of the file's name. */
  public static long hash(int nameHash, long offset) {
    return mix(nameHash * 0x9E3779B97F4A7C15L ^ offset, FACTOR_1, FACTOR_2);
  }

  /** A well-mixed hash of a number, the same in every process: for simulations. */
  public static long hash(long number) {
    return mix(number, PUBLIC_FACTOR, PUBLIC_FACTOR);
  }

  private static long mix(long number, long firstFactor, long secondFactor) {
    long mixed = number * firstFactor;
    mixed = (mixed ^ mixed >>> 32) * secondFactor;
    return mixed ^ mixed >>> 32;
  }
}
