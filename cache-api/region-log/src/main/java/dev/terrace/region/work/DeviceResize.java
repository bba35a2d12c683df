// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.api.LogQueue;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.Region.State;
import dev.terrace.region.log.RegionWriter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the number of a device's regions while they are in use.
 *
 * <p>New regions are empty. Regions that are to go are emptied first: their blocks are rewritten to
 * the others, where the oldest blocks of the device make room if there is none. Then the device
 * gives the space back.
 *
 * <p>Any thread may set the goal; only the device's worker takes the steps.
 */
final class DeviceResize {

  /*
   * No region that goes is in use. The limit falls first: from then on no region beyond it becomes
   * clean, and clean ones leave the queue. A region that a put took just before is sealed and
   * emptied like the others. A region beyond the limit is retired when it has no blocks and no
   * pins, and no open region has taken blocks that a crash would find only here. When all are
   * retired, the device shrinks. A pin is released after its holder's last access, and the worker
   * sees the release, so no access to memory comes after the cut. A read of a file that comes later
   * is no longer valid. Retired regions keep their number and slot, and use them again when the
   * device grows.
   *
   * A move that finds no room ends the step; seals, releases and the tick every second wake the
   * worker again.
   */

  private static final Logger LOG = LoggerFactory.getLogger(DeviceResize.class);

  private final DeviceLog log;
  private final CleanRegions clean;
  private final AtomicReference<Goal> goal = new AtomicReference<>();

  /** The regions that are to go, the newest first. By the worker. */
  private final Deque<Region> leaving = new ArrayDeque<>();

  /**
   * A number of regions.
   *
   * @param regions at least 1
   * @param reached receives the goal, and null once the device has reached it, or the reason why it
   *     cannot; called once, by the worker, unless the goal is replaced before
   */
  record Goal(int regions, BiConsumer<Goal, Throwable> reached) {}

  DeviceResize(DeviceLog log, CleanRegions clean) {
    this.log = log;
    this.clean = clean;
  }

  /** Replaces the goal; null for none. Wake the worker afterwards. */
  void to(Goal next) {
    goal.set(next);
  }

  /** Whether the device has yet to reach its goal. */
  boolean isUnderWay() {
    return goal.get() != null;
  }

  /** Takes a step. False if there is nothing to do, or the step has to wait. */
  boolean step() {
    Goal now = goal.get();
    if (now == null) {
      return false;
    }
    int present = log.io().device().regions();
    if (limit(Math.min(now.regions, present)) || clean.retireEmpty()) {
      // The worker first makes regions clean, since moved blocks need room.
      return true;
    }
    if (clean.isShrinking()) {
      return vacate();
    }
    Throwable failure = null;
    try {
      if (now.regions != present) {
        log.resize(now.regions);
        limit(now.regions);
        String path = log.io().device().path();
        LogQueue.info(LOG, "{}: resized to {} regions, from {}", path, now.regions, present);
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    if (goal.compareAndSet(now, null)) {
      now.reached.accept(now, failure);
    }
    return true;
  }

  /** Sets how many regions may be in use. Returns whether that changes. */
  private boolean limit(int regions) {
    boolean changes = clean.limit(regions);
    if (changes) {
      leaving.clear();
      // The age of an open region changes.
      Arrays.stream(log.regions())
          .filter(clean::isBeyondLimit)
          .map(region -> Map.entry(region.age(), region))
          .sorted(Map.Entry.<Long, Region>comparingByKey().reversed())
          .forEach(aged -> leaving.add(aged.getValue()));
    }
    return changes;
  }

  /** Empties a region that is to go. False if all of them wait: for readers, writers or room. */
  private boolean vacate() {
    for (Iterator<Region> rest = leaving.iterator(); rest.hasNext(); ) {
      Region region = rest.next();
      if (region.state() == State.SEALED) {
        return clean.vacate(region);
      }
      if (region.state() == State.RETIRED) {
        rest.remove();
      }
    }
    return sealWhatTheyNeed();
  }

  /** Ends the open region if it is to go, or has taken blocks from a region that is to go. */
  private boolean sealWhatTheyNeed() {
    RegionWriter open = log.open();
    if (open == null) {
      return false;
    }
    boolean isNeeded =
        clean.isBeyondLimit(open.region()) || leaving.stream().anyMatch(log::isNeeded);
    if (isNeeded) {
      log.sealOpen();
    }
    return isNeeded;
  }
}
