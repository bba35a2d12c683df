// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * A random number of 128 bits, kept in a cache's superblock alone. It keys the checks of all
 * structures that the cache writes, so that no bytes in a block pass for one.
 *
 * @param high the upper half
 * @param low the lower half
 */
public record CacheSecret(long high, long low) {

  /** A new one. */
  public static CacheSecret random() {
    SecureRandom random = new SecureRandom();
    return new CacheSecret(random.nextLong(), random.nextLong());
  }

  /** Reads one that {@link #write} wrote. */
  static CacheSecret read(ByteBuffer source, int position) {
    return new CacheSecret(source.getLong(position), source.getLong(position + Long.BYTES));
  }

  /** Writes its 16 bytes. */
  void write(ByteBuffer target, int position) {
    target.putLong(position, high);
    target.putLong(position + Long.BYTES, low);
  }

  /** Hides the number, which must not get into a log. */
  @Override
  public String toString() {
    return "secret";
  }
}
