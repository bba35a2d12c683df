// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes changes of settings, one at a time, on a thread of their own, since a check of a path may
 * hang. Thread-safe.
 */
final class ChangeThread {

  private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

  /** HBase's thread waits this long for a change to take effect. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(2);

  private final Executor thread;
  private volatile CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  /** Makes all changes on a thread, in turn. */
  ChangeThread(Executor thread) {
    this.thread = thread;
  }

  /** Whether no change that a caller waits for is queued or running. */
  boolean isIdle() {
    return last.isDone();
  }

  /** Runs a change. Waits for it unless it is queued behind one that is still running. */
  void runAndAwait(Runnable change) {
    boolean isDelayed = !isIdle();
    CompletableFuture<Void> done = run(change);
    last = done;
    if (!isDelayed && !done.isCompletedExceptionally()) {
      await(done);
    }
  }

  /** Runs a change, without waiting. Fails if no thread can be started. */
  CompletableFuture<Void> run(Runnable change) {
    try {
      return CompletableFuture.runAsync(() -> guarded(change), thread);
    } catch (RuntimeException | Error e) {
      LOG.error("New settings not applied yet, no thread could be started; Terrace retries", e);
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void guarded(Runnable change) {
    try {
      change.run();
    } catch (RuntimeException | Error e) {
      LOG.error(
          "New settings applied only in part; see Settings of the JMX bean for those in effect", e);
    }
  }

  private static void await(CompletableFuture<Void> change) {
    try {
      change.get(MAX_WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.warn(
          "New settings still being applied after {} s, in the background: a disk may hang, or"
              + " memory is scarce",
          MAX_WAIT.toSeconds());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new AssertionError("a guarded change has failed", e);
    }
  }
}
