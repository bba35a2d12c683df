// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.work;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the number of regions of all devices of a tier, evenly, while they are in use.
 *
 * <p>There is one change at a time, and another one takes its place. If a device cannot have the
 * number, all go back to the last one that all had; if that fails, too, to the smallest present
 * one. A device out of service is not waited for. Each change ends, at the latest with the tier.
 * Any thread may call any method.
 */
public final class TierResize {

  /*
   * The whole state of a change is here, and changes under this lock. A device knows a goal alone. Its
   * worker tells once that the device has the number or cannot have it, and counts for the round of
   * that goal: if another round has begun meanwhile, it is of no account.
   *
   * Workers are woken, and futures completed, outside of the lock: an executor may run a worker in
   * place, and a thread that waits for a future may ask for another number.
   */

  private static final Logger LOG = LoggerFactory.getLogger(TierResize.class);

  private volatile List<DeviceWorker> devices;
  private volatile int lastRegions;
  private Round current;
  private boolean closed;

  /**
   * One try to give all devices a number of regions.
   *
   * @param missing how many of them have not got it
   * @param failure why the number that was asked for cannot be had; null until that is known
   */
  private record Round(
      int regions, AtomicInteger missing, CompletableFuture<Void> done, Throwable failure) {

    void end() {
      end(failure);
    }

    void end(Throwable cause) {
      if (cause == null) {
        done.complete(null);
      } else {
        done.completeExceptionally(cause);
      }
    }
  }

  /** The devices of a tier, which is not started. */
  public TierResize(List<DeviceWorker> devices) {
    this.devices = devices;
    this.lastRegions = smallest();
  }

  /** Ends the change in progress. Later ones are of these devices. */
  public void of(List<DeviceWorker> present) {
    replace(
        () -> {
          devices = List.copyOf(present);
          lastRegions = smallest();
        });
  }

  private int smallest() {
    return devices.stream().mapToInt(each -> each.io().device().regions()).min().orElse(0);
  }

  /**
   * Gives each device this number of regions.
   *
   * @param regions at least 1
   * @return completed when all devices have it; with the exception if one cannot have it, once all
   *     went back; with a {@link CancellationException} by another change, or the end of the tier
   */
  public CompletableFuture<Void> to(int regions) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    replace(
        () -> {
          if (closed) {
            done.completeExceptionally(new CancellationException("the end"));
          } else {
            begin(round(regions, done, null));
          }
        });
    devices.forEach(DeviceWorker::wake);
    return done;
  }

  /** Ends the change in progress, and refuses others. */
  public void close() {
    replace(() -> closed = true);
  }

  /** Ends the change in progress, and makes another one under the lock. */
  private void replace(Runnable next) {
    Round before;
    synchronized (this) {
      before = current;
      begin(null);
      next.run();
    }
    if (before != null) {
      before.end(
          before.failure == null
              ? new CancellationException("another size, or the end")
              : before.failure);
    }
  }

  private Round round(int regions, CompletableFuture<Void> done, Throwable failure) {
    return new Round(regions, new AtomicInteger(devices.size()), done, failure);
  }

  /** Sets the goals of all devices; null for none. Under the lock. */
  private void begin(Round round) {
    current = round;
    DeviceResize.Goal goal =
        round == null
            ? null
            : new DeviceResize.Goal(round.regions, failure -> reached(round, failure));
    devices.forEach(each -> each.resizeTo(goal));
  }

  /** The number of regions that each device has, or has once it is back in service. */
  public int regions() {
    return lastRegions;
  }

  /**
   * Ends a change that only devices out of service have yet to make; each makes it when it is back.
   * Call it about once a second.
   */
  public void look() {
    List<String> out =
        devices.stream()
            .filter(DeviceWorker::isResizedLater)
            .map(each -> each.io().device().path())
            .toList();
    Round ended = null;
    synchronized (this) {
      if (current != null && current.missing.get() == out.size()) {
        ended = current;
        lastRegions = ended.regions;
        current = null;
      }
    }
    if (ended != null) {
      LOG.warn(
          "{} regions a path, but for {}, which get them when they are back", ended.regions, out);
      ended.end();
    }
  }

  /** Called by a device's worker. */
  private void reached(Round round, Throwable failure) {
    Round ended = null;
    synchronized (this) {
      if (!round.equals(current)) {
        return;
      }
      if (failure == null) {
        if (round.missing.decrementAndGet() == 0) {
          lastRegions = round.regions;
          ended = round;
        }
      } else {
        Throwable first = round.failure == null ? failure : round.failure;
        int back = lastRegions < round.regions ? lastRegions : smallest();
        Round next = round(back, round.done, first);
        if (back < round.regions) {
          begin(next);
        } else {
          ended = next;
        }
      }
      if (ended != null) {
        current = null;
      }
    }
    if (ended == null) {
      devices.forEach(DeviceWorker::wake);
    } else {
      ended.end();
    }
  }
}
