// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * No two runs overlap and no wake-up is lost: in every interleaving of small random scenarios, as
 * far as the model checker gets, and with real threads besides.
 */
class SerialLoopLincheckTest {

  @Test
  void everyItemIsTakenInTheModel() {
    modelChecking().check(Taking.class);
  }

  @Test
  void everyItemIsTakenUnderStress() {
    stress().check(Taking.class);
  }

  @Test
  void everyItemIsTakenWhileTheExecutorRejectsTasksInTheModel() {
    modelChecking().check(Rejecting.class);
  }

  @Test
  void everyItemIsTakenWhileTheExecutorRejectsTasksUnderStress() {
    stress().check(Rejecting.class);
  }

  private static ModelCheckingOptions modelChecking() {
    return new ModelCheckingOptions()
        .iterations(TestEffort.times(3))
        .invocationsPerIteration(200)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(0);
  }

  private static StressOptions stress() {
    return new StressOptions()
        .iterations(TestEffort.times(5))
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(0);
  }

  /** Each thread is its own executor. */
  public static final class Taking extends Items {

    public Taking() {
      super(Runnable::run);
    }
  }

  /** Every other task is rejected. */
  public static final class Rejecting extends Items {

    public Rejecting() {
      super(new EveryOther());
    }
  }

  private static final class EveryOther implements Executor {
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public void execute(Runnable task) {
      if (calls.getAndIncrement() % 2 == 0) {
        throw new RejectedExecutionException("every other task");
      }
      task.run();
    }
  }

  /** Items that the loop takes from a queue; the handler of rejections does so, too. */
  public abstract static class Items {

    private final Queue<String> items = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();
    private final SerialLoop loop;

    Items(Executor executor) {
      loop = new SerialLoop(executor, this::take, rejection -> take());
    }

    private void take() {
      if (running.incrementAndGet() != 1) {
        throw new IllegalStateException("two runs at a time");
      }
      while (items.poll() != null) {
        Thread.onSpinWait();
      }
      running.decrementAndGet();
    }

    @Operation
    public void add() {
      items.add("item");
      loop.wake();
    }

    /** Runs when all threads are done. */
    @Validate
    public void nothingIsLeft() {
      if (!items.isEmpty()) {
        throw new IllegalStateException("items that no run took: " + items.size());
      }
    }
  }
}
