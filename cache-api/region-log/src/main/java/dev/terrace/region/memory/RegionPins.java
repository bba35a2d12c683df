// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The pins of a region: any number while it is open, and no new ones once it is closed. Closed at
 * first.
 *
 * <p>Any thread may call any method; none blocks.
 */
public final class RegionPins {

  /*
   * The number of pins, plus CLOSED. While the sum is not negative, any thread may add a pin.
   * Closing adds CLOSED, and no pin is added afterwards. So exactly one thread, a closing or an
   * unpinning one, finds CLOSED without pins, and is told that none is left.
   *
   * open sets the sum unconditionally. It may, because a tryPin that saw a negative sum does
   * nothing, and all pins of the previous life are released.
   */

  private static final long CLOSED = Long.MIN_VALUE;

  private final AtomicLong pins = new AtomicLong(CLOSED);

  /** Adds a pin. False if the region is closed. */
  public boolean tryPin() {
    long seen = pins.get();
    while (seen >= 0) {
      long witness = pins.compareAndExchange(seen, seen + 1);
      if (witness == seen) {
        return true;
      }
      seen = witness;
    }
    return false;
  }

  /** Releases a pin. True if it was the last one of a closed region. */
  public boolean unpin() {
    return pins.decrementAndGet() == CLOSED;
  }

  /** Admits pins. The region must be closed and have none. */
  public void open() {
    pins.set(0);
  }

  /** Admits no more pins. The region must be open. True if no pin is left. */
  public boolean close() {
    return pins.addAndGet(CLOSED) == CLOSED;
  }

  /**
   * Admits no more pins, whether or not the region is open. True if it was open and pins are left.
   */
  public boolean shutOut() {
    return pins.getAndUpdate(seen -> seen | CLOSED) > 0;
  }

  public boolean isPinned() {
    return (pins.get() & ~CLOSED) != 0;
  }

  /** Whether the region is closed and still has pins. */
  public boolean isLeased() {
    long seen = pins.get();
    return seen < 0 && seen != CLOSED;
  }
}
