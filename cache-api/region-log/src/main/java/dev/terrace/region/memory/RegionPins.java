// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The pins of a region: any number while it is open, and no new ones once it is closed. Closed at
 * first. Pins are counted in two epochs; {@link #turn} starts a new one, so callers can tell when
 * all older pins are gone.
 *
 * <p>Any thread may call any method; none blocks.
 */
public final class RegionPins {

  /*
   *   63       62        61 ... 31       30 ... 0
   *   CLOSED   TURNED    other pins      pins
   *
   * While the number is not negative, any thread may add a pin. Closing adds CLOSED, and no pin is
   * added afterwards. So exactly one thread, a closing or an unpinning one, finds CLOSED without
   * pins, and is told that none is left.
   *
   * New pins are added to the low count, or to the high one while TURNED is set. A pin is
   * subtracted from the count that it was added to. So the other count only falls, and is zero once
   * all pins from before the turn are released. The next turn waits for that. It is a
   * compare-and-set of the number in which it found the other count zero, so no pin comes in
   * between.
   *
   * open sets the number unconditionally. It may, because a tryPin that saw a negative number does
   * nothing, and all pins of the previous life are released.
   */

  private static final long CLOSED = Long.MIN_VALUE;
  private static final long TURNED = 1L << 62;
  private static final long COUNTS = TURNED - 1;

  /** A pin in the low count. */
  public static final long LOW = 1;

  /** A pin in the high count. */
  public static final long HIGH = 1L << 31;

  public static final long NONE = 0;

  private final AtomicLong pins = new AtomicLong(CLOSED);

  /**
   * Adds a pin.
   *
   * @return {@link #LOW} or {@link #HIGH}, for {@link #unpin}; {@link #NONE} if the region is
   *     closed
   */
  public long tryPin() {
    long seen = pins.get();
    while (seen >= 0) {
      long pin = (seen & TURNED) == 0 ? LOW : HIGH;
      long witness = pins.compareAndExchange(seen, seen + pin);
      if (witness == seen) {
        return pin;
      }
      seen = witness;
    }
    return NONE;
  }

  /** Releases a pin. True if it was the last one of a closed region. */
  public boolean unpin(long pin) {
    return isDrained(pins.addAndGet(-pin));
  }

  private static boolean isDrained(long state) {
    return state < 0 && (state & COUNTS) == 0;
  }

  /** Admits pins. The region must be closed and have none. */
  public void open() {
    pins.set(0);
  }

  /** Admits no more pins. The region must be open. True if no pin is left. */
  public boolean close() {
    return isDrained(pins.addAndGet(CLOSED));
  }

  /**
   * Admits no more pins, whether or not the region is open. True if it was open and pins are left.
   */
  public boolean shutOut() {
    long before = pins.getAndUpdate(seen -> seen < 0 ? seen : seen + CLOSED);
    return before >= 0 && (before & COUNTS) != 0;
  }

  /**
   * Makes the present pins old ones, and counts new ones separately. Does nothing while old ones
   * are left.
   */
  public void turn() {
    pins.updateAndGet(seen -> hasOld(seen) || (seen & COUNTS) == 0 ? seen : seen ^ TURNED);
  }

  /** Whether a pin from before the last {@link #turn} is left. */
  public boolean hasOld() {
    return hasOld(pins.get());
  }

  private static boolean hasOld(long state) {
    long others = (state & TURNED) == 0 ? COUNTS & -HIGH : HIGH - 1;
    return (state & others) != 0;
  }

  public boolean isPinned() {
    return (pins.get() & COUNTS) != 0;
  }

  /** Whether the region is closed and still has pins. */
  public boolean isLeased() {
    long seen = pins.get();
    return seen < 0 && !isDrained(seen);
  }
}
