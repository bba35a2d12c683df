// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.region.device.DeviceThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs periodic tasks. A task that hangs delays itself alone: each run has a thread, which the runs
 * of others use again, and a task whose last run has not ended is left out. A failed task is logged
 * and runs again at its next turn. Thread-safe.
 */
final class Chores {

  private static final long IDLE_SECONDS = 10;

  private record Chore(Duration every, Runnable task, AtomicBoolean isRunning) {}

  private final List<Chore> chores = new ArrayList<>();
  private final RateLimitedLog log;
  private ScheduledExecutorService timer;
  private ExecutorService threads;

  Chores(RateLimitedLog log) {
    this.log = log;
  }

  /** Adds a chore, before the start. */
  synchronized void add(Duration every, Runnable task) {
    chores.add(new Chore(every, task, new AtomicBoolean()));
  }

  synchronized void start() {
    if (chores.isEmpty()) {
      return;
    }
    timer = Executors.newSingleThreadScheduledExecutor(DeviceThreads.daemons("terrace-timer"));
    threads =
        new ThreadPoolExecutor(
            0,
            chores.size(),
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            DeviceThreads.daemons("terrace-chores"));
    ExecutorService used = threads;
    for (Chore chore : chores) {
      long nanos = chore.every.toNanos();
      var unused =
          timer.scheduleAtFixedRate(() -> begin(chore, used), nanos, nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void begin(Chore chore, ExecutorService used) {
    if (chore.isRunning.compareAndSet(false, true)) {
      try {
        used.execute(() -> run(chore));
      } catch (RuntimeException | Error e) {
        chore.isRunning.set(false);
        failed(chore, e);
      }
    }
  }

  private void run(Chore chore) {
    try {
      chore.task.run();
    } catch (RuntimeException | Error e) {
      failed(chore, e);
    } finally {
      chore.isRunning.set(false);
    }
  }

  private void failed(Chore chore, Throwable cause) {
    log.warn("Failed, will be tried again in " + chore.every, cause);
  }

  /** Ends them; may be called twice, and without a start. */
  synchronized void stop() {
    if (timer != null) {
      timer.shutdown();
      threads.shutdown();
    }
  }
}
