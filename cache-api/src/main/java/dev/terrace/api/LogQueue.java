// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes log lines on a thread of its own. The disk of the log may hang, and each thread that
 * writes a line then hangs with it: so no caller's thread, no device's worker, and no thread that
 * holds a lock writes one. If the queue is full, lines are dropped and counted.
 *
 * <p>Any thread may call any method; none waits or throws.
 */
public final class LogQueue {

  /*
   * Static, because the log is the process's. A thread starts with a line and ends when there is
   * none left. If none can be started, the lines wait for the next one.
   */

  private static final Logger LOG = LoggerFactory.getLogger(LogQueue.class);

  private static final int MAX_LINES = 1_000;

  private static final Queue<Runnable> LINES = new ArrayBlockingQueue<>(MAX_LINES);
  private static final AtomicLong DROPPED = new AtomicLong();
  private static final SerialLoop WRITER =
      new SerialLoop(LogQueue::start, LogQueue::writeAll, cause -> {});

  private LogQueue() {}

  /** Adds a line of level INFO. The arguments must not change until it is written. */
  public static void info(Logger log, String format, Object... arguments) {
    add(() -> log.info(format, arguments));
  }

  /** Adds a line of level WARN, like {@link #info}. */
  public static void warn(Logger log, String format, Object... arguments) {
    add(() -> log.warn(format, arguments));
  }

  public static void add(Runnable line) {
    if (!LINES.offer(line)) {
      DROPPED.incrementAndGet();
    }
    WRITER.wake();
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(null, task, "terrace-log", 0, false);
    thread.setDaemon(true);
    thread.start();
  }

  private static void writeAll() {
    for (Runnable line = LINES.poll(); line != null; line = LINES.poll()) {
      try {
        line.run();
      } catch (RuntimeException | Error e) {
        DROPPED.incrementAndGet();
      }
    }
    long dropped = DROPPED.getAndSet(0);
    if (dropped > 0) {
      LOG.warn("Dropped {} log lines of Terrace: the log was too slow or failed", dropped);
    }
  }
}
