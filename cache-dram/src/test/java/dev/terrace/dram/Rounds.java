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
package dev.terrace.dram;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Runs a few actions at the same moment, again and again, to make them race. */
final class Rounds {

  private final int rounds;
  private final AtomicInteger arrived = new AtomicInteger();
  private volatile boolean failed;

  Rounds(int rounds) {
    this.rounds = rounds;
  }

  /**
   * Runs the actions once a round, and a check after each round.
   *
   * @param check runs alone, on the calling thread
   * @param first runs on the calling thread, at the same moment as the others on theirs; all get
   *     the number of the round
   */
  void race(IntConsumer check, IntConsumer first, IntConsumer... others) throws Exception {
    int threads = others.length + 1;
    ExecutorService executor = Executors.newFixedThreadPool(others.length);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (IntConsumer other : others) {
        running.add(executor.submit(() -> everyRound(threads, other, round -> {})));
      }
      everyRound(threads, first, check);
      for (Future<?> thread : running) {
        thread.get(1, TimeUnit.MINUTES);
      }
    } finally {
      failed = true;
      executor.shutdownNow();
    }
  }

  private void everyRound(int threads, IntConsumer racing, IntConsumer after) {
    try {
      for (int round = 0; round < rounds && !failed; round++) {
        await((2 * round + 1) * threads);
        racing.accept(round);
        await((2 * round + 2) * threads);
        after.accept(round);
      }
    } catch (RuntimeException | Error e) {
      failed = true;
      throw e;
    }
  }

  private void await(int expected) {
    arrived.incrementAndGet();
    while (arrived.get() < expected && !failed) {
      Thread.onSpinWait();
    }
  }
}
