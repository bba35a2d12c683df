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
   * A put reads how often room was given, asks for room, and waits until that count changes. The
   * worker gives room after a region has become clean or a buffer free. So room that is given
   * between the request and the wait ends the wait at once. No other lock is held; the worker never
   * waits here.
   */

  private long given;
  private boolean paced;

  /** Whether a put has waited since room was last given, and since when. */
  private boolean wanted;

  private long wantedNanos;

  /** How often room was given. Read it before asking for room. */
  public synchronized long given() {
    return given;
  }

  /** Wakes all waits, because there is room. */
  public synchronized void give() {
    given++;
    wanted = false;
    notifyAll();
  }

  /** Sets whether the worker is throttled by the write limit. */
  synchronized void paced(boolean isPaced) {
    paced = isPaced;
    notifyAll();
  }

  /**
   * Waits for room.
   *
   * @param seen the value of {@link #given} from before room was asked for in vain
   * @param maxNanos the whole timeout of a put
   * @param restNanos what is left of that timeout
   * @return whether room was given during the wait
   */
  public synchronized boolean await(long seen, long maxNanos, long restNanos) {
    long start = System.nanoTime();
    if (!wanted) {
      wanted = true;
      wantedNanos = start;
    }
    try {
      while (given == seen) {
        long now = System.nanoTime();
        long rest = Math.min(start + restNanos - now, wantedNanos + maxNanos - now);
        if (paced || rest <= 0) {
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
