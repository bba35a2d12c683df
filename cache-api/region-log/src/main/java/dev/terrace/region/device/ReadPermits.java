// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Permits for callers' reads inside a device. A hung read cannot be cancelled, so a hung device
 * blocks as many callers as it has places. Any thread may call any method.
 */
final class ReadPermits {

  /*
   * The places are striped, so that the readers of a fast device do not all write to one cache
   * line. A reader takes a place from its thread's stripe, or from the others if that one is empty.
   */

  private static final int PROCESSORS_PER_STRIPE = 8;

  private static final int MAX_STRIPES = 8;

  /** Fewest places of a stripe, unless there is only one stripe. */
  private static final int MIN_PER_STRIPE = 4;

  /** Longest wait of a caller for a place. */
  private static final long WAIT_MILLIS = 100;

  private final int places;

  /** Shares of the places. A permit is released once the result of the read was reported. */
  final Semaphore[] stripes;

  ReadPermits(int places, int processors) {
    int wanted = Math.min(MAX_STRIPES, Math.max(1, processors / PROCESSORS_PER_STRIPE));
    int number = Integer.highestOneBit(Math.min(wanted, Math.max(1, places / MIN_PER_STRIPE)));
    this.places = places;
    this.stripes = new Semaphore[number];
    Arrays.setAll(stripes, i -> new Semaphore((places + i) / number));
  }

  /** Takes a free place. Returns its stripe, where the caller releases it; null if none is free. */
  Semaphore tryTake() {
    int own = (int) Thread.currentThread().getId();
    for (int i = 0; i < stripes.length; i++) {
      Semaphore stripe = stripes[(own + i) & (stripes.length - 1)];
      if (stripe.tryAcquire()) {
        return stripe;
      }
    }
    return null;
  }

  /** Waits a moment for a place to be released. Null if none is, or after an interrupt. */
  Semaphore await() {
    Semaphore stripe = stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)];
    try {
      return stripe.tryAcquire(WAIT_MILLIS, TimeUnit.MILLISECONDS) ? stripe : null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  int taken() {
    int free = 0;
    for (Semaphore stripe : stripes) {
      free += stripe.availablePermits();
    }
    return places - free;
  }
}
