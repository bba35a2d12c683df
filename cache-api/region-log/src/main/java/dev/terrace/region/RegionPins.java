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

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who keeps a region as it is: any number of readers while it is open to them, and nobody new once
 * it was closed. Closed at first. Any thread may call any method; none blocks.
 */
final class RegionPins {

  /*
   * One integer: while it is not negative, anybody may add a pin; closing subtracts CLOSED, after
   * which nobody may, and the last one that unpins finds exactly CLOSED. So of the one who closes
   * and those who unpin, exactly one is told that nobody is left.
   */

  private static final int CLOSED = Integer.MIN_VALUE;

  private final AtomicInteger pins = new AtomicInteger(CLOSED);

  /** Adds a pin. False if the region is closed. */
  boolean tryPin() {
    int seen = pins.get();
    while (seen >= 0) {
      int witness = pins.compareAndExchange(seen, seen + 1);
      if (witness == seen) {
        return true;
      }
      seen = witness;
    }
    return false;
  }

  /** Gives a pin back. True if it was the last one of a closed region. */
  boolean unpin() {
    return pins.decrementAndGet() == CLOSED;
  }

  /** Admits pins, to a region that is closed and has none. */
  void open() {
    pins.set(0);
  }

  /** Admits no more pins, to a region that is open. True if there are none any more. */
  boolean close() {
    return pins.addAndGet(CLOSED) == CLOSED;
  }

  /** Admits no more pins, if any were admitted. */
  void shutOut() {
    int seen = pins.get();
    while (seen >= 0) {
      int witness = pins.compareAndExchange(seen, seen + CLOSED);
      if (witness == seen) {
        return;
      }
      seen = witness;
    }
  }

  /** Whether the region is open, and somebody has a pin. */
  boolean isPinned() {
    return pins.get() > 0;
  }

  /** Whether the region is closed, and somebody still has a pin. */
  boolean isLeased() {
    int seen = pins.get();
    return seen < 0 && seen != CLOSED;
  }
}
