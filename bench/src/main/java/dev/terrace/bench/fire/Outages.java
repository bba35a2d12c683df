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

import dev.terrace.bench.server.Daemon;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * Outages of a random length. They end early when the run is over. Each returns how long it was,
 * for the time line.
 */
final class Outages {

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
