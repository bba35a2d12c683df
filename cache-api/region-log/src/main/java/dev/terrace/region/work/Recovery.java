// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.api.CacheFile;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.LogQueue;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.StoredRegions.Found;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.Residents;
import dev.terrace.region.memory.DirectMemory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers a device's blocks after a restart: adds the tables of its regions to the index. Of two
 * records of a block, the newer one stays.
 *
 * <p>Regions that were open are read record by record, at each start until they are reclaimed,
 * because a recovery writes nothing there. It trusts only the positions of blocks: each block is
 * verified at its first read.
 *
 * <p>A region that cannot be read is neither empty nor damaged. It stays as it is, its blocks are
 * misses, and it is retried when the device answers. Only the device's worker uses this.
 */
public final class Recovery {

  /*
   * A block evicted during the recovery does not come back. Until a device is recovered, an
   * eviction is added to each device's list of evictions before it searches the index, and a
   * recovery adds a block to the index before it searches that list. So whichever comes second sees
   * the other. The recovery drops the block by its address, so a block that has been put again
   * stays.
   *
   * An older record may be served until the region of a newer one is read. Both have the same
   * contents, since a put of different contents evicts first.
   */

  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** Failed reads, while the device answers, after which a region is given up. */
  private static final int ATTEMPTS = 3;

  private final DeviceLog log;
  private final RegionDevice io;
  private final Residents residents;
  private final LogContext context;
  private final long retryNanos;
  private final RateLimitedLog warnings;

  /** Regions that have not been read yet, in the order in which they will be. */
  private final Queue<Region> pending = new ArrayDeque<>();

  /** Regions that could not be read, and will be retried. */
  private final List<Region> unread = new ArrayList<>();

  private volatile boolean done;
  private boolean evictionsLoaded;
  private int attempts;

  /** Whether this run failed because of the JVM, such as for lack of memory. */
  private boolean jvmFailed;

  private long retryAtNanos;
  private int blocks;
  private int damaged;

  Recovery(DeviceLog log, Residents residents, LogContext context) {
    this.log = log;
    this.io = log.io();
    this.residents = residents;
    this.context = context;
    this.retryNanos = context.limits().probeInterval().toNanos();
    this.warnings = context.log(Recovery.class);
    pending.addAll(List.of(log.regions()));
  }

  /** Whether all blocks that can be recovered are in the index. Any thread may ask. */
  boolean isDone() {
    return done;
  }

  /** Whether there is something to recover, and the device may answer. */
  boolean isDue() {
    return !pending.isEmpty() || isRetryDue();
  }

  private boolean isRetryDue() {
    return !unread.isEmpty() && io.health().isUsable() && context.now() - retryAtNanos >= 0;
  }

  /** Recovers what can be read now, as far as there is memory for it. */
  void run() {
    if (isRetryDue()) {
      pending.addAll(unread);
      unread.clear();
    }
    try {
      if (!evictionsLoaded) {
        evictionsLoaded = true;
        log.evictions().load();
      }
      if (io.device().generation() == 1) {
        pending.forEach(log.free()::addUnprepared);
        pending.clear();
      } else {
        recover();
      }
    } finally {
      // Also after a failure, which may have come when everything was done.
      end();
    }
  }

  private void end() {
    if (log.isEnding()) {
      abandon();
    }
    done = pending.isEmpty() && unread.isEmpty();
    if (context.isClosed()) {
      residents.evictAll(EvictionCause.CLOSE);
    }
  }

  /** Ends the recovery, because the device leaves. */
  void abandon() {
    pending.clear();
    unread.clear();
    done = true;
  }

  private void recover() {
    long start = context.now();
    int regions = pending.size();
    // A region that waits for memory stays first, and is read again from its beginning.
    while (!pending.isEmpty() && !log.isEnding() && recover(pending.peek())) {
      pending.remove();
    }
    LogQueue.info(
        LOG,
        "{}: recovered blocks={}, read regions={} in {} ms; corrupt regions={}, unreadable regions={}",
        io.device().path(),
        blocks,
        regions - pending.size(),
        (context.now() - start) / 1_000_000,
        damaged,
        unread.size());
    if (!unread.isEmpty()) {
      tryAgain();
    }
  }

  /**
   * Recovers one region, so that a failure costs only that region. A runtime exception is caused by
   * its contents: the region is damaged. After an error of the JVM it is retried.
   *
   * @return false if the index lacks memory for its blocks
   */
  private boolean recover(Region region) {
    if (!io.health().isUsable()) {
      unread.add(region);
      return true;
    }
    try {
      return read(region);
    } catch (IOException e) {
      unread(region, e);
    } catch (RuntimeException e) {
      damaged(region, "recovery failed", e);
      giveUp(region);
    } catch (Error e) {
      jvmFailed = true;
      unread(region, e);
    }
    return true;
  }

  /**
   * Recovers nothing more from a region. Blocks that are already in the index stay: each is
   * verified at its first read.
   */
  private void giveUp(Region region) {
    if (region.state() == Region.State.UNREAD) {
      log.free().addUnprepared(region);
    } else {
      region.sealed();
    }
  }

  /**
   * Retries unread regions later. Gives them up after some attempts, if the device answers and the
   * JVM has memory.
   */
  private void tryAgain() {
    if (!jvmFailed && (attempts == 0 || io.health().isUsable())) {
      attempts++;
    }
    jvmFailed = false;
    retryAtNanos = context.now() + retryNanos;
    if (attempts < ATTEMPTS) {
      return;
    }
    for (Region region : unread) {
      damaged(region, "unreadable in " + attempts + " attempts", null);
      giveUp(region);
    }
    unread.clear();
  }

  /** Reads a region's table, or its records if it has none. False if the index lacks memory. */
  private boolean read(Region region) throws IOException {
    Found found = io.stored().read(region.slot);
    if (!found.flaws().isEmpty()) {
      damaged(region, found.flaws().get(0).reason(), null);
    }
    for (int position : found.walk() == null ? List.<Integer>of() : found.walk().damaged()) {
      // After a power cut the newer copy of a block may be torn and the older one intact.
      io.health().damaged(TierFault.CORRUPT_BLOCK);
      warnings.warn(
          "Dropped a corrupt cached block (normal after a crash): position=%d of %s"
              .formatted(position, region),
          null);
    }
    if (found.records().isEmpty()) {
      giveUp(region);
      return true;
    }
    return load(region, found);
  }

  private void unread(Region region, Throwable cause) {
    unread.add(region);
    context.counters().fault(TierFault.UNREAD_REGION);
    if (cause instanceof Error) {
      warnings.warn(
          "Cannot read a cache region yet, will retry; its blocks are misses until then: " + region,
          cause);
    }
  }

  private void damaged(Region region, String what, Throwable cause) {
    damaged++;
    io.health().damaged(TierFault.CORRUPT_REGION);
    warnings.warn(
        "Dropped blocks of a corrupt cache region (%s); one or two after a crash are normal: %s"
            .formatted(what, region),
        cause);
  }

  /** Adds blocks to the index, the last one first. False if it lacks memory for them. */
  private boolean load(Region region, Found found) {
    if (region.state() == Region.State.UNREAD) {
      begin(region, found);
    }
    List<RegionTable.Entry> entries = found.records();
    try {
      for (int i = entries.size() - 1; i >= 0; i--) {
        recover(region, entries.get(i));
      }
    } catch (DirectMemory.Exhausted e) {
      context.counters().fault(TierFault.NO_MEMORY);
      warnings.warn("Recovery waits for direct memory (raise HBASE_OFFHEAPSIZE): " + region, e);
      return false;
    }
    found.table().origins().forEach(this::recoveredFile);
    region.sealed();
    return true;
  }

  private void begin(Region region, Found found) {
    RegionLayout.Footer footer = found.footer();
    long ageMillis = footer == null ? 0 : System.currentTimeMillis() - found.writtenMillis();
    region.foundSealed(
        found.life(),
        found.firstSequence(),
        found.lastSequence(),
        context.now() - Math.max(0, ageMillis) * 1_000_000);
    if (footer != null) {
      context.counters().found(footer.putPlainBytes(), footer.putBytes());
    }
  }

  private void recoveredFile(String name, String origin) {
    CacheFile file = context.files().find(name);
    if (residents.index().usage(file).blocks() > 0) {
      file.recovered(origin);
    }
  }

  private void recover(Region region, RegionTable.Entry entry) {
    if (!entry.isDurable() || isEvicted(entry)) {
      return;
    }
    CacheFile file = context.files().hold(entry.file());
    try {
      long address = entry.address(region.number);
      if (residents.recover(file, entry, address)) {
        blocks++;
        if (isEvicted(entry)) {
          residents.drop(file, entry.offset(), address, EvictionCause.FILE);
        }
      }
    } finally {
      file.release();
    }
  }

  private boolean isEvicted(RegionTable.Entry entry) {
    return log.evictions().keepsOut(entry.file(), entry.offset(), entry.sequence());
  }
}
