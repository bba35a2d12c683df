// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierFault;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Decides whether a device is used: the read breaker takes it out of service, and the write breaker
 * makes it read-only. Any thread may call any method; none blocks.
 */
public final class DeviceHealth {

  final StallWatch stalls;
  final ReaderBound bound;
  final PathReport report;
  private final ReadBreaker reads;
  private final WriteBreaker writes;

  /**
   * The health of a device that is in service.
   *
   * @param path for logs
   */
  public DeviceHealth(String path, IoLimits limits, LongSupplier nanoTime, TierCounters counters) {
    this.stalls = new StallWatch(limits, nanoTime);
    this.bound = new ReaderBound(stalls, nanoTime);
    this.report = new PathReport(path, nanoTime, counters);
    this.reads = new ReadBreaker(stalls, report);
    this.writes = new WriteBreaker(stalls, report, reads);
  }

  /** The breaker of the device's reads. */
  public ReadBreaker reads() {
    return reads;
  }

  /** The breaker of the device's writes. */
  public WriteBreaker writes() {
    return writes;
  }

  /** Whether the device is in service. */
  public boolean isUsable() {
    return reads.isUsable();
  }

  /** Whether all callers may read: not out of service, and faster than the store. */
  public boolean servesAll() {
    return isUsable() && !bound.isInForce();
  }

  /** Reports that a reader gave up, because its read took too long or found no place. */
  void gaveUp(TierFault fault) {
    report.counters.fault(fault);
    bound.gaveUp();
  }

  /** Reports that a block or region was damaged. */
  public void damaged(TierFault fault) {
    report.damaged(fault);
  }

  /** Reports how long a reader took to get a block from the store below the cache. */
  public void storeRead(long nanos) {
    bound.storeRead(nanos);
  }

  /** Whether the device is in service for writes. */
  public boolean isWritable() {
    return writes.isWritable();
  }

  /** Whether a write found no space, and no whole region was written afterwards. */
  public boolean isFull() {
    return writes.isFull();
  }

  /** Whether the device no longer owns its path. */
  public boolean isLost() {
    return reads.state == PathStats.State.LOST;
  }

  /** Detects stalls even when no I/O checks for them. Call about once a second. */
  public void poll() {
    // Detects stalls of reads and of writes.
    isWritable();
    condition();
    report.remind();
  }

  /** The condition that operators see, timed from the first call that found it. */
  public PathStats.Condition condition() {
    return report.condition(
        reads.isOpen()
            ? reads.state
            : isFull() && !writes.isOpen() ? PathStats.State.FULL : writes.state,
        bound.isAvoided());
  }

  /**
   * Reports that recovery metadata could not be read or written. This does not count against the
   * device.
   *
   * @param what what may be wrong after the next start
   */
  void recordFailed(String what, IOException cause) {
    if (!isLost()) {
      report.fault(PathReport.Effect.METADATA, DeviceFault.of(cause), what, cause);
    }
  }

  /** Reports that the device has left its tier, and so is no longer out of service there. */
  public void left() {
    reads.left();
    writes.left();
  }
}
