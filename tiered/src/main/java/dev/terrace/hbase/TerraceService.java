// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.status.MetricsExporter;
import dev.terrace.hbase.status.TerraceBean;
import dev.terrace.hbase.status.TerraceStatus;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.tiered.TieredCache;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops a cache: its log lines, JMX bean, metrics, periodic tasks, and final writes.
 * Thread-safe.
 */
final class TerraceService {

  private static final Logger LOG = LoggerFactory.getLogger(TerraceService.class);
  private static final Duration SAFE_COPIES_EVERY = Duration.ofSeconds(1);
  private static final Duration RETRIES_EVERY = Duration.ofSeconds(5);
  private static final Duration PATH_METRICS_EVERY = Duration.ofSeconds(10);
  private static final Duration LEAK_CHECK_INTERVAL = Duration.ofSeconds(1);

  /** Time limit for copying DRAM's blocks to the tiers below at a stop. */
  private static final Duration LAST_DEMOTION_LIMIT = Duration.ofSeconds(5);

  private final TieredCache<Cacheable> tiers;
  private final List<RegionTier<Cacheable>> lastingTiers;
  private final TerraceStatus status;
  private final Chores chores;
  private final Runnable beforeEnd;
  private final LongSupplier nanoClock;
  private final ShutdownHook shutdownHook;
  private volatile TerraceBean bean;
  private MetricsExporter metrics;
  private volatile boolean stopped;

  /**
   * The service of a cache that is not started.
   *
   * @param open the tiers
   * @param tiers the same tiers as one cache
   * @param chores not started
   * @param beforeEnd runs before the tiers close, maybe twice; takes a few seconds at most
   */
  TerraceService(
      OpenTiers open,
      TieredCache<Cacheable> tiers,
      TerraceStatus status,
      Chores chores,
      Runnable beforeEnd,
      LongSupplier nanoClock) {
    this.tiers = tiers;
    this.lastingTiers = open.lasting();
    this.status = status;
    this.chores = chores;
    this.beforeEnd = beforeEnd;
    this.nanoClock = nanoClock;
    boolean isAboveLasting = open.dram().isPresent() && !lastingTiers.isEmpty();
    open.dram()
        .ifPresent(
            dram ->
                chores.add(
                    "leak detection",
                    LEAK_CHECK_INTERVAL,
                    () -> dram.detectLeaks(nanoClock.getAsLong())));
    if (isAboveLasting) {
      chores.add("safety copies", SAFE_COPIES_EVERY, () -> tiers.keepSafe(System.nanoTime()));
    }
    chores.add(
        "retries of paths",
        RETRIES_EVERY,
        () -> {
          if (isClosing()) {
            // Again: no thread could be started for it.
            close();
          }
          open.bySize().values().forEach(LivePaths::retryUnopened);
        });
    this.shutdownHook =
        new ShutdownHook(
            isAboveLasting ? this::demoteAll : () -> {},
            this::closeTiers,
            lastingTiers,
            DeviceThreads.daemons("terrace-closing"));
  }

  /** Starts all, or closes the tiers. */
  synchronized void start() {
    try {
      bean = TerraceBean.register(ManagementFactory.getPlatformMBeanServer(), status);
      metrics =
          new MetricsExporter(
              () -> status.metrics(Instant.now()),
              status::getTableShares,
              status::storeRequests,
              nanoClock);
      chores.add("metrics of paths, shares and tables", PATH_METRICS_EVERY, metrics::addNew);
      chores.start();
      LOG.info(status.getStartLine());
      shutdownHook.start();
    } catch (RuntimeException | Error e) {
      closeTiers();
      throw e;
    }
  }

  private void demoteAll() {
    long start = System.nanoTime();
    int blocks = tiers.demoteAll(LAST_DEMOTION_LIMIT, System::nanoTime);
    LOG.info(
        "Terrace copied {} blocks that only DRAM held to lower tiers in {} ms; they survive the restart",
        blocks,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
  }

  private void closeTiers() {
    try {
      beforeEnd.run();
      stop();
    } finally {
      tiers.close();
    }
  }

  /** Stops everything that was started; may be called twice. */
  private synchronized void stop() {
    boolean wasRunning = isRunning();
    stopped = true;
    if (wasRunning) {
      LOG.info(status.endLine());
      status.stopTrace();
      if (metrics != null) {
        metrics.close();
      }
      bean.close();
      chores.stop();
    }
  }

  /** Whether the cache was started, and not closed. Never waits for a stop. */
  boolean isRunning() {
    return bean != null && !stopped;
  }

  /** Whether the cache is closed, or about to be. */
  boolean isClosing() {
    return shutdownHook.isClosing();
  }

  /** Closes the cache without waiting; may be called twice. */
  void close() {
    shutdownHook.close();
  }

  /** Starts writing the open regions, without waiting. */
  void sealOpen() {
    lastingTiers.forEach(RegionTier::sealOpen);
  }

  /** Whether the tiers on PMem and SSD have written all blocks that were put into them. */
  boolean isSealed() {
    return lastingTiers.stream().allMatch(RegionTier::isSealed);
  }

  /**
   * Waits until a closed cache has released its paths.
   *
   * @return false if that took longer than {@code limit}
   */
  boolean awaitReleased(Duration limit) throws InterruptedException {
    return ShutdownHook.awaitAll(lastingTiers, RegionTier::awaitReleased, limit);
  }
}
