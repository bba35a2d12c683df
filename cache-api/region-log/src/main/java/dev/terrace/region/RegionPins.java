/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Who keeps a region as it is: any number of readers while it is open to them, and nobody new once
 * it was closed. Closed at first. A turn tells the pins before it from those after it.
 *
 * <p>Any thread may call any method; none blocks.
 */
final class RegionPins {

  /*
   *   63       62        61 ... 31       30 ... 0
   *   CLOSED   TURNED    other pins      pins
   *
   * While the number is not negative, anybody may add a pin; closing adds CLOSED, after which nobody
   * may. So of the one who closes and those who unpin, exactly one finds CLOSED and no pins, and is
   * told that nobody is left.
   *
   * New pins go into the low count, or into the high one while TURNED is set, and are taken from the
   * count that they went into. So the other count only falls, and is zero when all pins from before
   * the turn are given back. Only then may the next turn come.
   */

  private static final long CLOSED = Long.MIN_VALUE;
  private static final long TURNED = 1L << 62;
  private static final long COUNTS = TURNED - 1;

  /** A pin in the low count. */
  static final long LOW = 1;

  /** A pin in the high count. */
  static final long HIGH = 1L << 31;

  /** Instead of a pin. */
  static final long NONE = 0;

  private final AtomicLong pins = new AtomicLong(CLOSED);

  /**
   * Adds a pin.
   *
   * @return {@link #LOW} or {@link #HIGH}, for {@link #unpin}; {@link #NONE} if the region is
   *     closed
   */
  long tryPin() {
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

  /** Gives a pin back. True if it was the last one of a closed region. */
  boolean unpin(long pin) {
    return isDrained(pins.addAndGet(-pin));
  }

  private static boolean isDrained(long state) {
    return state < 0 && (state & COUNTS) == 0;
  }

  /** Admits pins, to a region that is closed and has none. */
  void open() {
    pins.set(0);
  }

  /** Admits no more pins, to a region that is open. True if there are none any more. */
  boolean close() {
    return isDrained(pins.addAndGet(CLOSED));
  }

  /** Admits no more pins, if any were admitted. */
  void shutOut() {
    long seen = pins.get();
    while (seen >= 0) {
      long witness = pins.compareAndExchange(seen, seen + CLOSED);
      if (witness == seen) {
        return;
      }
      seen = witness;
    }
  }

  /**
   * Makes the present pins old ones; new pins are counted apart. Nothing while old ones are left.
   */
  void turn() {
    long seen = pins.get();
    while (!hasOld(seen) && (seen & COUNTS) != 0) {
      long witness = pins.compareAndExchange(seen, seen ^ TURNED);
      if (witness == seen) {
        return;
      }
      seen = witness;
    }
  }

  /** Whether a pin from before the last {@link #turn} is left. */
  boolean hasOld() {
    return hasOld(pins.get());
  }

  private static boolean hasOld(long state) {
    long others = (state & TURNED) == 0 ? COUNTS & -HIGH : HIGH - 1;
    return (state & others) != 0;
  }

  /** Whether somebody has a pin. */
  boolean isPinned() {
    return (pins.get() & COUNTS) != 0;
  }

  /** Whether the region is closed, and somebody still has a pin. */
  boolean isLeased() {
    long seen = pins.get();
    return seen < 0 && !isDrained(seen);
  }
}
