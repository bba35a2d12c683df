// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.concurrent.TimeUnit;

/**
 * Lets puts wait until a log has room again. A put does not wait on a device that has freed nothing
 * for a whole put timeout, or whose worker is throttled by the write limit. Any thread may call any
 * method.
 */
public final class SpaceSignal {

  /*
   * A put reads the number of signals, tries to reserve room, and waits until that number changes.
   * The worker signals after a region has become clean or a buffer free. So a signal between the
   * reservation and the wait ends the wait at once. No other lock is held; the worker never waits
   * here.
   */

  private long signals;
  private boolean throttled;

  /** Whether a put has waited since the last signal, and since when. */
  private boolean waiting;

  private long waitingNanos;

  /** The number of signals. Read it before a reservation. */
  public synchronized long signals() {
    return signals;
  }

  public synchronized void signal() {
    signals++;
    waiting = false;
    notifyAll();
  }

  /** Sets whether the worker is throttled by the write limit. */
  synchronized void throttled(boolean isThrottled) {
    throttled = isThrottled;
    notifyAll();
  }

  /**
   * Waits for room.
   *
   * @param seen the value of {@link #signals} from before the failed reservation
   * @param maxNanos the whole timeout of a put
   * @param remainingNanos what is left of that timeout
   * @return whether there was a signal during the wait
   */
  public synchronized boolean await(long seen, long maxNanos, long remainingNanos) {
    long start = System.nanoTime();
    if (!waiting) {
      waiting = true;
      waitingNanos = start;
    }
    try {
      while (signals == seen) {
        long now = System.nanoTime();
        long rest = Math.min(start + remainingNanos - now, waitingNanos + maxNanos - now);
        if (throttled || rest <= 0) {
          return false;
        }
        TimeUnit.NANOSECONDS.timedWait(this, rest);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
