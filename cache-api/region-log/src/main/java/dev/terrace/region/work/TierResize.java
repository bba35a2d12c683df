// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.region.work.DeviceResize.Goal;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * Changes the number of regions on each device of a tier, evenly, while they are in use.
 *
 * <p>There is one change at a time; a new one replaces it. If a device cannot reach the number, all
 * go back to the last number that all had; if that fails, too, to the smallest present one. A
 * change does not wait for devices out of service. Each change ends, at the latest with the tier.
 * Any thread may call any method.
 */
public final class TierResize {

  /*
   * The state of a change is here, under this lock. A device knows only its goal, and reports once
   * that it has reached the goal or cannot. The change ends with the report after which no device
   * has a goal. Reports of earlier goals are ignored.
   *
   * Workers are woken, and futures completed, outside the lock: an executor may run a worker on the
   * calling thread, and a thread that waits for a future may ask for another number.
   */

  private volatile List<DeviceWorker> devices;
  private volatile int lastRegions;

  /** The goal of all devices; null if no change is in progress. */
  private Goal goal;

  /** Completed when the change in progress ends. */
  private CompletableFuture<Void> done;

  /** Why the requested number cannot be reached; null until that is known. */
  private Throwable failure;

  private boolean closed;

  /** The devices of a tier that is not started yet. */
  public TierResize(List<DeviceWorker> devices) {
    this.devices = devices;
    this.lastRegions = smallest();
  }

  /** Ends the change in progress. Later changes apply to these devices. */
  public void of(List<DeviceWorker> present) {
    change(
        () -> {
          devices = List.copyOf(present);
          lastRegions = smallest();
        });
  }

  /** Ends the change in progress, and runs the next one under the lock. */
  private void change(Runnable next) {
    Runnable ended;
    synchronized (this) {
      aimAt(null);
      ended = end(new CancellationException("replaced by another size, or the tier is closing"));
      next.run();
    }
    ended.run();
  }

  private int smallest() {
    return devices.stream().mapToInt(each -> each.owner().io().device().regions()).min().orElse(0);
  }

  /**
   * Gives each device this number of regions.
   *
   * @param regions at least 1
   * @return completed when all devices have it; exceptionally if one cannot, once all have gone
   *     back; with a {@link CancellationException} if another change, or the end of the tier, comes
   *     first
   */
  public CompletableFuture<Void> to(int regions) {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    change(
        () -> {
          if (closed) {
            asked.completeExceptionally(new CancellationException("the tier is closing"));
          } else {
            done = asked;
            aimAt(new Goal(regions, this::reached));
          }
        });
    devices.forEach(DeviceWorker::wake);
    return asked;
  }

  /** Ends the change in progress, and refuses others. */
  public void close() {
    change(() -> closed = true);
  }

  /** Sets the goals of all devices; null for none. Under the lock. */
  private void aimAt(Goal next) {
    goal = next;
    devices.forEach(each -> each.resize().to(next));
  }

  /**
   * Ends the change in progress, if any, under the lock. The result completes the future.
   *
   * @param cause why the change fails, unless {@link #failure} says so; null if it succeeds
   */
  private Runnable end(Throwable cause) {
    CompletableFuture<Void> ended = done;
    Throwable why = failure == null ? cause : failure;
    goal = null;
    done = null;
    failure = null;
    if (ended == null) {
      return () -> {};
    }
    return why == null ? () -> ended.complete(null) : () -> ended.completeExceptionally(why);
  }

  /** Ends the change in progress: all devices have the number, or have it once they are back. */
  private Runnable endAtGoal() {
    lastRegions = goal.regions();
    return end(null);
  }

  /** The number of regions that each device has, or will have once it is back in service. */
  public int regions() {
    return lastRegions;
  }

  /**
   * Ends a change that only devices out of service have yet to make; each makes it once it is back.
   * Call it about once a second.
   */
  public void look() {
    Runnable ended = () -> {};
    synchronized (this) {
      // A device that is done reports that itself, or why it failed.
      if (goal != null
          && devices.stream().anyMatch(each -> each.resize().isUnderWay())
          && isReached()) {
        ended = endAtGoal();
      }
    }
    ended.run();
  }

  /** Whether all devices have reached the goal, or are out of service. */
  private boolean isReached() {
    return devices.stream()
        .noneMatch(each -> each.resize().isUnderWay() && each.owner().io().health().isUsable());
  }

  /** Called by a device's worker. */
  private void reached(Goal of, Throwable cause) {
    Runnable ended = () -> {};
    synchronized (this) {
      if (!of.equals(goal)) {
        return;
      }
      if (cause != null) {
        failure = failure == null ? cause : failure;
        int back = lastRegions < of.regions() ? lastRegions : smallest();
        if (back < of.regions()) {
          aimAt(new Goal(back, this::reached));
        } else {
          ended = end(null);
        }
      } else if (isReached()) {
        ended = endAtGoal();
      }
    }
    devices.forEach(DeviceWorker::wake);
    ended.run();
  }
}
