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
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * The regions of a device that readers keep from being reclaimed, and for how long.
 *
 * <p>A held region serves its blocks as copies, so that no further reader holds it; others are
 * reclaimed in its place. A region that is held for long <i>waits</i>. While too many regions wait,
 * and for a while after a reclaim found none free, hits on the whole device are copies.
 *
 * <p>Only the device's worker changes it. Any thread may read the figures.
 */
public final class PinnedRegions {

  /*
   * A reader pins a region, then checks whether a reclaim awaits its readers; if so, it copies the
   * block and releases the pin. A reclaim that finds a region pinned first records that it awaits
   * the readers, then ends the sharing of objects, and only then checks the pins again. So each
   * remaining pin is older than that, or belongs to a copy in progress, and the region is soon free
   * unless a reader keeps its lease.
   */

  /**
   * A region counts as stuck once it has been pinned for this long. Hits stay copies for as long
   * after a reclaim last found every region pinned.
   */
  public static final long LONG_NANOS = Duration.ofSeconds(5).toNanos();

  /** One region in this many, and at least one, may wait before hits become copies. */
  public static final int REGIONS_PER_WAITING = 8;

  /** The time between two checks of the held regions. */
  static final long CHECK_NANOS = Duration.ofSeconds(1).toNanos();

  private final DeviceLog log;
  private final Consumer<IntPredicate> unshare;
  private final LogContext context;
  private final RateLimitedLog warnings;

  /** Since when each region is held. */
  private final Map<Region, Long> heldSince = new HashMap<>();

  private long lookedNanos;
  private long lackedNanos;

  /** How many regions waited at the last check, and since when the longest-held one was held. */
  private volatile int waiting;

  private volatile long waitingSinceNanos;

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
   * Whether no reader holds a region. Records a pinned region, and ends the sharing of its objects,
   * because each of them holds it, too.
   */
  public boolean isFree(Region region) {
    if (region.pins.isPinned() && !region.awaitsReaders()) {
      note(region);
      unshare.accept(number -> number == region.number);
    }
    return !region.pins.isPinned();
  }

  /** Records a region that readers hold. */
  public void note(Region region) {
    region.awaitsReaders(true);
    heldSince.putIfAbsent(region, context.now());
  }

  /** Whether a region was recorded as held, and still is. */
  public static boolean isHeld(Region region) {
    return region.awaitsReaders() && region.pins.isPinned();
  }

  /** Records that a reclaim found no free region. */
  public void allArePinned() {
    if (heldSince.keySet().stream().anyMatch(PinnedRegions::isHeld)) {
      lackedNanos = context.now();
      log.free().allPinned(true);
      copyHits(true);
    }
  }

  /** Rechecks the pinned regions, at most once a second. */
  public void poll() {
    long now = context.now();
    boolean isIdle = heldSince.isEmpty() && !log.copiesHits();
    if (isIdle || now - lookedNanos < CHECK_NANOS) {
      return;
    }
    lookedNanos = now;
    for (Region region : List.copyOf(heldSince.keySet())) {
      if (!isHeld(region)) {
        region.awaitsReaders(false);
        heldSince.remove(region);
      }
    }
    List<Long> heldNanos =
        heldSince.values().stream().map(since -> now - since).filter(n -> n >= LONG_NANOS).toList();
    waitingSinceNanos = now - heldNanos.stream().mapToLong(n -> n).max().orElse(0);
    waiting = heldNanos.size();
    boolean lacking = log.free().allPinned() && now - lackedNanos < LONG_NANOS;
    log.free().allPinned(lacking);
    int maxWaiting = Math.max(1, log.io().device().regions() / REGIONS_PER_WAITING);
    copyHits(lacking || waiting > maxWaiting);
  }

  private void copyHits(boolean wanted) {
    if (wanted == log.copiesHits() || !log.io().writesInPlace()) {
      return;
    }
    log.copyHits(wanted);
    if (wanted) {
      Device device = log.io().device();
      warnings.warn(
          "Readers pin too many cache regions; hits are copied (slower) until fewer are pinned:"
              + " path=%s regions=%d pinned=%d pinnedForLong=%d"
                  .formatted(device.path(), device.regions(), heldSince.size(), waiting),
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
    return waiting;
  }

  /** How long the longest-held of them has been held; 0 if none waits. */
  public long longestNanos() {
    return waiting == 0 ? 0 : context.now() - waitingSinceNanos;
  }
}
