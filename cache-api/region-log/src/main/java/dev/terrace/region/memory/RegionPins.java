// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The readers of a region. While it is open, a reader may pin it, and keep it unchanged; or take a
 * stamp, and validate it after the read, as with a {@link java.util.concurrent.locks.StampedLock}.
 * Closed at first.
 *
 * <p>Any thread may call any method; none blocks.
 */
public final class RegionPins {

  /*
   *   63       62 ... 32   31 ... 0
   *   CLOSED   openings    pins
   *
   * While CLOSED is not set, any thread may add a pin. Closing sets it, and no pin is added
   * afterwards. So exactly one thread, the closing one or an unpinning one, finds CLOSED without
   * pins, and learns that none is left. open sets the number unconditionally: a tryPin that saw
   * CLOSED does nothing, and all pins of the previous opening are released.
   *
   * A stamp is the number without the pins. It does not come back: a closed region differs by
   * CLOSED, and one that was opened again by the openings (a reader does not sleep through 2^31 of
   * them). So if a stamp is valid, the region was not closed since it was taken, and nothing was
   * written over what the reader read. The fences keep its reads before the validation, and the
   * writes after the closing.
   */

  private static final long CLOSED = Long.MIN_VALUE;
  private static final long OPENING = 1L << 32;
  private static final long PINS = OPENING - 1;

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
    return isDrained(pins.decrementAndGet());
  }

  private static boolean isDrained(long state) {
    return state < 0 && (state & PINS) == 0;
  }

  /** A stamp, to be validated after a read that begins now. */
  public long stamp() {
    return pins.get() & ~PINS;
  }

  /** Whether the region was open when the stamp was taken, and has not been closed since. */
  public boolean validate(long stamp) {
    VarHandle.acquireFence();
    return stamp >= 0 && stamp() == stamp;
  }

  /** Admits readers. The region must be closed and have no pins. */
  public void open() {
    pins.set((pins.get() + OPENING) & ~CLOSED);
  }

  /** Admits no more readers. The region must be open. True if no pin is left. */
  public boolean close() {
    boolean drained = isDrained(pins.addAndGet(CLOSED));
    VarHandle.storeStoreFence();
    return drained;
  }

  /**
   * Admits no more readers, whether or not the region is open. True if it was open and pins are
   * left.
   */
  public boolean shutOut() {
    long before = pins.getAndUpdate(seen -> seen | CLOSED);
    return before >= 0 && (before & PINS) != 0;
  }

  public boolean isPinned() {
    return (pins.get() & PINS) != 0;
  }

  /** Whether the region is closed and still has pins. */
  public boolean isLeased() {
    long seen = pins.get();
    return seen < 0 && !isDrained(seen);
  }
}
