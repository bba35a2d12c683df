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
import java.util.function.Consumer;

/**
 * Runs periodic tasks, each on a thread of its own, so a task that hangs delays no other. A failed
 * task is logged, and runs again at its next turn. Thread-safe.
 */
final class Chores {

  /** Schedule the tasks. */
  private final List<Consumer<ScheduledExecutorService>> chores = new ArrayList<>();

  private final RateLimitedLog log = new RateLimitedLog(Chores.class);
  private ScheduledExecutorService threads;

  /** Adds a task, whose name is for the log. Call before the start. */
  synchronized void add(String name, Duration every, Runnable task) {
    long nanos = every.toNanos();
    chores.add(
        pool -> {
          var unused =
              pool.scheduleWithFixedDelay(
                  () -> run(name, every, task), nanos, nanos, TimeUnit.NANOSECONDS);
        });
  }

  synchronized void start() {
    threads =
        new ScheduledThreadPoolExecutor(chores.size(), DeviceThreads.daemons("terrace-chores"));
    chores.forEach(chore -> chore.accept(threads));
  }

  private void run(String name, Duration every, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      log.warn(
          "Background task failed: %s; next run in %d s".formatted(name, every.toSeconds()), e);
    }
  }

  /** Stops all tasks. May be called twice, and without a start. */
  synchronized void stop() {
    if (threads != null) {
      threads.shutdown();
    }
  }
}
