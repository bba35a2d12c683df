// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.security.SecureRandom;
import java.util.SplittableRandom;

/**
 * Secret numbers that hash functions mix into their input. Each process has its own, so a client
 * that chooses where the blocks of a file start cannot make blocks collide.
 *
 * <p>Bytes on a device must not depend on them. Thread-safe.
 */
public final class HashSecrets {

  /** The system property for a fixed seed, for repeatable tests. */
  private static final String SEED_PROPERTY = "terrace.hash.seed";

  private static final long SEED = seed();

  private HashSecrets() {}

  private static long seed() {
    Long given = Long.getLong(SEED_PROPERTY);
    return given == null ? new SecureRandom().nextLong() : given;
  }

  /**
   * A random odd number, for a hash that multiplies: the same for the same use within a process.
   * Keep it in a constant.
   *
   * @param use names the hash function
   */
  public static long factor(String use) {
    return secret(SEED, use) | 1;
  }

  static long secret(long seed, String use) {
    return new SplittableRandom(seed + use.hashCode()).nextLong();
  }
}
