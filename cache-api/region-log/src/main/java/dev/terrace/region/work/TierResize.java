// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import dev.terrace.region.folder.UnopenedDevice;
import dev.terrace.region.work.DeviceResize.Goal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Changes the number of regions on each device of a tier while they are in use.
 *
 * <p>There is one change at a time; a new one replaces it. If a device cannot reach its number, all
 * go back to their last ones; if that fails, too, each stays as it is. A change does not wait for
 * devices out of service. Each change ends, at the latest with the tier. Any thread may call any
 * method.
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

  /** The number of regions of each device after the last change, by path. */
  private volatile Map<String, Integer> last;

  /** The goals of the devices, by path; empty if no change is in progress. */
  private Map<String, Goal> goals = Map.of();

  /** Completed when the change in progress ends. */
  private CompletableFuture<Void> done;

  /** Why the requested number cannot be reached; null until that is known. */
  private Throwable failure;

  private boolean closed;

  /** The devices of a tier that is not started yet. */
  public TierResize(List<DeviceWorker> devices) {
    this.devices = devices;
    this.last = numbers(TierResize::present);
  }

  /** Ends the change in progress. Later changes apply to these devices. */
  public void of(List<DeviceWorker> present) {
    change(
        () -> {
          devices = List.copyOf(present);
          Map<String, Integer> before = last;
          last = numbers(each -> isOpen(each) ? present(each) : before(before, each));
        });
  }

  /** Ends the change in progress, and runs the next one under the lock. */
  private void change(Runnable next) {
    Runnable ended;
    synchronized (this) {
      aimAt(Map.of());
      ended = end(new CancellationException("replaced by another size, or the tier is closing"));
      next.run();
    }
    ended.run();
  }

  private Map<String, Integer> numbers(ToIntFunction<DeviceWorker> number) {
    return devices.stream().collect(Collectors.toMap(TierResize::path, number::applyAsInt));
  }

  private static String path(DeviceWorker device) {
    return device.owner().io().device().path();
  }

  private static int present(DeviceWorker device) {
    return device.owner().io().device().regions();
  }

  private static boolean isOpen(DeviceWorker device) {
    return !(device.owner().io().device() instanceof UnopenedDevice);
  }

  private static int before(Map<String, Integer> numbers, DeviceWorker device) {
    return numbers.getOrDefault(path(device), present(device));
  }

  /**
   * Gives each device a number of regions.
   *
   * @param regions by path, at least 1
   * @return completed when all devices have it; exceptionally if one cannot, once all have gone
   *     back; with a {@link CancellationException} if another change, or the end of the tier, comes
   *     first
   */
  public CompletableFuture<Void> to(ToIntFunction<String> regions) {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    change(
        () -> {
          if (closed) {
            asked.completeExceptionally(new CancellationException("the tier is closing"));
          } else if (devices.isEmpty()) {
            asked.complete(null);
          } else {
            done = asked;
            aimAt(numbers(each -> regions.applyAsInt(path(each))));
          }
        });
    devices.forEach(DeviceWorker::wake);
    return asked;
  }

  /** Ends the change in progress, and refuses others. */
  public void close() {
    change(() -> closed = true);
  }

  /** Sets the goals of the devices, none for those that are not there. Under the lock. */
  private void aimAt(Map<String, Integer> numbers) {
    Map<String, Goal> next = new HashMap<>();
    numbers.forEach((path, regions) -> next.put(path, new Goal(regions, this::reached)));
    goals = next;
    devices.forEach(each -> each.resize().to(next.get(path(each))));
  }

  /**
   * Ends the change in progress, if any, under the lock. The result completes the future.
   *
   * @param cause why the change fails, unless {@link #failure} says so; null if it succeeds
   */
  private Runnable end(Throwable cause) {
    CompletableFuture<Void> ended = done;
    Throwable why = failure == null ? cause : failure;
    goals = Map.of();
    done = null;
    failure = null;
    if (ended == null) {
      return () -> {};
    }
    return why == null ? () -> ended.complete(null) : () -> ended.completeExceptionally(why);
  }

  /** Ends the change in progress: all devices have their number, or have it once they are back. */
  private Runnable endAtGoals() {
    Map<String, Goal> reached = goals;
    last = numbers(each -> reached.get(path(each)).regions());
    return end(null);
  }

  /** The number of regions that a path has, or will have once it is back; 0 if it is none. */
  public int regions(String path) {
    return last.getOrDefault(path, 0);
  }

  /**
   * Ends a change that only devices out of service have yet to make; each makes it once it is back.
   * Call it about once a second.
   */
  public void poll() {
    Runnable ended = () -> {};
    synchronized (this) {
      // A device that is done reports that itself, or why it failed.
      if (!goals.isEmpty()
          && devices.stream().anyMatch(each -> each.resize().isUnderWay())
          && isReached()) {
        ended = endAtGoals();
      }
    }
    ended.run();
  }

  /** Whether all devices have reached their goals, or are out of service. */
  private boolean isReached() {
    return devices.stream()
        .noneMatch(each -> each.resize().isUnderWay() && each.owner().io().health().isUsable());
  }

  /** What a device goes back to if another one cannot reach its goal: never more than its goal. */
  private int backFrom(DeviceWorker device) {
    int goal = goals.get(path(device)).regions();
    int lastRegions = before(last, device);
    return lastRegions < goal ? lastRegions : Math.min(goal, present(device));
  }

  /** Called by a device's worker. */
  private void reached(Goal of, Throwable cause) {
    Runnable ended = () -> {};
    synchronized (this) {
      if (!goals.containsValue(of)) {
        return;
      }
      if (cause != null) {
        failure = failure == null ? cause : failure;
        Map<String, Integer> back = numbers(this::backFrom);
        if (back.entrySet().stream()
            .anyMatch(e -> e.getValue() < goals.get(e.getKey()).regions())) {
          aimAt(back);
        } else {
          ended = end(null);
        }
      } else if (isReached()) {
        ended = endAtGoals();
      }
    }
    devices.forEach(DeviceWorker::wake);
    ended.run();
  }
}
