// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Places inside a device for callers' reads. A read that hangs cannot be cancelled, so a device
 * that hangs holds as many callers as it has places.
 *
 * <p>Their number follows the device. While callers queue, each adjustment raises the limit by
 * half, provided the last increase raised throughput; otherwise that increase is rolled back.
 * Places that nobody waited for in a minute become fewer again.
 *
 * <p>Any thread may call any method; {@link #look} one thread at a time.
 */
final class ReaderPlaces {

  /*
   * The places lie in stripes, so that the readers of a quick device do not all write one cache
   * line. A reader takes from its thread's stripe, and from the others if that is empty.
   *
   * A stripe counts a place more only after it is free, and one less before it is taken away. So a
   * stripe never looks as if it had readers while it has none, which would be taken for a stall.
   */

  /** Processors per stripe. */
  private static final int PROCESSORS_A_STRIPE = 8;

  private static final int MOST_STRIPES = 8;

  /** A stripe begins with as many places at least, if there may be so many. */
  private static final int LEAST_IN_STRIPE = 4;

  /** Longest wait of a caller for a place. */
  private static final long WAIT_MILLIS = 100;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long REST_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** One read in as many has to wait before there are more places. */
  private static final int READS_A_WAIT = 8;

  /** Minimum throughput gain of an increase, as a fraction of linear scaling. */
  private static final double LEAST_GAIN = 0.2;

  /** A place inside the device. */
  interface Place {

    /** Returns it, once, after the result of the read was reported. */
    void leave();
  }

  private final class Stripe extends Semaphore implements Place {
    private static final long serialVersionUID = 1;

    private volatile int most;

    Stripe(int most) {
      super(most);
      this.most = most;
    }

    int used() {
      int counted;
      int free;
      do {
        counted = most;
        free = availablePermits();
      } while (counted != most);
      return Math.max(0, counted - free);
    }

    void resize(int wanted) {
      int before = most;
      if (wanted > before) {
        release(wanted - before);
        most = wanted;
      } else if (wanted < before) {
        most = wanted;
        reducePermits(before - wanted);
      }
    }

    @Override
    public void leave() {
      reads.increment();
      release();
    }
  }

  private final int most;
  private final int fewest;
  private final Stripe[] stripes;
  private final LongAdder reads = new LongAdder();
  private final LongAdder waits = new LongAdder();

  private volatile int count;

  /** Of the last look, in which there may have been more places than before it. */
  private long lookedNanos;

  private long readsSeen;
  private long waitsSeen;
  private int countBefore;
  private double readsASecondBefore;

  /** Until when no more places are tried. */
  private long restUntilNanos;

  /** When callers last waited for places. */
  private long waitedNanos;

  /**
   * A device's places.
   *
   * @param most most places
   * @param processors processors that readers run on
   */
  ReaderPlaces(int most, int processors, long nanos) {
    int wanted = Math.min(MOST_STRIPES, Math.max(1, processors / PROCESSORS_A_STRIPE));
    int number = Integer.highestOneBit(Math.min(wanted, Math.max(1, most / LEAST_IN_STRIPE)));
    this.most = most;
    this.fewest = Math.min(most, Math.max(IoLimits.USUAL_READERS, number * LEAST_IN_STRIPE));
    this.stripes = new Stripe[number];
    Arrays.setAll(stripes, i -> new Stripe(share(fewest, i)));
    this.count = fewest;
    this.lookedNanos = nanos;
    this.restUntilNanos = nanos;
    this.waitedNanos = nanos;
  }

  /** Takes a place, if one is free. */
  Place tryTake() {
    int own = (int) Thread.currentThread().getId();
    for (int i = 0; i < stripes.length; i++) {
      Stripe stripe = stripes[(own + i) & (stripes.length - 1)];
      if (stripe.tryAcquire()) {
        return stripe;
      }
    }
    return null;
  }

  /** Waits a moment for a place that is left. Null if there is none, or after an interrupt. */
  Place await() {
    noteWait();
    Stripe stripe = stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)];
    try {
      return stripe.tryAcquire(WAIT_MILLIS, TimeUnit.MILLISECONDS) ? stripe : null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Counts a caller that found no place. */
  void noteWait() {
    waits.increment();
  }

  /** Places, used and free. */
  int count() {
    return count;
  }

  /** Whether somebody is inside. */
  boolean areUsed() {
    for (Stripe stripe : stripes) {
      if (stripe.used() != 0) {
        return true;
      }
    }
    return false;
  }

  /** Callers that wait for a place. */
  int queued() {
    int queued = 0;
    for (Stripe stripe : stripes) {
      queued += stripe.getQueueLength();
    }
    return queued;
  }

  /** Lets the number of places follow a device that is quick. To be called about once a second. */
  void look(long nanos) {
    long passed = nanos - lookedNanos;
    if (passed < LOOK_NANOS) {
      return;
    }
    long readsNow = reads.sum();
    long waitsNow = waits.sum();
    double readsASecond = (readsNow - readsSeen) * 1e9 / passed;
    boolean tooFew = (waitsNow - waitsSeen) * READS_A_WAIT > readsNow - readsSeen;
    lookedNanos = nanos;
    readsSeen = readsNow;
    waitsSeen = waitsNow;
    follow(nanos, tooFew, readsASecond);
  }

  private void follow(long nanos, boolean tooFew, double readsASecond) {
    if (!tooFew) {
      countBefore = 0;
      if (nanos - waitedNanos >= REST_NANOS) {
        waitedNanos = nanos;
        resize(Math.max(fewest, count - count / 4));
      }
      return;
    }
    waitedNanos = nanos;
    if (countBefore != 0 && readsASecond < leastReadsASecond()) {
      resize(countBefore);
      countBefore = 0;
      restUntilNanos = nanos + REST_NANOS;
    } else if (count < most && nanos - restUntilNanos >= 0) {
      countBefore = count;
      readsASecondBefore = readsASecond;
      resize(Math.min(most, count + Math.max(1, count / 2)));
    } else {
      countBefore = 0;
    }
  }

  private double leastReadsASecond() {
    return readsASecondBefore * (1 + LEAST_GAIN * (count - countBefore) / countBefore);
  }

  private void resize(int wanted) {
    for (int i = 0; i < stripes.length; i++) {
      stripes[i].resize(share(wanted, i));
    }
    count = wanted;
  }

  private int share(int places, int stripe) {
    return (places + stripe) / stripes.length;
  }
}
