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
package dev.terrace.region.device;

import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a device is used. Errors in a row, or an operation without progress, take it out
 * of service. A successful probe takes it back.
 *
 * <p>A device whose writes fail is read only until a trial write succeeds. So is a device that was
 * just taken back. A full device is not sick: reads go on, and writes pause until a trial has
 * written a whole region.
 *
 * <p>It also bounds the callers inside the device, because a read that hangs cannot be cancelled.
 *
 * <p>Any thread may call any method; none blocks, but {@link #tryEnter} may wait for a moment.
 */
public final class DeviceHealth {

  /** Errors without a success between them that take the device out of service. */
  private static final int ERRORS_IN_A_ROW = 5;

  /**
   * Factor of the stall limit without readers: writing or flushing a whole region takes longer than
   * a read.
   */
  private static final int PATIENCE_WITH_WRITES = 10;

  /** A device that is busy and made no progress for this long is slow. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A device that has stalled counts as slow for this long after its last stall. */
  private static final long SLOW_AFTER_STALL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Longest wait of a caller for a place, while the device makes progress. */
  private static final long PLACE_WAIT_MILLIS = 100;

  /** A bad place may take a disk seconds. */
  private static final long AHEAD_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final Logger LOG = LoggerFactory.getLogger(DeviceHealth.class);

  private final String path;
  private final long stallNanos;
  private final long probeNanos;
  private final LongSupplier nanoTime;
  private final TierCounters counters;
  private final int mostReaders;

  /** Free places for callers inside the device. */
  private final Semaphore places;

  /** The log's own operations in progress. */
  private final AtomicInteger ownOperations = new AtomicInteger();

  private final AtomicInteger errorsInARow = new AtomicInteger();
  private volatile long progressNanos;
  private volatile long aheadAtNanos;
  private volatile boolean out;
  private volatile long probeAtNanos;
  private volatile boolean stalledLately;
  private volatile long stalledNanos;
  private final AtomicInteger failedWritesInARow = new AtomicInteger();
  private volatile boolean readOnly;
  private volatile boolean readOnlyTold;
  private volatile long trialAtNanos;
  private volatile boolean full;

  /**
   * The health of a device that works.
   *
   * @param path for logs
   */
  public DeviceHealth(String path, IoLimits limits, LongSupplier nanoTime, TierCounters counters) {
    this.path = path;
    this.stallNanos = limits.stall().toNanos();
    this.probeNanos = limits.probeInterval().toNanos();
    this.mostReaders = limits.readers();
    this.places = new Semaphore(mostReaders);
    this.nanoTime = nanoTime;
    this.counters = counters;
    this.progressNanos = nanoTime.getAsLong();
    this.aheadAtNanos = progressNanos;
  }

  /** Whether the device is in service. */
  public boolean isUsable() {
    if (!out && hasStalled()) {
      takeOutStalled();
    }
    return !out;
  }

  /** By all that see a stall, of which it is the same one. */
  private synchronized void takeOutStalled() {
    if (!out && hasStalled()) {
      counters.trouble(Trouble.STALL);
      stalledNanos = nanoTime.getAsLong();
      stalledLately = true;
      takeOut("made no progress for " + stallNanos / 1_000_000 + " ms");
    }
  }

  /** Whether the device is in service for writes. */
  public boolean isWritable() {
    return isUsable() && !readOnly && !full;
  }

  private boolean hasStalled() {
    return makesNoProgressFor(hasReaders() ? stallNanos : stallNanos * PATIENCE_WITH_WRITES);
  }

  private boolean makesNoProgressFor(long nanos) {
    return isBusy() && nanoTime.getAsLong() - progressNanos > nanos;
  }

  private boolean isBusy() {
    return hasReaders() || ownOperations.get() != 0;
  }

  private boolean hasReaders() {
    return places.availablePermits() != mostReaders;
  }

  /** Whether the next operation may take much longer than usual. */
  boolean isSlow() {
    return stalledLately || makesNoProgressFor(SLOW_NANOS);
  }

  /**
   * Takes a place inside the device for a caller's read; {@link #leave} returns it. Waits a moment
   * for a place if the device makes progress.
   *
   * @return false if there is no place
   */
  boolean tryEnter() {
    noteStart();
    return places.tryAcquire() || (!makesNoProgressFor(SLOW_NANOS) && awaitPlace());
  }

  /**
   * Takes a place for a read that nobody waits for yet; {@link #leave} returns it. Leaves half of
   * the places to callers. Never waits.
   *
   * @return false if there is no place, or if the device is slow or failed to read ahead lately
   */
  boolean tryEnterAhead() {
    noteStart();
    return !isSlow()
        && nanoTime.getAsLong() - aheadAtNanos >= 0
        && places.availablePermits() > (mostReaders + 1) / 2
        && places.tryAcquire();
  }

  private boolean awaitPlace() {
    try {
      return places.tryAcquire(PLACE_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Callers that wait for a place. */
  int queued() {
    return places.getQueueLength();
  }

  /** Returns a caller's place, after the result of the read was reported. */
  void leave() {
    places.release();
  }

  /** Begins an operation of the log; {@link #end} ends it. */
  void begin() {
    noteStart();
    ownOperations.incrementAndGet();
  }

  /** Ends an operation of the log, after its result was reported. */
  void end() {
    ownOperations.decrementAndGet();
  }

  /**
   * Called before the operation is counted, so that no thread takes the idle time before it for a
   * stall.
   */
  private void noteStart() {
    if (!isBusy()) {
      progressNanos = nanoTime.getAsLong();
    }
  }

  /** Reports a successful operation. */
  void succeeded() {
    noteProgress();
    if (errorsInARow.get() != 0) {
      errorsInARow.set(0);
    }
  }

  private void noteProgress() {
    long now = nanoTime.getAsLong();
    progressNanos = now;
    if (stalledLately && now - stalledNanos > SLOW_AFTER_STALL_NANOS) {
      stalledLately = false;
    }
  }

  /** Reports a failed read. */
  public void readFailed(IOException cause) {
    counters.trouble(Trouble.READ_ERROR);
    noteProgress();
    if (errorsInARow.incrementAndGet() >= ERRORS_IN_A_ROW && !out) {
      takeOut(cause.toString());
    }
  }

  /**
   * Reports that a read failed for which nobody had asked. The device is spared such for a while.
   */
  void readAheadFailed(Exception cause) {
    counters.trouble(Trouble.READ_ERROR);
    LOG.warn("{}: is not read ahead for a minute, because that failed", path, cause);
    aheadAtNanos = nanoTime.getAsLong() + AHEAD_PAUSE_NANOS;
    noteProgress();
  }

  /** Whether the last error had no other error right before it. */
  public boolean isOneErrorAlone() {
    return errorsInARow.get() <= 1;
  }

  /** Reports a failed write. */
  public void writeFailed(IOException cause) {
    noteProgress();
    if (isNoSpace(cause)) {
      counters.trouble(Trouble.NO_SPACE_LEFT);
      restWrites(cause);
      return;
    }
    counters.trouble(Trouble.WRITE_ERROR);
    boolean again = failedWritesInARow.incrementAndGet() >= ERRORS_IN_A_ROW || readOnly;
    if (again && !out) {
      readOnly(cause);
    }
  }

  private synchronized void readOnly(IOException cause) {
    readOnly = true;
    trialAtNanos = nanoTime.getAsLong() + probeNanos;
    if (!readOnlyTold) {
      readOnlyTold = true;
      counters.trouble(Trouble.DEVICE_READ_ONLY);
      LOG.warn("{}: nothing is written to it until that works again; reads go on", path, cause);
    }
  }

  /** Whether a trial write is due. */
  public boolean isTrialDue() {
    return (readOnly || full) && isUsable() && nanoTime.getAsLong() - trialAtNanos >= 0;
  }

  /** Reports that a trial write failed, or had no region to write to. */
  public void trialFailed() {
    trialAtNanos = nanoTime.getAsLong() + probeNanos;
  }

  /** Reports a successful trial write. */
  public synchronized void trialSucceeded() {
    failedWritesInARow.set(0);
    readOnly = false;
    if (readOnlyTold) {
      readOnlyTold = false;
      counters.trouble(Trouble.DEVICE_WRITABLE);
      LOG.info("{}: is written to again", path);
    }
  }

  private void restWrites(IOException cause) {
    trialAtNanos = nanoTime.getAsLong() + probeNanos;
    if (!full) {
      full = true;
      LOG.warn(
          "{}: no space left, nothing is written until a whole region can be; reads go on: {}",
          path,
          cause.getMessage());
    }
  }

  /** Reports a successful force. A write alone may have reached only the system's cache. */
  void forced() {
    if (failedWritesInARow.get() != 0) {
      failedWritesInARow.set(0);
    }
    succeeded();
  }

  /**
   * Reports that a whole region was written. A part proves nothing, because it may have had its
   * space before.
   */
  void wroteRegion() {
    if (full) {
      full = false;
      LOG.info("{}: has space again", path);
    }
  }

  private synchronized void takeOut(String why) {
    if (out) {
      return;
    }
    probeAtNanos = nanoTime.getAsLong() + probeNanos;
    trialAtNanos = probeAtNanos;
    readOnly = true;
    out = true;
    counters.trouble(Trouble.DEVICE_OUT);
    LOG.warn("{}: taken out of service, its blocks are misses until it works again: {}", path, why);
  }

  /** Whether the device is out of service and a probe is due. */
  public boolean isProbeDue() {
    return out && nanoTime.getAsLong() - probeAtNanos >= 0;
  }

  /** Reports the result of a probe. */
  public void probed(boolean works) {
    if (!works) {
      probeAtNanos = nanoTime.getAsLong() + probeNanos;
      return;
    }
    synchronized (this) {
      errorsInARow.set(0);
      progressNanos = nanoTime.getAsLong();
      out = false;
    }
    counters.trouble(Trouble.DEVICE_BACK);
    LOG.info("{}: works again and is back in service", path);
  }

  /** Whether a write found no space, and no whole region was written afterwards. */
  public boolean isFull() {
    return full;
  }

  /** Whether a disk or quota is full, which the JDK reports by the system's message alone. */
  public static boolean isNoSpace(Throwable cause) {
    String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("no space left") || message.contains("quota exceeded");
  }
}
