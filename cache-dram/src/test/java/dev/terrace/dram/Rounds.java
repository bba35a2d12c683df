// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import dev.terrace.api.Patience;
import dev.terrace.api.TierHammer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Runs a few actions at the same moment, again and again, to make them race. */
final class Rounds {

  private static final int MOST = 20_000;

  private final Phaser meeting;
  private volatile boolean over;

  private Rounds(int threads) {
    meeting = new Phaser(threads);
  }

  /**
   * Runs the actions once a round, and a check after each round, for {@link TierHammer#duration}.
   *
   * @param check runs alone, on the calling thread
   * @param first runs on the calling thread, at the same moment as the others on theirs; all get
   *     the number of the round
   * @return how many rounds there were
   */
  static int race(IntConsumer check, IntConsumer first, IntConsumer... others) throws Exception {
    return new Rounds(others.length + 1).run(check, first, others);
  }

  private int run(IntConsumer check, IntConsumer first, IntConsumer... others) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(others.length);
    try {
      List<Future<Integer>> running = new ArrayList<>();
      for (IntConsumer other : others) {
        running.add(executor.submit(() -> everyRound(other, round -> {})));
      }
      long end = System.nanoTime() + TierHammer.duration().toNanos();
      int rounds =
          everyRound(
              first,
              round -> {
                check.accept(round);
                over = round == MOST || System.nanoTime() - end > 0;
              });
      for (Future<Integer> thread : running) {
        thread.get(Patience.SECONDS, TimeUnit.SECONDS);
      }
      return rounds;
    } finally {
      meeting.forceTermination();
      executor.shutdownNow();
    }
  }

  private int everyRound(IntConsumer racing, IntConsumer after) {
    int round = 0;
    try {
      for (; meeting.arriveAndAwaitAdvance() >= 0 && !over; round++) {
        racing.accept(round);
        meeting.arriveAndAwaitAdvance();
        after.accept(round);
      }
      return round;
    } catch (RuntimeException | Error e) {
      meeting.forceTermination();
      throw e;
    }
  }
}
