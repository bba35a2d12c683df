// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the records of a device in the order of their reservation. No number is used twice, not
 * even after a crash: the high bits are the device's generation.
 */
public final class Sequence {

  private static final int COUNT_BITS = 40;

  /** The last generation that has numbers. */
  static final long LAST_GENERATION = (1L << (Long.SIZE - 1 - COUNT_BITS)) - 1;

  private final AtomicLong next;

  /** The numbers of a device in this generation. */
  public Sequence(long generation) {
    this.next = new AtomicLong(generation << COUNT_BITS | 1);
  }

  /** How often the device had been opened when it gave this number. */
  static long generation(long sequence) {
    return sequence >>> COUNT_BITS;
  }

  public long next() {
    return next.getAndIncrement();
  }
}
