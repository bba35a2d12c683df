// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs work on an executor, one run at a time. Each {@link #wake} is followed by a run that begins
 * after it; wake-ups during a run share the next one. Any thread may call {@link #wake}; the
 * executor may run tasks in place.
 */
public final class SerialLoop {

  /*
   * The count of wake-ups is above zero exactly while a loop is queued or running. The thread that
   * raises it from zero queues the loop; all others return. The loop reads the count, runs the
   * work, and subtracts the value it read: if wake-ups came during the run, the count is still
   * above zero, and it runs again. So no two runs overlap, and no wake-up is lost. An executor that
   * runs in place enters no loop twice, because the count is above zero.
   *
   * If the executor throws before the loop begins, the waking thread still owns the loop, and runs
   * the handler in place of the work.
   */

  private final Executor executor;
  private final Runnable work;
  private final Consumer<Throwable> rejected;
  private final AtomicInteger wakeUps = new AtomicInteger();

  /**
   * A loop that is idle until the first wake-up.
   *
   * @param work does all pending work; an exception ends the loop until the next wake-up
   * @param rejected replaces the work, on the waking thread, if the executor throws: it rejects
   *     tasks, or has no thread
   */
  public SerialLoop(Executor executor, Runnable work, Consumer<Throwable> rejected) {
    this.executor = executor;
    this.work = work;
    this.rejected = rejected;
  }

  /** Causes a run that begins after this call. Does not wait for it. */
  public void wake() {
    if (wakeUps.getAndIncrement() != 0) {
      return;
    }
    // Read by this thread, and only if the executor ran the loop in place or not at all.
    boolean[] began = {false};
    try {
      executor.execute(
          () -> {
            began[0] = true;
            loop(work);
          });
    } catch (RuntimeException | Error e) {
      if (began[0]) {
        throw e;
      }
      loop(() -> rejected.accept(e));
    }
  }

  private void loop(Runnable round) {
    int seen = wakeUps.get();
    try {
      while (seen != 0) {
        round.run();
        seen = wakeUps.addAndGet(-seen);
      }
    } finally {
      if (seen != 0) {
        wakeUps.set(0);
      }
    }
  }
}
