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
package dev.terrace.bench.fire;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

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
}
