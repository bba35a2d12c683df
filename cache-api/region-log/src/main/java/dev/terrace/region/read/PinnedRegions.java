// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.region.device.Device;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * The regions of a device that readers keep from being reclaimed, and for how long.
 *
 * <p>A held region still serves its blocks; others are reclaimed in its place. A region that is
 * held for long <i>waits</i>. While too many regions wait, and for a while after a reclaim found
 * none free, hits on the device are copies, which hold no region.
 *
 * <p>Only the device's worker changes it. Any thread may read the figures.
 */
public final class PinnedRegions {

  /**
   * A region counts as stuck once the same readers have pinned it for this long. Hits stay copies
   * for as long after a reclaim last found every region pinned.
   */
  public static final long LONG_NANOS = Duration.ofSeconds(5).toNanos();

  /** One region in this many, and at least one, may wait before hits become copies. */
  public static final int REGIONS_PER_WAITING = 8;

  /** The time between two checks of the held regions. */
  static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

  private final DeviceLog log;
  private final Consumer<IntPredicate> unshare;
  private final LogContext context;
  private final RateLimitedLog warnings;

  /** By the region's number: when its oldest present pin was first seen. */
  private final Map<Integer, Long> heldSince = new HashMap<>();

  private long lookedNanos;
  private long lackedNanos;
  private volatile Waiting waiting = Waiting.NONE;

  /**
   * Regions that wait.
   *
   * @param count how many
   * @param sinceNanos since when the longest-held of them has been held
   */
  private record Waiting(int count, long sinceNanos) {

    static final Waiting NONE = new Waiting(0, 0);
  }

  /**
   * No region is held yet.
   *
   * @param unshare stops the sharing of objects in some regions
   */
  public PinnedRegions(DeviceLog log, Consumer<IntPredicate> unshare, LogContext context) {
    this.log = log;
    this.unshare = unshare;
    this.context = context;
    this.lookedNanos = context.now();
    this.warnings = context.log(PinnedRegions.class);
  }

  /**
   * Whether no reader holds a region. First ends the sharing of its objects, because each of them
   * holds it, too. Records a region that is held.
   */
  public boolean isFree(Region region) {
    if (region.pins.isPinned() && !heldSince.containsKey(region.number)) {
      unshare.accept(number -> number == region.number);
      if (region.pins.isPinned()) {
        note(region, context.now());
      }
    }
    return !region.pins.isPinned();
  }

  /** Records a region that has no more blocks but is still held by readers. */
  public void note(Region region) {
    if (!heldSince.containsKey(region.number)) {
      note(region, context.now());
    }
  }

  private void note(Region region, long now) {
    region.pins.turn();
    heldSince.put(region.number, now);
  }

  /** Whether a region was recorded as held, and still is. */
  public boolean isHeld(Region region) {
    return heldSince.containsKey(region.number) && region.pins.isPinned();
  }

  /** Records that a reclaim found no free region. */
  public void noneIsFree() {
    if (!heldSince.isEmpty()) {
      lackedNanos = context.now();
      log.free().allHeld(true);
      copyHits(true);
    }
  }

  private static boolean isLong(long since, long now) {
    return now - since >= LONG_NANOS;
  }

  /** Rechecks the pinned regions, at most once a second. */
  public void look() {
    if (heldSince.isEmpty() && !log.copiesHits()) {
      return;
    }
    long now = context.now();
    if (now - lookedNanos < LOOK_NANOS) {
      return;
    }
    lookedNanos = now;
    unshare.accept(heldSince::containsKey);
    for (Region region : log.regions()) {
      if (heldSince.containsKey(region.number)) {
        lookAt(region, now);
      }
    }
    count(now);
  }

  private void lookAt(Region region, long now) {
    boolean canBeHeld =
        region.state() == Region.State.SEALED || region.state() == Region.State.RECLAIMING;
    if (!canBeHeld || !region.pins.isPinned()) {
      heldSince.remove(region.number);
    } else if (!region.pins.hasOld()) {
      note(region, now);
    }
  }

  private void count(long now) {
    int count = 0;
    long first = now;
    for (long since : heldSince.values()) {
      if (isLong(since, now)) {
        count++;
        first = first - since < 0 ? first : since;
      }
    }
    waiting = new Waiting(count, first);
    boolean lacking = log.free().allPinned() && !isLong(lackedNanos, now);
    log.free().allHeld(lacking);
    int maxWaiting = Math.max(1, log.io().device().regions() / REGIONS_PER_WAITING);
    copyHits(lacking || count > maxWaiting);
  }

  private void copyHits(boolean wanted) {
    if (wanted == log.copiesHits() || !log.io().writesInPlace()) {
      return;
    }
    log.copyHits(wanted);
    if (wanted) {
      Device device = log.io().device();
      warnings.warn(
          "Unreleased blocks keep too many regions from being reclaimed, hits are copies until they"
              + " are fewer: path=%s regions=%d held=%d waiting=%d"
                  .formatted(device.path(), device.regions(), heldSince.size(), waiting.count),
          null);
      unshareAll();
    }
  }

  /** Ends the sharing of objects in all regions of the device. Any thread may call this. */
  public void unshareAll() {
    unshare.accept(log.numbers());
  }

  /** How many regions waited at the last check. */
  public int waiting() {
    return waiting.count;
  }

  /** How long the longest-held of them has been held; 0 if none waits. */
  public long longestNanos() {
    Waiting now = waiting;
    return now.count == 0 ? 0 : context.now() - now.sinceNanos;
  }
}
