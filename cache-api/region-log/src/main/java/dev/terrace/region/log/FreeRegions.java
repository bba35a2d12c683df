// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The regions of a device without blocks: clean ones, which can be opened, and empty ones, which
 * the worker has yet to prepare.
 *
 * <p>Any thread may take a clean region or hand in an empty one. The worker adds clean ones, and
 * decides what puts may take; a put that finds no buffer hands its region back.
 */
public final class FreeRegions {

  /** One region in this many is kept clean, but at least two. */
  private static final int REGIONS_PER_CLEAN = 128;

  private static final int MAX_CLEAN = 8;

  /** How many reclaims make room quickly after a put was refused. */
  private static final int RECLAIMS_IN_NEED = 8;

  private final Queue<Region> clean = new LinkedBlockingQueue<>();
  private final Queue<Region> empty = new LinkedBlockingQueue<>();
  private final AtomicInteger inUse;

  /** Regions that have lost their last block since the last check. */
  private final Set<Region> emptied = ConcurrentHashMap.newKeySet();

  private final AtomicInteger inNeed = new AtomicInteger();
  private volatile boolean isRequested;
  private volatile boolean emptiesAwaitSeal;
  private volatile boolean allPinned;
  private volatile boolean reclaiming;
  private volatile boolean canReclaim = true;

  FreeRegions(int regions) {
    this.inUse = new AtomicInteger(regions);
  }

  /** The number of regions that are not retired. */
  public int inUse() {
    return inUse.get();
  }

  /** Adds to the number of regions in use; negative if some are retired. */
  public void addInUse(int more) {
    inUse.addAndGet(more);
  }

  /** The number of regions that are kept clean. */
  public int target() {
    return Math.min(MAX_CLEAN, Math.max(2, inUse.get() / REGIONS_PER_CLEAN));
  }

  /** Whether a put has asked for a region since the start. */
  public boolean isRequested() {
    return isRequested;
  }

  public int clean() {
    return clean.size();
  }

  public void addClean(Region region) {
    clean.add(region);
  }

  /** Takes a clean region for puts; null if only the reserved one, or none, is left. */
  Region pollForPuts() {
    isRequested = true;
    return clean.size() > kept() ? poll() : null;
  }

  /**
   * Clean regions reserved for blocks that a reclaim rewrites. None is due while there are empty
   * ones.
   */
  private int kept() {
    return canReclaim && empty.size() == 0 ? 1 : 0;
  }

  /** Takes a clean region; null if there is none. */
  public Region poll() {
    return clean.poll();
  }

  public int empty() {
    return empty.size();
  }

  /** Adds a region that has neither blocks nor readers. */
  public void addEmpty(Region region) {
    empty.add(region);
  }

  /** Adds a region without readable contents. By the worker. */
  public void addUnprepared(Region region) {
    region.state(Region.State.RECLAIMING);
    addEmpty(region);
  }

  /** Makes clean regions that pass a test empty ones. By the worker. */
  public void unprepare(Predicate<Region> test) {
    List<Region> chosen = clean.stream().filter(test).toList();
    chosen.stream().filter(clean::remove).forEach(this::addUnprepared);
  }

  /** Takes an empty region; there must be one. By the worker. */
  public Region pollEmpty() {
    return empty.poll();
  }

  /** Whether clean and empty regions together exceed the target. */
  public boolean hasSpare() {
    return clean.size() + empty.size() > target();
  }

  /**
   * Whether puts find no clean region, and sealing the open one may help: empty regions wait for
   * its seal, or readers hold all sealed regions.
   */
  boolean isWaiting() {
    return clean.size() <= kept() && (emptiesAwaitSeal || allPinned);
  }

  /** Whether empty regions wait for the seal of the region that took their blocks. */
  public boolean emptiesAwaitSeal() {
    return emptiesAwaitSeal;
  }

  public void emptiesAwaitSeal(boolean wait) {
    emptiesAwaitSeal = wait;
  }

  /** Whether a reclaim within the last seconds found all sealed regions held by readers. */
  public boolean allPinned() {
    return allPinned;
  }

  public void allPinned(boolean isFound) {
    allPinned = isFound;
  }

  /**
   * Whether the space left in the open region is reserved for blocks that a reclaim rewrites: there
   * is no other space until its victim is empty.
   */
  boolean isOpenReserved() {
    return reclaiming && clean.size() == 0;
  }

  /** Sets whether a region is being emptied. */
  public void reclaiming(boolean isReclaiming) {
    reclaiming = isReclaiming;
  }

  /**
   * Sets whether the last reclaim found a region. If not, no clean one is reserved for reclaims.
   */
  public void canReclaim(boolean isFound) {
    canReclaim = isFound;
  }

  /** A put is refused for want of room. */
  void refused() {
    inNeed.set(RECLAIMS_IN_NEED);
  }

  /** Whether a put was refused before one of the last reclaims. Called once by each. */
  public boolean isStarved() {
    return inNeed.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  /** Records that a region has lost its last block. */
  public void emptied(Region region) {
    emptied.add(region);
  }

  /** Passes on the regions that have lost their last blocks since the last call. By the worker. */
  public void pollDied(Consumer<Region> receiver) {
    for (Iterator<Region> all = emptied.iterator(); all.hasNext(); ) {
      Region region = all.next();
      // First, so that another death is not lost.
      all.remove();
      receiver.accept(region);
    }
  }
}
