// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierFault;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import dev.terrace.region.memory.RegionPins;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.LoggerFactory;

/**
 * Reads from a device, and reports each read to the device's health. The number of concurrent
 * callers is bounded, and while the device is slow, none of them waits longer than half a second.
 *
 * <p>Any thread may call any method.
 */
public final class DeviceReads {

  /*
   * A read in progress cannot be cancelled. While the device is fast, a caller reads on its own
   * thread, at no extra cost. When it is slow, the caller hands the read to a thread of the device,
   * at the cost of two context switches. Callers that are inside when a device begins to hang stay
   * there until it answers: no more of them than there are places.
   *
   * A read that was handed over holds the buffer and the place itself, and releases them when it
   * returns, even if its caller has given up. By then its region may have been reused, or cut off
   * from the device, so a failure counts against the device only if the region was open throughout.
   */

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(DeviceReads.class), System::nanoTime);

  private static final long LONGEST_WAIT_MILLIS = 500;

  private final Device device;
  private final DeviceHealth health;
  private final Executor threads;
  private final IoTimes times = new IoTimes();

  /** Runs each time that a caller has left; null while nobody waits for that. */
  private volatile Runnable onLeave;

  DeviceReads(Device device, DeviceHealth health, Executor threads) {
    this.device = device;
    this.health = health;
    this.threads = threads;
  }

  IoTimes times() {
    return times;
  }

  /**
   * Whether a caller is inside the device.
   *
   * @param left runs from now on each time that one has left
   */
  boolean hasCallers(Runnable left) {
    onLeave = left;
    return health.stalls.places.taken() > 0;
  }

  private void leave(Semaphore place) {
    place.release();
    Runnable left = onLeave;
    if (left != null) {
      left.run();
    }
  }

  /** Fills the target's remaining bytes, for the log. */
  void read(int slot, int position, ByteBuffer target) throws IOException {
    health.stalls.beginRead();
    try {
      readInside(slot, position, target);
    } catch (IOException e) {
      health.readFailed(e);
      throw e;
    } finally {
      health.stalls.endRead();
    }
  }

  /** Reads; the caller is already counted as inside the device, and reports a failure. */
  private void readInside(int slot, int position, ByteBuffer target) throws IOException {
    long start = System.nanoTime();
    try {
      device.read(slot, position, target);
    } catch (RuntimeException e) {
      throw new IOException(e);
    }
    times.since(start);
    health.readSucceeded();
  }

  private void readInside(RegionPins region, int slot, int position, ByteBuffer target)
      throws IOException {
    long stamp = region.stamp();
    try {
      readInside(slot, position, target);
    } catch (IOException e) {
      if (region.validate(stamp)) {
        health.readFailed(e);
      } else {
        health.stalls.readProgress.note();
      }
      throw e;
    }
  }

  /**
   * Fills a copy from a region.
   *
   * @param region validated by the caller after the read
   * @param slot the number of the region on the device
   * @param hasStore whether the caller gets the bytes from the store if the device is slower
   * @return false if the device has no place for the caller, or did not answer in time
   */
  boolean read(RegionPins region, int slot, int position, ReadCopy copy, boolean hasStore)
      throws IOException {
    boolean slow = health.stalls.isSlow();
    long start = health.stalls.nanoTime.getAsLong();
    Semaphore place = health.bound.tryEnter(hasStore);
    if (place == null) {
      health.gaveUp(TierFault.TOO_MANY_READERS);
      return false;
    }
    try {
      if (slow) {
        CompletableFuture<Void> result = handOver(region, slot, position, place, copy);
        return result != null && await(result, slot);
      }
      try {
        readInside(region, slot, position, copy.bytes());
        return true;
      } finally {
        leave(place);
      }
    } finally {
      health.bound.answered(start);
    }
  }

  /** A future of the read; null if no thread can run it. */
  private CompletableFuture<Void> handOver(
      RegionPins region, int slot, int position, Semaphore place, ReadCopy copy) {
    copy.retain();
    CompletableFuture<Void> result = new CompletableFuture<>();
    try {
      threads.execute(
          () -> {
            Throwable failure = null;
            try {
              // Skipped if the caller has given up.
              if (!result.isDone()) {
                readInside(region, slot, position, copy.bytes());
              }
            } catch (IOException | RuntimeException | Error e) {
              failure = e;
            }
            giveBack(place, copy);
            if (failure == null) {
              result.complete(null);
            } else if (!result.completeExceptionally(failure) && failure instanceof Error) {
              LOG.warn("A slow read failed, its lookup is a miss: " + name(slot), failure);
            }
          });
      return result;
    } catch (RuntimeException | Error e) {
      giveBack(place, copy);
      LOG.warn("Could not start a thread to read, so the lookup is a miss: " + name(slot), e);
      return null;
    }
  }

  private void giveBack(Semaphore place, ReadCopy copy) {
    copy.free();
    leave(place);
  }

  private String name(int slot) {
    return "path=%s region=%d".formatted(device.path(), slot);
  }

  /** Whether the read returns in time; if not, it goes on without its caller. */
  private boolean await(CompletableFuture<Void> result, int slot) throws IOException {
    try {
      result.get(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IOException("Cannot read " + name(slot), e.getCause());
    } catch (TimeoutException e) {
      result.cancel(false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      result.cancel(false);
    }
    health.gaveUp(TierFault.SLOW_READ);
    return false;
  }

  /** The number and the total time of a device's operations. Any thread may call any method. */
  static final class IoTimes {

    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void since(long startNanos) {
      count.increment();
      nanos.add(System.nanoTime() - startNanos);
    }

    PathStats.Times sum() {
      return new PathStats.Times(count.sum(), nanos.sum());
    }
  }
}
