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
package dev.terrace.region;

import dev.terrace.api.EvictionCause;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import dev.terrace.region.Region.State;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.format.Sequence;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Keeps clean regions ready to be opened. Prepares empty regions, and has others reclaimed when
 * clean ones run short.
 *
 * <p>Any thread may take a clean region or hand an empty one in; only the device's worker does I/O.
 */
final class CleanRegions {

  /** One region in this many is kept clean, and at least two. */
  private static final int REGIONS_A_CLEAN_ONE = 128;

  private static final int MAX_CLEAN = 8;

  /** Clean regions that puts leave for what a reclaim writes anew. */
  private static final int KEPT_FOR_RECLAIM = 1;

  /** Most empty regions that are prepared in advance. */
  private static final int MAX_READY = 32;

  /** Pause between tries of regions that are out of use. */
  private static final long RETRY_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final RegionLog owner;
  private final RegionDevice io;
  private final HeldRegions held;
  private final Sequence sequence;
  private final LongSupplier nanoTime;
  private final TierCounters counters;
  private final RateLimitedLog log;
  private final Queue<Region> clean = new ConcurrentLinkedQueue<>();
  private final AtomicInteger cleanCount = new AtomicInteger();
  private final Queue<Region> empty = new ConcurrentLinkedQueue<>();
  private final AtomicInteger emptyCount = new AtomicInteger();
  private final AtomicInteger inUse;
  private Reclaimer reclaimer;

  /** Regions out of use that are tried again, one after the other. Used by the worker alone. */
  private final Queue<Region> quarantined = new ArrayDeque<>();

  private long retryAtNanos;

  /** Regions from this slot on are retired when they are empty. */
  private int limit;

  /** Whether a region may have lost its last block since the last look. */
  private volatile boolean someDied = true;

  /** Whether empty regions wait for the seal of the region that took their blocks. */
  private volatile boolean waiting;

  /** Whether a region is being emptied. */
  private volatile boolean reclaiming;

  /** Whether no region could be reclaimed when one was wanted, so none need be kept for that. */
  private volatile boolean nothingToReclaim;

  /** Whether a put has asked for a region since the start. */
  private volatile boolean areWanted;

  /** Whether the tier closes, so that regions without blocks in the index may hold some. */
  private volatile boolean closing;

  /** No region is clean yet. */
  CleanRegions(
      RegionLog owner,
      HeldRegions held,
      Sequence sequence,
      LongSupplier nanoTime,
      TierCounters counters) {
    this.owner = owner;
    this.io = owner.io();
    this.limit = owner.regions().length;
    this.inUse = new AtomicInteger(limit);
    this.held = held;
    this.sequence = sequence;
    this.nanoTime = nanoTime;
    this.counters = counters;
    this.log =
        new RateLimitedLog(
            LoggerFactory.getLogger(CleanRegions.class), Duration.ofMinutes(1), nanoTime);
  }

  /** The number of regions that are kept clean. */
  private int target() {
    return Math.min(MAX_CLEAN, Math.max(2, inUse.get() / REGIONS_A_CLEAN_ONE));
  }

  /**
   * The number of clean regions for which others are reclaimed. None at a start: nobody has read
   * the blocks yet, so a reclaim would drop what may be read again. But a tier that becomes smaller
   * needs room for the blocks that it moves.
   */
  private int wanted() {
    return areWanted || isShrinking() ? target() : 0;
  }

  /** The number of regions that are not retired. */
  int inUse() {
    return inUse.get();
  }

  /** Sets the reclaimer that empties regions; before the worker begins. */
  void reclaimBy(Reclaimer tierReclaimer) {
    reclaimer = tierReclaimer;
  }

  /** Takes a clean region for puts; null if there is none, but for the last one. */
  Region pollForPuts() {
    areWanted = true;
    return cleanCount.get() > kept() ? poll() : null;
  }

  /** While regions are empty no reclaim is due. */
  private int kept() {
    return nothingToReclaim || emptyCount.get() > 0 ? 0 : KEPT_FOR_RECLAIM;
  }

  /**
   * Whether the room that is left in the open region is for what a reclaim writes anew, and not for
   * puts: there is no other until its victim is empty.
   */
  boolean isOpenKept() {
    return reclaiming && cleanCount.get() == 0;
  }

  /** Takes a clean region; null if there is none. */
  Region poll() {
    Region region = clean.poll();
    if (region != null) {
      cleanCount.decrementAndGet();
    }
    return region;
  }

  /** Adds a region without blocks and readers. */
  void addEmpty(Region region) {
    emptyCount.incrementAndGet();
    empty.add(region);
  }

  /** Whether more regions are empty than are kept so, prepared or not. */
  boolean hasSpare() {
    return cleanCount.get() + emptyCount.get() > target();
  }

  /**
   * Whether no region is clean for puts, and sealing the open one may help: empty regions wait for
   * its seal, or readers hold all sealed regions.
   */
  boolean isWaiting() {
    return cleanCount.get() <= kept() && (waiting || held.areAllHeld());
  }

  /** Looks at the regions that readers hold, once a second. */
  void lookAtHeld() {
    held.look();
  }

  /** Takes no more regions. Call it before the blocks of a tier that closes leave the index. */
  void reclaimNoMore() {
    closing = true;
  }

  /** Notes that a region lost its last block. */
  void died() {
    someDied = true;
  }

  /** Prepares one region, or reclaims one. False if there is nothing to do. */
  boolean makeReady() {
    retryQuarantined();
    int ready = cleanCount.get();
    if (ready >= MAX_READY) {
      return false;
    }
    takeDead(MAX_READY - ready);
    Region next = pollEmpty();
    if (next != null) {
      clean(next);
      return true;
    }
    if (ready + empty.size() >= wanted() || (ready == 0 && waiting && !isShrinking())) {
      // Without a clean region another reclaim could write nothing anew. The open one fills first.
      return false;
    }
    nothingToReclaim = !reclaim();
    return !nothingToReclaim;
  }

  /** Takes sealed regions without live blocks, whose files were deleted. */
  private void takeDead(int most) {
    if (!someDied) {
      return;
    }
    someDied = false;
    int taken = 0;
    for (Region region : owner.regions()) {
      // Closing is asked for last: it is set before blocks leave for it.
      if (region.state() == State.SEALED && region.liveBlocks() == 0 && !closing) {
        if (taken++ == most) {
          someDied = true;
          return;
        }
        closeToReaders(region);
      }
    }
  }

  /** An empty region that may be overwritten; null if there is none. */
  private Region pollEmpty() {
    for (int i = empty.size(); i > 0; i--) {
      Region region = empty.poll();
      emptyCount.decrementAndGet();
      if (region.isNeeded()) {
        addEmpty(region);
      } else if (isBeyondLimit(region)) {
        retire(region);
      } else {
        waiting = false;
        return region;
      }
    }
    boolean waited = waiting;
    waiting = !empty.isEmpty();
    if (waiting && !waited) {
      // The next put ends the open region if that is full.
      io.roomWait().give();
    }
    return null;
  }

  /** Reclaims a region. False if none can be. */
  boolean reclaim() {
    if (closing) {
      return false;
    }
    Region victim = reclaimer.victim(owner.regions());
    if (victim == null) {
      held.noneIsFree();
      return false;
    }
    victim.state(State.RECLAIMING);
    boolean emptied = false;
    reclaiming = true;
    try {
      reclaimer.empty(victim, isShrinking() ? EvictionCause.RESIZE : EvictionCause.SIZE);
      emptied = true;
    } finally {
      reclaiming = false;
      if (!emptied) {
        // Some blocks are found there still, and may be read.
        victim.state(State.SEALED);
      }
      // What it left of the open region is for puts again.
      io.roomWait().give();
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
      region = poll();
    }
    // For want of space no block has to leave, but for the first region to try.
    boolean mayReclaim = !io.health().isFull() || emptyCount.get() == 0;
    if (region == null && mayReclaim && reclaim()) {
      region = pollEmpty();
    }
    if (region == null) {
      return false;
    }
    try {
      prepare(region);
      return true;
    } catch (IOException e) {
      log.warn("Cannot prepare " + region, e);
      return false;
    }
  }

  /** Resets the failures of all regions, after the device as a whole had failed. */
  void forgive() {
    quarantined.clear();
    for (Region region : owner.regions()) {
      region.forgive();
      if (region.state() == State.QUARANTINED) {
        addUnprepared(region);
      }
    }
  }

  /**
   * Sets how many regions may be in use. Those beyond leave when they are empty.
   *
   * @return whether that is another number than before
   */
  boolean limit(int regions) {
    if (regions == limit) {
      return false;
    }
    limit = regions;
    for (Region region : owner.regions()) {
      if (!isBeyondLimit(region) && region.state() == State.RETIRED) {
        inUse.incrementAndGet();
        addUnprepared(region);
      } else if (isBeyondLimit(region) && region.state() == State.QUARANTINED) {
        retire(region);
      }
    }
    for (int i = clean.size(); i > 0; i--) {
      Region region = poll();
      if (region != null && !isBeyondLimit(region)) {
        addClean(region);
      } else if (region != null) {
        addUnprepared(region);
      }
    }
    return true;
  }

  /** Retires empty regions beyond the limit. Whether there were any. */
  boolean retireEmpty() {
    int before = inUse.get();
    for (int i = isShrinking() ? empty.size() : 0; i > 0; i--) {
      Region region = empty.poll();
      emptyCount.decrementAndGet();
      if (!isBeyondLimit(region) || region.isNeeded()) {
        addEmpty(region);
      } else {
        retire(region);
      }
    }
    return inUse.get() < before;
  }

  /** Whether a region is to leave. */
  boolean isBeyondLimit(Region region) {
    return region.slot >= limit;
  }

  /** Whether regions beyond the limit are in use. All those below it are. */
  boolean isShrinking() {
    return inUse.get() > limit;
  }

  /** Takes an empty region out of use, unless what moved from it cannot be made durable now. */
  private void retire(Region region) {
    boolean retired = false;
    try {
      region.persistMoved();
      region.state(State.RETIRED);
      inUse.decrementAndGet();
      retired = true;
    } catch (IOException e) {
      log.warn("Cannot retire " + region, e);
    } finally {
      if (!retired) {
        addUnprepared(region);
      }
    }
  }

  private void addUnprepared(Region region) {
    region.state(State.RECLAIMING);
    addEmpty(region);
  }

  /**
   * Empties a sealed region that is to leave, by writing its blocks anew elsewhere. False if there
   * is no room for them now. On a full device they are evicted, so that it gets space.
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
    if (region.closeToReaders()) {
      addEmpty(region);
    } else {
      held.note(region);
    }
  }

  private void clean(Region region) {
    if (region.isDistrusted()) {
      quarantine(region);
      return;
    }
    try {
      prepare(region);
    } catch (IOException e) {
      region.writeFailed();
      log.warn("Cannot prepare " + region, e);
    }
  }

  /** Makes an empty region clean. After a failure it stays empty. */
  private void prepare(Region region) throws IOException {
    boolean prepared = false;
    try {
      region.persistMoved();
      region.forgetUnclaimed();
      region.begin(sequence.next());
      io.prepare(region.slot, region.header(System.currentTimeMillis()));
      prepared = true;
    } finally {
      if (!prepared) {
        addEmpty(region);
      }
    }
    region.state(State.CLEAN);
    addClean(region);
    io.roomWait().give();
  }

  private void addClean(Region region) {
    clean.add(region);
    cleanCount.incrementAndGet();
  }

  private void quarantine(Region region) {
    region.state(State.QUARANTINED);
    counters.trouble(Trouble.QUARANTINED_REGION);
    log.warn("Out of use for minutes, because it fails again and again: " + region, null);
    if (quarantined.isEmpty()) {
      retryAtNanos = nanoTime.getAsLong() + RETRY_NANOS;
    }
    quarantined.add(region);
  }

  /** Gives the region that is out of use for the longest time one try. */
  private void retryQuarantined() {
    long now = nanoTime.getAsLong();
    if (quarantined.isEmpty() || now - retryAtNanos < 0) {
      return;
    }
    retryAtNanos = now + RETRY_NANOS;
    Region region = quarantined.remove();
    if (region.state() == State.QUARANTINED) {
      region.trustOnce();
      addUnprepared(region);
    }
  }
}
