/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase;

import dev.terrace.region.RegionTier;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a cache: when HBase does, or at the end of the JVM, which it then keeps from ending before
 * what the cache has in memory only is on its disks, for a bounded time. Thread-safe.
 */
final class ExitHook {

  private static final Logger LOG = LoggerFactory.getLogger(ExitHook.class);
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final Runnable farewell;
  private final Runnable closeCache;
  private final List<? extends RegionTier<?>> tiers;
  private final Thread hook = new Thread(this::closeAndWait, "terrace-exit");
  private final AtomicBoolean closed = new AtomicBoolean();
  private boolean isFarewellSaid;
  private volatile boolean closing;

  /**
   * A hook that does nothing yet.
   *
   * @param farewell takes what is to survive to where it does, in a few seconds at most; run before
   *     the cache is closed, once, and not by whoever closes it; null if there is nothing to take
   * @param closeCache closes the cache; may be run twice
   * @param tiers the tiers that survive a restart
   */
  ExitHook(Runnable farewell, Runnable closeCache, List<? extends RegionTier<?>> tiers) {
    this.farewell = farewell;
    this.closeCache = closeCache;
    this.tiers = List.copyOf(tiers);
  }

  /** Makes sure that the end of the JVM waits, if there can be anything to wait for. */
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
   * Closes the cache, and waits until what was open is written. HBase closes its cache when it
   * stops, too, but it takes its time before that and does not wait after it.
   */
  void closeAndWait() {
    closing = true;
    sayFarewell();
    closeCache.run();
    try {
      if (!awaitWritten(LIMIT)) {
        LOG.warn(
            "Terrace did not write all of its blocks within {} s; those that are missing will be"
                + " misses after the restart",
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

  /** Whoever comes second waits until it is said. */
  private synchronized void sayFarewell() {
    if (farewell != null && !isFarewellSaid) {
      isFarewellSaid = true;
      try {
        farewell.run();
      } catch (RuntimeException e) {
        LOG.warn("What is in DRAM alone will not be there after the restart", e);
      }
    }
  }

  /**
   * Closes the cache without waiting; may be called twice. If there is something to take to where
   * it survives, a thread does that first, and closes the cache then. The hook goes away when all
   * is written.
   */
  void close() {
    closing = true;
    if (farewell == null) {
      closeCache.run();
    }
    if (!tiers.isEmpty() && closed.compareAndSet(false, true)) {
      Thread removal = new Thread(this::removeWhenWritten, "terrace-closing");
      removal.setDaemon(true);
      removal.start();
    }
  }

  private void removeWhenWritten() {
    sayFarewell();
    closeCache.run();
    try {
      if (awaitWritten(PATIENCE)) {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      LOG.debug("The JVM is ending, and the hook is running", e);
    }
  }

  private boolean awaitWritten(Duration limit) throws InterruptedException {
    return awaitAll(tiers, RegionTier::awaitWritten, limit);
  }

  /** Waits for one tier after the other, for no longer than {@code limit} in all. */
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
