// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.RateLimitedLog;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * The threads of a tier: a timer and, for each device, a worker, a checker of its path, and readers
 * while it is slow. A device's threads start on demand and end after ten idle seconds.
 */
public final class DeviceThreads implements DeviceExecutors {

  private static final long IDLE_SECONDS = 10;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(DeviceThreads.class), System::nanoTime);

  private final String tier;

  /** Threads whose names contain the tier's name. */
  public DeviceThreads(String tier) {
    this.tier = tier;
  }

  @Override
  public Executor worker(String path) {
    return onDemand("terrace-" + tier + "-" + path, 1);
  }

  @Override
  public Executor readers(String path, int most) {
    return onDemand("terrace-" + tier + "-read-" + path, most);
  }

  @Override
  public Executor looks(String path) {
    return onDemand("terrace-" + tier + "-check-" + path, 1);
  }

  /**
   * Daemons that start on demand and end after ten idle seconds. After one could not be started, no
   * other is tried for a second: the JVM prints a line for each attempt.
   */
  public static Executor onDemand(String name, int most) {
    return onDemand(most, daemons(name), System::nanoTime);
  }

  static Executor onDemand(int most, ThreadFactory factory, LongSupplier nanoTime) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    threads.allowCoreThreadTimeOut(true);
    AtomicLong nextNanos = new AtomicLong(nanoTime.getAsLong());
    return task -> {
      if (nanoTime.getAsLong() - nextNanos.get() < 0 && threads.getPoolSize() < most) {
        throw new OutOfMemoryError(
            "starting a thread failed less than 1 s ago; not tried again yet");
      }
      try {
        threads.execute(task);
      } catch (OutOfMemoryError e) {
        nextNanos.set(nanoTime.getAsLong() + RETRY_NANOS);
        throw e;
      }
    };
  }

  /** Runs a task about once a second until {@code over} is true. A failed task runs again. */
  public void everySecond(Runnable task, BooleanSupplier over) {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, daemons("terrace-" + tier + "-tick"));
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(
            () -> {
              if (over.getAsBoolean()) {
                timer.shutdown();
              } else {
                run(task);
              }
            },
            1,
            1,
            TimeUnit.SECONDS);
  }

  /** Keeps an exception from ending the schedule, which all devices need. */
  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("Periodic maintenance of tier " + tier + " failed; next run in 1 s", e);
    }
  }

  /** A factory of daemon threads that share one name. */
  public static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
