// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.region.RegionTier;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a cache at HBase's request or at JVM exit. Delays the exit, for a bounded time, until the
 * blocks in memory are on disk. Thread-safe.
 */
final class ShutdownHook {

  private static final Logger LOG = LoggerFactory.getLogger(ShutdownHook.class);
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final Runnable lastDemotion;
  private final Runnable closeCache;
  private final List<? extends RegionTier<?>> tiers;
  private final ThreadFactory threads;
  private final Thread hook = new Thread(this::closeAndWait, "terrace-shutdown");
  private final AtomicBoolean closed = new AtomicBoolean();
  private boolean ended;
  private volatile boolean closing;

  /**
   * A hook that does nothing yet.
   *
   * @param lastDemotion copies DRAM's blocks to the tiers below before the close, within a few
   *     seconds
   * @param closeCache closes the cache
   * @param tiers the tiers that survive a restart
   * @param threads makes the thread that waits for the last writes
   */
  ShutdownHook(
      Runnable lastDemotion,
      Runnable closeCache,
      List<? extends RegionTier<?>> tiers,
      ThreadFactory threads) {
    this.lastDemotion = lastDemotion;
    this.closeCache = closeCache;
    this.tiers = List.copyOf(tiers);
    this.threads = threads;
  }

  /** Makes the JVM's exit wait for the close, if a tier survives it. */
  void start() {
    if (tiers.isEmpty()) {
      return;
    }
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      LOG.debug("The JVM is ending already", e);
    }
  }

  /**
   * Closes the cache, and waits until open regions are written. A stop of HBase also closes its
   * cache, but late, and without waiting.
   */
  void closeAndWait() {
    closing = true;
    try {
      end();
    } finally {
      waitUntilWritten();
    }
  }

  private void waitUntilWritten() {
    try {
      if (!awaitAll(tiers, RegionTier::awaitWritten, LIMIT)) {
        LOG.warn(
            "Not all blocks were written within {} s of the shutdown; the others are misses after"
                + " the restart",
            LIMIT.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the cache is closed, or about to be. */
  boolean isClosing() {
    return closing;
  }

  /** Closes the cache once. A second caller waits for the first. */
  private synchronized void end() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      lastDemotion.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("Blocks of DRAM not copied to lower tiers; they are misses after the restart", e);
    } finally {
      closeCache.run();
    }
  }

  /**
   * Closes the cache; may be called twice. If a tier survives a restart, does not wait: a thread
   * closes the cache, and removes the hook once all is written.
   */
  void close() {
    closing = true;
    if (tiers.isEmpty()) {
      end();
    } else if (closed.compareAndSet(false, true)) {
      try {
        threads.newThread(this::removeWhenWritten).start();
      } catch (RuntimeException | Error e) {
        // HBase's stop continues.
        closed.set(false);
        LOG.warn(
            "Could not start a thread to close Terrace; it closes with the JVM at the latest", e);
      }
    }
  }

  private void removeWhenWritten() {
    end();
    try {
      if (awaitAll(tiers, RegionTier::awaitWritten, PATIENCE)) {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      LOG.debug("The JVM is ending, and the hook is running", e);
    }
  }

  /** Waits for the tiers in turn, no longer than {@code limit} in all. */
  static boolean awaitAll(List<? extends RegionTier<?>> tiers, TierWait wait, Duration limit)
      throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (RegionTier<?> tier : tiers) {
      if (!wait.await(tier, Duration.ofNanos(deadline - System.nanoTime()))) {
        return false;
      }
    }
    return true;
  }

  /** Something to wait for in a tier. */
  @FunctionalInterface
  interface TierWait {
    boolean await(RegionTier<?> tier, Duration limit) throws InterruptedException;
  }
}
