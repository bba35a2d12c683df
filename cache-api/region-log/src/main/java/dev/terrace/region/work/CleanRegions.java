// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierFault;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.FreeRegions;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.Region.State;
import dev.terrace.region.read.PinnedRegions;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Keeps clean regions ready to be opened. Prepares empty regions, and reclaims others when clean
 * ones run short. Only the device's worker uses it.
 */
final class CleanRegions {

  /** Most clean regions that are prepared in advance. */
  private static final int MAX_READY = 32;

  /** Pause between retries of quarantined regions. */
  private static final long RETRY_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final DeviceLog owner;
  private final RegionDevice io;
  private final FreeRegions free;
  private final PinnedRegions held;
  private final Reclaimer reclaimer;
  private final LogContext context;
  private final RateLimitedLog log;

  /** Regions out of use that are retried, one after the other. */
  private final Queue<Region> quarantined = new ArrayDeque<>();

  private long retryAtNanos;

  /** Regions from this slot on are retired when they are empty. */
  private int limit;

  CleanRegions(DeviceLog owner, PinnedRegions held, Reclaimer reclaimer, LogContext context) {
    this.owner = owner;
    this.io = owner.io();
    this.free = owner.free();
    this.limit = owner.regions().length;
    this.held = held;
    this.reclaimer = reclaimer;
    this.context = context;
    this.log = context.log(CleanRegions.class);
  }

  /**
   * The number of clean regions below which others are reclaimed. Zero after a start, until a put
   * needs a region: nobody has read the blocks yet, so a reclaim would drop some that may be read
   * again. But a shrinking tier needs room for the blocks that it moves.
   */
  private int wanted() {
    return free.isRequested() || isShrinking() ? free.target() : 0;
  }

  /** Prepares one region, or reclaims one. False if there is nothing to do. */
  boolean prepareNext() {
    retryQuarantined();
    int ready = free.clean();
    if (ready >= MAX_READY) {
      return false;
    }
    collectEmptied();
    Region next = pollEmpty();
    if (next != null) {
      prepare(next, false);
      return true;
    }
    if (ready + free.empty() >= wanted()
        || (ready == 0 && free.emptiesAwaitSeal() && !isShrinking())) {
      // Without a clean region, another reclaim could rewrite nothing. The open one fills first.
      return false;
    }
    boolean isReclaimed = reclaim();
    free.canReclaim(isReclaimed);
    return isReclaimed;
  }

  /** Takes sealed regions without live blocks, whose files were deleted. */
  private void collectEmptied() {
    free.pollDied(
        region -> {
          // isEnding() must be checked last: it is set before shutdown starts dropping blocks.
          if (region.state() == State.SEALED && region.liveBlocks() == 0 && !owner.isEnding()) {
            closeToReaders(region);
          }
        });
  }

  /** An empty region that may be overwritten; null if there is none. */
  private Region pollEmpty() {
    for (int i = free.empty(); i > 0; i--) {
      Region region = free.pollEmpty();
      if (owner.isNeeded(region)) {
        free.addEmpty(region);
      } else if (isBeyondLimit(region)) {
        retire(region);
      } else {
        free.emptiesAwaitSeal(false);
        return region;
      }
    }
    boolean waited = free.emptiesAwaitSeal();
    free.emptiesAwaitSeal(free.empty() > 0);
    if (free.emptiesAwaitSeal() && !waited) {
      // The next put ends the open region if that is full.
      io.spaceSignal().signal();
    }
    return null;
  }

  boolean reclaim() {
    if (owner.isEnding()) {
      return false;
    }
    Region victim = reclaimer.victim(owner.regions());
    if (victim == null) {
      held.allArePinned();
      return false;
    }
    victim.state(State.RECLAIMING);
    boolean emptied = false;
    free.reclaiming(true);
    try {
      reclaimer.empty(victim, isShrinking() ? EvictionCause.RESIZE : EvictionCause.SIZE);
      emptied = true;
    } finally {
      free.reclaiming(false);
      if (!emptied) {
        // Lookups still find some of its blocks, and may read them.
        victim.state(State.SEALED);
      }
      // Puts may use the rest of the open region again.
      io.spaceSignal().signal();
    }
    closeToReaders(victim);
    return true;
  }

  /**
   * Prepares an empty region as a trial of the device. A failure does not count against the region.
   */
  boolean tryToWrite() {
    Region region = pollEmpty();
    if (region == null) {
      region = free.poll();
    }
    // On a full device, blocks are evicted only to get a first region to try.
    boolean mayReclaim = !io.health().isFull() || free.empty() == 0;
    if (region == null && mayReclaim && reclaim()) {
      region = pollEmpty();
    }
    return region != null && prepare(region, true);
  }

  /** Uses all regions again, after a failure of the device as a whole. */
  void forgive() {
    quarantined.clear();
    for (Region region : owner.regions()) {
      if (region.state() == State.QUARANTINED) {
        free.addUnprepared(region);
      }
    }
  }

  /**
   * Sets how many regions may be in use. Those beyond are retired when they are empty.
   *
   * @return whether the limit has changed
   */
  boolean limit(int regions) {
    if (regions == limit) {
      return false;
    }
    limit = regions;
    for (Region region : owner.regions()) {
      if (!isBeyondLimit(region) && region.state() == State.RETIRED) {
        free.addInUse(1);
        free.addUnprepared(region);
      } else if (isBeyondLimit(region) && region.state() == State.QUARANTINED) {
        retire(region);
      }
    }
    return true;
  }

  /** Retires empty regions beyond the limit. Returns whether there were any. */
  boolean retireEmpty() {
    int before = free.inUse();
    // A put that found no buffer hands its clean region back, perhaps after the limit was set.
    free.unprepare(this::isBeyondLimit);
    for (int i = isShrinking() ? free.empty() : 0; i > 0; i--) {
      Region region = free.pollEmpty();
      if (!isBeyondLimit(region) || owner.isNeeded(region)) {
        free.addEmpty(region);
      } else {
        retire(region);
      }
    }
    return free.inUse() < before;
  }

  boolean isBeyondLimit(Region region) {
    return region.slot >= limit;
  }

  /** Whether regions beyond the limit are in use. All those below it are. */
  boolean isShrinking() {
    return free.inUse() > limit;
  }

  /** Retires an empty region, unless blocks that moved from it cannot be made durable now. */
  private void retire(Region region) {
    boolean retired = false;
    try {
      owner.persistMoved(region);
      region.state(State.RETIRED);
      free.addInUse(-1);
      retired = true;
    } catch (IOException e) {
      // It is retried later.
    } finally {
      if (!retired) {
        free.addUnprepared(region);
      }
    }
  }

  /**
   * Empties a sealed region that is to be retired, by rewriting its blocks elsewhere. False if
   * there is no room for them now. On a full device they are evicted, so that it gains space.
   */
  boolean vacate(Region region) {
    boolean isFull = io.health().isFull();
    if (isFull) {
      reclaimer.empty(region, EvictionCause.RESIZE);
    }
    boolean moved = !isFull && reclaimer.moveOut(region);
    if (region.liveBlocks() > 0) {
      return moved;
    }
    closeToReaders(region);
    return true;
  }

  /** Closes a region to readers. It is empty once the last one has left. */
  void closeToReaders(Region region) {
    region.state(State.RECLAIMING);
    if (region.pins.close()) {
      free.addEmpty(region);
    } else {
      owner.leased();
      held.note(region);
    }
  }

  /**
   * Makes an empty region clean. A region that cannot be written is quarantined, unless the device
   * is full or on trial; then it stays empty.
   *
   * @return whether it is clean
   */
  private boolean prepare(Region region, boolean isTrial) {
    boolean isClean = false;
    try {
      owner.persistMoved(region);
      region.begin(owner.nextSequence());
      io.prepare(region.slot, region.header(System.currentTimeMillis()));
      isClean = true;
    } catch (IOException e) {
      // The device's health has logged it.
      if (!isTrial && !io.health().isFull()) {
        quarantine(region);
      }
      return false;
    } finally {
      if (!isClean && region.state() != State.QUARANTINED) {
        free.addEmpty(region);
      }
    }
    region.state(State.CLEAN);
    free.addClean(region);
    io.spaceSignal().signal();
    return true;
  }

  private void quarantine(Region region) {
    region.state(State.QUARANTINED);
    io.health().damaged(TierFault.QUARANTINED_REGION);
    log.warn("Quarantined a cache region after a write error; next try in 5 min: " + region, null);
    retryAtNanos = context.now() + RETRY_NANOS;
    quarantined.add(region);
  }

  /** Retries the region that has been out of use for the longest time. */
  private void retryQuarantined() {
    long now = context.now();
    if (quarantined.isEmpty() || now - retryAtNanos < 0) {
      return;
    }
    retryAtNanos = now + RETRY_NANOS;
    Region region = quarantined.remove();
    if (region.state() == State.QUARANTINED) {
      free.addUnprepared(region);
    }
  }
}
