// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import dev.terrace.bench.server.Daemon;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Faults one after the other, with pauses. The seed decides which, on what, and how long the pauses
 * are; how long a fault takes is the cluster's affair.
 */
final class FaultLane {

  private final List<Fault> faults;
  private final SplittableRandom random;
  private final Duration leastPause;
  private final Duration mostPause;
  private final Timeline timeline;

  FaultLane(
      List<Fault> faults, long seed, Duration leastPause, Duration mostPause, Timeline timeline) {
    this.faults = List.copyOf(faults);
    this.random = new SplittableRandom(seed);
    this.leastPause = leastPause;
    this.mostPause = mostPause;
    this.timeline = timeline;
  }

  /** Strikes until the fire is over. Without faults it ends at once. */
  void run(CountDownLatch over) throws IOException {
    while (!faults.isEmpty() && !Pause.until(over, pause())) {
      strike(next(), random.split());
    }
  }

  private Duration pause() {
    return Duration.ofMillis(random.nextLong(leastPause.toMillis(), mostPause.toMillis()));
  }

  private void strike(Fault fault, SplittableRandom own) throws InterruptedIOException {
    long start = System.nanoTime();
    try {
      String details = fault.strike().on(own);
      timeline.struck(fault.name(), details, Duration.ofNanos(System.nanoTime() - start));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      timeline.refused(fault.name(), e);
    }
  }

  /** Returns the next fault; each as often as its weight wants. */
  Fault next() {
    int at = random.nextInt(faults.stream().mapToInt(Fault::weight).sum());
    for (Fault fault : faults) {
      at -= fault.weight();
      if (at < 0) {
        return fault;
      }
    }
    throw new IllegalStateException("weights changed");
  }

  /**
   * Something that happens to a cluster.
   *
   * @param name one or two words, for the time line
   * @param weight how often it is chosen, compared with others
   */
  record Fault(String name, int weight, Strike strike) {

    /** Does it to something that the random numbers choose. */
    @FunctionalInterface
    interface Strike {

      /**
       * Returns what it was done to.
       *
       * @throws IOException if HBase refused
       */
      String on(SplittableRandom random) throws IOException;
    }
  }

  /**
   * Outages of a random length. They end early when the run is over. Each returns how long it was,
   * for the time line.
   */
  static final class Outages {

    private static final Duration LEAST = Duration.ofMillis(100);

    private final CountDownLatch over;

    Outages(CountDownLatch over) {
      this.over = over;
    }

    /** Kills a process, and starts it again. */
    String kill(Daemon daemon, SplittableRandom random, Duration most) throws IOException {
      daemon.kill9();
      try {
        return pass(random, most);
      } finally {
        daemon.start();
      }
    }

    /** Suspends a process, and lets it go on. */
    String suspend(Daemon daemon, SplittableRandom random, Duration most) throws IOException {
      daemon.suspend();
      try {
        return pass(random, most);
      } finally {
        daemon.resume();
      }
    }

    /** Waits while something is away. */
    String pass(SplittableRandom random, Duration most) throws IOException {
      Duration time = Duration.ofMillis(random.nextLong(LEAST.toMillis(), most.toMillis()));
      boolean unused = Pause.until(over, time);
      return "back after " + time.toMillis() + " ms";
    }
  }

  /** Time that passes; an interrupt is an {@link InterruptedIOException}. */
  static final class Pause {

    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private Pause() {}

    static void of(Duration time) throws IOException {
      boolean unused = until(NEVER, time);
    }

    /** Returns after the time, or as soon as something is over; whether it is. */
    static boolean until(CountDownLatch over, Duration time) throws IOException {
      try {
        return over.await(time.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("interrupted").initCause(e);
      }
    }
  }
}
