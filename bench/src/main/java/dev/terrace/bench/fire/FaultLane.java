// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.fire;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.io.function.IOFunction;

/**
 * Faults one after the other, with pauses. The seed decides which fault strikes what, and how long
 * the pauses are; the duration of a fault depends on the cluster.
 */
final class FaultLane {

  private static final Duration MIN_PAUSE = Duration.ofMillis(300);

  private final List<Fault> faults;
  private final SplittableRandom random;
  private final Duration maxPause;
  private final Timeline timeline;

  FaultLane(List<Fault> faults, long seed, Duration maxPause, Timeline timeline) {
    this.faults = List.copyOf(faults);
    this.random = new SplittableRandom(seed);
    this.maxPause = maxPause;
    this.timeline = timeline;
  }

  /** Injects faults until the run ends. Without faults it ends at once. */
  void run() throws IOException {
    while (!faults.isEmpty() && !timeline.pause(time(random, MIN_PAUSE, maxPause))) {
      strike(next(), random.split());
    }
  }

  static Duration time(SplittableRandom random, Duration least, Duration most) {
    return Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis()));
  }

  private void strike(Fault fault, SplittableRandom own) throws InterruptedIOException {
    long start = System.nanoTime();
    try {
      String details = fault.strike().apply(own);
      timeline.struck(fault.name(), details, Duration.ofNanos(System.nanoTime() - start));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (UncheckedIOException e) {
      // A scanner's.
      timeline.refused(fault.name(), e.getCause());
    } catch (IOException e) {
      timeline.refused(fault.name(), e);
    }
  }

  /** Returns the next fault, chosen at random by weight. */
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
   * @param name one or two words, for the timeline
   * @param weight how often it is chosen, relative to the others
   * @param strike strikes a target that the random numbers choose, and returns its name; throws if
   *     HBase refused
   */
  record Fault(String name, int weight, IOFunction<SplittableRandom, String> strike) {

    /** Returns a random element; the fault is refused if there is none. */
    static <T> T one(SplittableRandom random, List<T> all) throws IOException {
      if (all.isEmpty()) {
        throw new IOException("there is none at the moment");
      }
      return all.get(random.nextInt(all.size()));
    }
  }
}
