// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.region.device.DeviceThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs periodic tasks, each on a thread of its own, so a task that hangs delays no other. A failed
 * task is logged, and runs again at its next turn. Thread-safe.
 */
final class Chores {

  private record Chore(String name, Duration every, Runnable task) {}

  private final List<Chore> chores = new ArrayList<>();
  private final RateLimitedLog log = new RateLimitedLog(Chores.class);
  private ScheduledExecutorService threads;

  /** Adds a task, whose name is for the log. Call before the start. */
  synchronized void add(String name, Duration every, Runnable task) {
    chores.add(new Chore(name, every, task));
  }

  synchronized void start() {
    threads =
        new ScheduledThreadPoolExecutor(chores.size(), DeviceThreads.daemons("terrace-chores"));
    for (Chore chore : chores) {
      long nanos = chore.every.toNanos();
      var unused =
          threads.scheduleWithFixedDelay(() -> run(chore), nanos, nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void run(Chore chore) {
    try {
      chore.task.run();
    } catch (RuntimeException | Error e) {
      log.warn(
          "Background task failed: %s; next run in %d s"
              .formatted(chore.name, chore.every.toSeconds()),
          e);
    }
  }

  /** Stops all tasks. May be called twice, and without a start. */
  synchronized void stop() {
    if (threads != null) {
      threads.shutdown();
    }
  }
}
